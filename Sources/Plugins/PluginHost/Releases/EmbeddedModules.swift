internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The releases that ship with a host, as archives in a directory.
///
/// They are treated like any other archive: a release has to be accepted, and newer than what is installed.
struct EmbeddedModules: Sendable {
  private let host: HostContext

  init(_ host: HostContext) { self.host = host }

  /// Installs releases that are newer than what is installed. Refusals are reported.
  func install() {
    var refusal: SignetError?
    defer { host.records.noteEmbedded(refusal) }
    guard let path = host.configuration.embedded else { return }
    let names: [String]
    do throws(SignetError) { names = try Directory(opening: path).entryNames() } catch {
      host.records.tell(.notice(error))
      refusal = error
      return
    }
    for name in names where ArchiveName.isArchive(name) {
      do throws(SignetError) { try install(path + "/" + name) } catch { refusal = refusal ?? error }
    }
  }

  /// Looks at what ships with the host, unless that was done. It counts even before the host takes stock.
  func know() { if !host.records.knowsEmbedded { install() } }

  private func install(_ path: String) throws(SignetError) {
    do throws(SignetError) {
      let verified = try self.verified(path, nil)
      let module = verified.module.identifier
      host.records.note(module, EmbeddedRelease(sequence: verified.module.sequence, path: path))
      // A release that is installed already is verified when it is loaded.
      guard try host.store.highestSequence(of: module).map({ $0 <= verified.module.sequence }) ?? true,
        try !host.store.lists(verified)
      else { return }
      try install(verified)
    } catch {
      host.refused.note(path, error)
      throw error
    }
  }

  private func verified(
    _ path: String, _ module: ModuleIdentifier?
  ) throws(SignetError) -> VerifiedModule {
    let verdict = try Verifier(policy: host.policy, clock: host.store.judgingClock, limits: host.configuration.limits)
      .verify(
        .file(RegularFile(opening: path)), signatures: .beside(path), expecting: .module(module, named: path))
    switch verdict {
    case .verified(let verified): return verified
    case .refused(let refusal): throw refusal.combined
    }
  }

  /// The release of a module to load: from the store, or the one that ships with the host if that is newer.
  ///
  /// The latter was not installed while the store listed a higher one, which may no longer be accepted, or have
  /// crashed.
  func candidate(_ module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    let embedded = host.records.embedded(module)
    let active: ActiveRelease
    do throws(SignetError) {
      active = try host.store.choose(module, embedded: embedded?.sequence)
    } catch {
      guard let embedded else { throw error }
      active = try mended(module, by: embedded, error)
    }
    if let newer = active.insteadOf, host.records.fallsBack(module, from: newer) {
      host.records.tell(.fallback(module, sequence: active.release.sequence, insteadOf: newer))
    }
    return active.release
  }

  /// Installs the release that ships with the host, if it is missing or damaged in the store, and chooses again.
  private func mended(
    _ module: ModuleIdentifier, by embedded: EmbeddedRelease, _ reason: SignetError
  ) throws(SignetError) -> ActiveRelease {
    do throws(SignetError) {
      try install(verified(embedded.path, module))
    } catch {
      // The reason against the highest release says more, unless that release is only older.
      guard reason.code == .policyRollback, error.code != .moduleCrashed else { throw reason }
      throw SignetError(
        .policyRollback, "\(module)", "is older than the release that ships with the host, which cannot be installed",
        expected: reason.expected, found: reason.found, cause: error,
        hint: "install a release that is as new as the host's, and accepted")
    }
    return try host.store.choose(module, embedded: embedded.sequence)
  }

  /// Installs a release that ships with the host. It replaces another release with its sequence, and repairs a damaged
  /// one.
  private func install(_ verified: VerifiedModule) throws(SignetError) {
    do throws(SignetError) {
      try host.store.installSoon(verified)
    } catch  where error.code == .storeDamaged {
      try host.store.repair(from: verified)
    } catch  where error.code == .storeSequenceConflict {
      try host.store.remove(verified.module.identifier, sequence: verified.module.sequence)
      try host.store.installSoon(verified)
    }
  }

  /// Checks that a release is not older than the one that ships with the host.
  ///
  /// - Parameter name: the name of the release, for messages.
  /// - Throws: `policy.rollback`.
  func checkNotOlder(_ module: ModuleDescription, named name: String) throws(SignetError) {
    know()
    guard let embedded = host.records.embedded(module.identifier), module.sequence < embedded.sequence else { return }
    throw SignetError(
      .policyRollback, name, "is older than the release that ships with the host",
      expected: "sequence \(embedded.sequence) or more",
      found: "\(module.sequence)", hint: "get the current release")
  }
}

/// Names of files that may be archives.
enum ArchiveName {
  private static let suffixes = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst"]

  static func isArchive(_ name: String) -> Bool {
    suffixes.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
  }
}

extension HostContext {
  /// The releases that ship with the host.
  var embedded: EmbeddedModules { EmbeddedModules(self) }
}
