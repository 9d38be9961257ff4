internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The reading of a host's manifest.
struct ManifestReading {
  private let host: HostContext

  init(_ host: HostContext) { self.host = host }

  /// Reads the manifest, as `manifest(user:embedded:)` says.
  func read(user: String?, embedded: String) throws(SignetError) -> HostManifest {
    guard let identifier = host.configuration.identifier else {
      throw SignetError(
        .hostIdentifier, embedded, "is a host's manifest, but this host has no identifier",
        hint: "set the identifier in the host's configuration")
    }
    let shipped = Result { () throws(SignetError) in
      // What ships with the host is as old as the host.
      try HostManifest(verify(embedded, identifier, leastSequence: 1))
    }
    if let user {
      var floor: Int?
      do throws(SignetError) {
        floor = try host.store.manifestFloor(of: identifier)?.sequence
        let proof = try verify(
          user, identifier, leastSequence: max(floor ?? 1, (try? shipped.get())?.sequence ?? 1))
        let manifest = try HostManifest(proof)
        host.trial.use(proof)
        return manifest
      } catch {
        // A host that has never fetched a manifest has none. One that has used one should still have it.
        if floor != nil || error.code != .fileMissing { host.refused.note(user, error) }
      }
    }
    do throws(SignetError) { return try shipped.get() } catch {
      host.refused.note(embedded, error)
      throw error
    }
  }

  /// Verifies a manifest. The bytes are read once: what was verified is what is read.
  private func verify(
    _ path: String, _ identifier: ModuleIdentifier, leastSequence: Int
  ) throws(SignetError) -> VerifiedHostManifest {
    let file = try RegularFile(opening: path)
    let bytes = try file.bytes(limit: Self.manifestLimit)
    let verdict = try Verifier(policy: host.policy, clock: host.store.judgingClock).verify(
      .bytes(bytes), signatures: .beside(path),
      expecting: .hostManifest(identifier: identifier, named: file.baseName, leastSequence: leastSequence))
    switch verdict {
    case .verified(let proof): return proof
    case .refused(let refusal): throw refusal.combined
    }
  }

  /// The greatest size of a manifest in bytes, the same as for signing (docs/format.md, section 2.3).
  private static let manifestLimit = 1 << 20
}
