internal import ModuleStore
public import Signet
public import SignetBase
internal import SignetSystem

/// An entry of a manifest whose module is in use.
public struct ResolvedEntry: Sendable {
  /// The entry.
  public let entry: HostManifest.Entry
  /// The module; nil for the host itself.
  public let module: LoadedModule?
}

extension PluginHost {
  /// Reads the host's manifest: the one that was fetched, and where that is not there, or refused for whatever reason, the one that ships with the
  /// host.
  ///
  /// Both are signed; the statement stands beside each (`bundle.json.sigstore.json`). A fetched one is never older than the last that was used, nor than
  /// the one that ships with the host: after an update of the host its own is the newer one. What is refused is told as an event.
  ///
  /// - Parameters:
  ///   - user: the path of the one that was fetched.
  ///   - embedded: the path of the one that ships with the host.
  /// - Throws: why the second is refused, too: `file.missing`, `manifest.malformed`, `manifest.version`, `signature.…`, `policy.…`, `host.identifier`.
  @available(*, noasync, message: "use the form that is awaited")
  public func manifest(user: String?, embedded: String) throws(SignetError) -> HostManifest {
    guard let identifier = configuration.identifier else {
      throw SignetError(
        .hostIdentifier, embedded, "is for a host, and this one does not say which it is",
        hint: "give the configuration the host's identifier")
    }
    let shipped = Result { () throws(SignetError) in
      // What ships with the host is as old as the host is.
      try HostManifest(verify(embedded, identifier, leastSequence: 1))
    }
    if let user {
      do throws(SignetError) {
        let floor = try store.manifestFloor(of: identifier)?.sequence ?? 1
        let proof = try verify(user, identifier, leastSequence: max(floor, (try? shipped.get())?.sequence ?? 1))
        let manifest = try HostManifest(proof)
        trial.use(proof)
        return manifest
      } catch {
        refuse(manifest: user, error)
      }
    }
    do throws(SignetError) { return try shipped.get() } catch {
      refuse(manifest: embedded, error)
      throw error
    }
  }

  /// The bytes are read once: what was verified is what is read.
  private func verify(
    _ path: String, _ identifier: ModuleIdentifier, leastSequence: Int
  ) throws(SignetError) -> VerifiedHostManifest {
    let file = try RegularFile(opening: path)
    let bytes = try file.bytes(limit: Self.manifestLimit)
    let verdict = try Verifier(policy: policy, clock: store.judgingClock).verify(
      .bytes(bytes), signatures: .beside(path),
      expecting: .hostManifest(identifier: identifier, named: file.baseName, leastSequence: leastSequence))
    switch verdict {
    case .verified(let proof): return proof
    case .refused(let refusal): throw refusal.combined
    }
  }

  /// Bytes of a manifest at most, as for those who sign it (docs/format.md, section 2.3).
  private static let manifestLimit = 1 << 20

  private func refuse(manifest path: String, _ error: SignetError) {
    records.refuse(
      RefusedModule(identifier: nil, sequence: nil, source: path, reason: error, time: configuration.clock.now()))
  }

  /// Takes stock, and loads what a manifest names, in its order. An entry whose module is nowhere is told and left out; the URIs of one that is
  /// refused are nobody else's. A second time it loads only what is not loaded yet.
  ///
  /// - Parameters:
  ///   - manifest: the host's manifest.
  ///   - base: what the manifest's URIs are relative to.
  ///   - leftOut: modules that are not loaded, as in ``start(without:)``.
  /// - Returns: the entries whose modules are loaded, and those of the host itself, in the order of the manifest.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func start(
    _ manifest: HostManifest, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) -> [ResolvedEntry] {
    takeStock()
    if !manifest.unknownFields.isEmpty {
      records.tell(
        .notice(
          SignetError(
            .manifestMalformed, "\(manifest.identifier)", "has fields that mean nothing to this host",
            found: manifest.unknownFields.joined(separator: ", "))))
    }
    records.name(NamedURLs(manifest, base: base))
    let there = manifest.entries.filter { entry in
      if entry.kind == .host { return true }
      if let module = entry.module, !isNowhere(module) { return true }
      records.tell(.missing(entry))
      return false
    }
    var modules: [ModuleIdentifier] = []
    for module in there.compactMap(\.module) where !modules.contains(module) { modules.append(module) }
    let results = Dictionary(
      zip(modules, loadAll(modules, without: leftOut)), uniquingKeysWith: { first, _ in first })
    return there.compactMap { entry in
      guard let module = entry.module else { return ResolvedEntry(entry: entry, module: nil) }
      return results[module].flatMap { try? $0.get() }.map { ResolvedEntry(entry: entry, module: $0) }
    }
  }

  /// Whether the store has nothing of a module. One that cannot be read does not say so: then the module is refused, with that reason.
  private func isNowhere(_ module: ModuleIdentifier) -> Bool {
    do throws(SignetError) { return try store.highestSequence(of: module) == nil } catch { return false }
  }
}
