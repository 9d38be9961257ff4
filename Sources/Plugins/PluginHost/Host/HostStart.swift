internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// An entry of a manifest whose module is in use.
public struct ResolvedEntry: Sendable {
  /// The entry of the manifest.
  public let entry: HostManifest.Entry
  /// The module; nil for the host itself.
  public let module: LoadedModule?
}

/// A start of a host: it takes stock, and loads what is installed, or what a manifest names.
struct HostStart {
  private let host: HostContext

  init(of host: HostContext) { self.host = host }

  /// Loads every module that is installed.
  func run(without leftOut: Set<ModuleIdentifier>) -> [LoadedModule] {
    takeStock()
    return load(known(refusesOnError: true), without: leftOut).compactMap { try? $0.get() }
  }

  /// Loads the modules that a manifest names, in its order.
  func run(_ manifest: HostManifest, base: String, without leftOut: Set<ModuleIdentifier>) -> [ResolvedEntry] {
    takeStock()
    if !manifest.unknownFields.isEmpty {
      host.records.tell(
        .notice(
          SignetError(
            .manifestMalformed, "\(manifest.identifier)", "has fields that this host does not know",
            found: manifest.unknownFields.joined(separator: ", "))))
    }
    host.records.name(NamedURLs(manifest, base: base))
    let there = manifest.entries.filter { entry in
      if entry.kind == .host { return true }
      if let module = entry.module, !isNowhere(module) { return true }
      host.records.tell(.missing(entry))
      refuseIfUnknown(entry)
      return false
    }
    var modules: [ModuleIdentifier] = []
    for module in there.compactMap(\.module) where !modules.contains(module) { modules.append(module) }
    let results = Dictionary(
      zip(modules, load(modules, without: leftOut)), uniquingKeysWith: { first, _ in first })
    return there.compactMap { entry in
      guard let module = entry.module else { return ResolvedEntry(entry: entry, module: nil) }
      return results[module].flatMap { try? $0.get() }.map { ResolvedEntry(entry: entry, module: $0) }
    }
  }

  /// Whether the store has no release of a module. A store that cannot be read does not count: then the module is
  /// refused for that reason.
  private func isNowhere(_ module: ModuleIdentifier) -> Bool {
    do throws(SignetError) { return try host.store.highestSequence(of: module) == nil } catch { return false }
  }

  /// Refuses the URIs of a missing module, if an archive of it was refused before the manifest gave it any. Also if an
  /// archive that ships with the host was refused. That archive may be the module's: what a refused archive says about
  /// itself counts for nothing.
  private func refuseIfUnknown(_ entry: HostManifest.Entry) {
    guard let module = entry.module else { return }
    let own = host.records.status(of: module) == .refused ? host.records.reason(of: module) : nil
    guard let refusal = own ?? host.records.embeddedRefusal else { return }
    host.refused.refuseURLs(of: module, refusal)
  }

  /// Finds out what is here, without loading any of it.
  func takeStock() {
    if let warning = host.store.clockWarning() { host.records.tell(.notice(warning)) }
    host.trial.countCrashes(again: true)
    host.embedded.install()
    FetchedModules(host).installAll()
    for module in known(refusesOnError: false) where host.records.status(of: module) == .none {
      host.records.note(module, .installed)
    }
  }

  /// Modules that the store lists, sorted.
  ///
  /// - Parameter refusesOnError: whether to refuse the modules that were listed last if the list cannot be read. No
  ///   other module gets their URLs.
  private func known(refusesOnError: Bool) -> [ModuleIdentifier] {
    do throws(SignetError) { return try host.store.listed() } catch {
      host.records.tell(.notice(error))
      if refusesOnError { for module in host.store.lastListed { host.refused.refuse(module, because: error) } }
      return []
    }
  }

  /// Loads modules. Those that may have crashed the process come last. If other code is on trial by then, they are held
  /// back and loaded later (`HostContext.loadHeldBackSoon()`).
  ///
  /// - Returns: the result for each module, in the order given.
  private func load(
    _ modules: [ModuleIdentifier], without leftOut: Set<ModuleIdentifier>
  ) -> [Result<LoadedModule, SignetError>] {
    let suspects = ((try? host.store.heldBack(among: modules)) ?? []).flatMap(\.self)
    host.heldBack.withLock { $0.leave(out: leftOut) }
    var round = LoadingRound(in: host, leftOut: leftOut, suspectOrder: .last)
    var results: [ModuleIdentifier: Result<LoadedModule, SignetError>] = [:]
    func loadBatch(_ modules: [ModuleIdentifier], _ order: SuspectOrder) {
      round.suspectOrder = order
      for module in modules {
        results[module] = Result { () throws(SignetError) in try round.load(module) }
      }
    }
    loadBatch(modules.filter { !suspects.contains($0) }, .last)
    loadBatch(suspects, .alone)
    round.end()
    return modules.compactMap { results[$0] }
  }
}
