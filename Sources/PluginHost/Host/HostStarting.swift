internal import ModuleStore
public import Signet
internal import SignetBase
internal import SignetSystem

extension PluginHost {
  /// Takes stock and loads every module that is installed: counts the crashes of the starts before, installs what ships with the host and is newer,
  /// and loads each module that is accepted. What is refused is told, its URLs are refused, and everything else goes on.
  ///
  /// A module's code runs in this process: when it crashes the host does, and while it does not return from being loaded the start
  /// does not end (``HostEvent/stalled(_:sequence:after:)``). What has crashed twice in a row is set aside.
  ///
  /// - Parameter leftOut: modules that are not loaded, for a start in which something is to be mended: their URLs are refused, and modules that
  ///   require them are, too [`host.left-out`]. ``takeStock()`` says which there are (``modules``).
  /// - Returns: the modules that are loaded, sorted by identifier. Modules that are held back [`host.held-back`] are loaded later.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func start(without leftOut: Set<ModuleIdentifier> = []) -> [LoadedModule] {
    takeStock()
    let modules = known(refusesOnError: true)
    return loadAll(modules, without: leftOut).compactMap { try? $0.get() }
  }

  /// Loads modules. Those with which the process may have crashed come last. They are held back where other code is on trial by then, and
  /// loaded later (``loadHeldBack()``).
  ///
  /// - Returns: what has become of each, in the order they were given in.
  func loadAll(
    _ modules: [ModuleIdentifier], without leftOut: Set<ModuleIdentifier>
  ) -> [Result<LoadedModule, SignetError>] {
    let suspects = ((try? store.heldBack(among: modules)) ?? []).flatMap(\.self)
    heldBack.withLock { $0.leave(out: leftOut) }
    var round = LoadingRound(leftOut: leftOut, suspectOrder: .last)
    var results: [ModuleIdentifier: Result<LoadedModule, SignetError>] = [:]
    func loadBatch(_ modules: [ModuleIdentifier], _ order: SuspectOrder) {
      round.suspectOrder = order
      for module in modules {
        results[module] = Result { () throws(SignetError) in try loadInTurn(module, in: &round) }
      }
    }
    loadBatch(modules.filter { !suspects.contains($0) }, .last)
    loadBatch(suspects, .alone)
    end(round)
    return modules.compactMap { results[$0] }
  }

  /// Loads what was held back, on another thread.
  func loadHeldBackSoon() {
    guard heldBack.withLock(\.isWaiting) else { return }
    loading.begin { [weak self] in self?.loadHeldBack() }
  }

  /// Loads what was held back, as long as no code is on trial: one module, which is then, and so on.
  func loadHeldBack() {
    while trial.current == .closed, let (modules, areTogether) = heldBack.withLock({ $0.next() }) {
      var round = LoadingRound(
        leftOut: heldBack.withLock(\.leftOut), suspectOrder: areTogether ? .together : .alone)
      // What fails is told, as always.
      for module in modules { _ = try? loadInTurn(module, in: &round) }
      end(round)
    }
  }

  /// The first part of ``start()``: what is here, without loading any of it. What was fetched whole, and not installed before the
  /// process ended, is verified and installed.
  @available(*, noasync, message: "use the form that is awaited")
  public func takeStock() {
    if let warning = store.clockWarning() { records.tell(.notice(warning)) }
    trial.countCrashes(again: true)
    installEmbedded()
    installFetched()
    for module in known(refusesOnError: false) where records.status(of: module) == .none {
      records.note(module, .installed)
    }
  }

  /// Modules that the store lists, sorted.
  ///
  /// - Parameter refusesOnError: whether those that were listed last are refused where that cannot be told: their URLs are nobody else's.
  private func known(refusesOnError: Bool) -> [ModuleIdentifier] {
    do throws(SignetError) { return try store.listed() } catch {
      records.tell(.notice(error))
      if refusesOnError { for module in store.lastListed { refuse(module, error) } }
      return []
    }
  }

  /// Archives that ship with the host, each as good as any other: it has to be accepted, and to be newer than what is installed.
  private func installEmbedded() {
    defer { records.noteEmbedded() }
    guard let path = configuration.embedded else { return }
    let names: [String]
    do throws(SignetError) { names = try Directory(opening: path).entryNames() } catch {
      records.tell(.notice(error))
      return
    }
    for name in names where ArchiveName.isArchive(name) {
      _ = try? installEmbedded(path + "/" + name)
    }
  }

  /// What ships with the host counts also for one that has not taken stock yet.
  func knowEmbedded() { if !records.knowsEmbedded { installEmbedded() } }

  private func installEmbedded(_ path: String) throws(SignetError) {
    do throws(SignetError) {
      let verified = try verifiedEmbedded(path, nil)
      let module = verified.module.identifier
      records.note(module, EmbeddedRelease(sequence: verified.module.sequence, path: path))
      // What is installed already is verified when it is loaded.
      guard try store.highestSequence(of: module).map({ $0 <= verified.module.sequence }) ?? true,
        try !store.lists(verified)
      else { return }
      try install(embedded: verified)
    } catch {
      records.refuse(
        RefusedModule(identifier: nil, sequence: nil, source: path, reason: error, time: configuration.clock.now()))
      throw error
    }
  }

  private func verifiedEmbedded(
    _ path: String, _ module: ModuleIdentifier?
  ) throws(SignetError) -> VerifiedModule {
    let verdict = try Verifier(policy: policy, clock: store.judgingClock, limits: configuration.limits).verify(
      .file(RegularFile(opening: path)), signatures: .beside(path), expecting: .module(module, named: path))
    switch verdict {
    case .verified(let verified): return verified
    case .refused(let refusal): throw refusal.combined
    }
  }
}

extension PluginHost {
  /// The release of a module that is to be loaded: what the store has, or the one that ships with the host where that is newer. It was not
  /// installed while the store listed a higher one; that may not be accepted any more, or have crashed.
  func candidate(_ module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    let embedded = records.embedded(module)
    let active: ActiveRelease
    do throws(SignetError) {
      active = try store.choose(module, embedded: embedded?.sequence)
    } catch {
      guard let embedded else { throw error }
      active = try mended(module, by: embedded, error)
    }
    if let newer = active.insteadOf, records.fallsBack(module, from: newer) {
      records.tell(.fallback(module, sequence: active.release.sequence, insteadOf: newer))
    }
    return active.release
  }

  /// The release that runs once what ships with the host is installed, where that is missing or damaged.
  private func mended(
    _ module: ModuleIdentifier, by embedded: EmbeddedRelease, _ reason: SignetError
  ) throws(SignetError) -> ActiveRelease {
    do throws(SignetError) {
      try install(embedded: verifiedEmbedded(embedded.path, module))
    } catch {
      // Why the highest one is not taken says more, but for one that is only older.
      guard reason.code == .policyRollback, error.code != .moduleCrashed else { throw reason }
      throw SignetError(
        .policyRollback, "\(module)", "is older than the release that ships with the host, which cannot be installed",
        expected: reason.expected, found: reason.found, cause: error,
        hint: "install a release that is as new as the host's, and accepted")
    }
    return try store.choose(module, embedded: embedded.sequence)
  }

  /// Of two releases with one sequence the one that ships with the host is right, and what is damaged is mended by it.
  private func install(embedded verified: VerifiedModule) throws(SignetError) {
    do throws(SignetError) {
      try store.installSoon(verified)
    } catch  where error.code == .storeDamaged {
      try store.repair(from: verified)
    } catch  where error.code == .storeSequenceConflict {
      try store.remove(verified.module.identifier, sequence: verified.module.sequence)
      try store.installSoon(verified)
    }
  }
}

/// Names of files that may be archives.
enum ArchiveName {
  private static let suffixes = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst"]

  static func isArchive(_ name: String) -> Bool {
    suffixes.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
  }
}
