internal import ModuleStore
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// The installation of archives in a host: each is verified and then installed. Refusals are reported.
struct ModuleInstallation: Sendable {
  let policy: TrustPolicy
  let store: ModuleStore
  let limits: ArchiveLimits
  let records: HostRecords
  let embedded: EmbeddedModules
  let refused: RefusedModules

  /// Verifies an archive and installs it.
  ///
  /// - Parameters:
  ///   - module: the module it must be; nil for any that its signers may speak for.
  ///   - item: the offer for which the archive was fetched, if it was.
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: the reason for a refusal, which is noted; errors of reading.
  func install(
    _ artifact: Artifact, _ signatures: SignatureSource, _ module: ModuleIdentifier?, named name: String,
    of item: DownloadItem? = nil
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    var known = module
    var sequence: Int?
    do throws(SignetError) {
      if let module { records.note(module, .verifying) }
      if let item, let file = artifact.file { try item.checkArchive(file) }
      let verdict = try Verifier(policy: policy, clock: store.judgingClock, limits: limits).verify(
        artifact, signatures: signatures, expecting: .module(module, named: name))
      let verified: VerifiedModule
      switch verdict {
      case .verified(let proof): verified = proof
      case .refused(let refusal): throw refusal.combined
      }
      known = verified.module.identifier
      sequence = verified.module.sequence
      if module == nil { records.note(verified.module.identifier, .verifying) }
      try item?.checkModule(verified.module)
      try embedded.checkNotOlder(verified.module, named: name)
      records.note(verified.module.identifier, .installing)
      let installed = try store.install(verified)
      // A release that is in use stays in use.
      if !records.note(installed.module.identifier, .installed),
        [.loading, .loaded].contains(records.status(of: installed.module.identifier))
      {
        records.tell(.update(installed.module.identifier, sequence: installed.sequence))
      }
      return (installed.module.identifier, installed.sequence)
    } catch {
      if let known { restore(known, error) }
      refused.note(name, error, of: known, sequence: sequence)
      throw error
    }
  }

  /// Restores the status of a module after an archive of it was refused. The installed release is not affected.
  private func restore(_ module: ModuleIdentifier, _ error: SignetError) {
    let offered = [ModuleStatus.verifying, .installing]
    guard offered.contains(records.status(of: module)) else { return }
    if let failure = records.failure(of: module) {
      records.note(module, failure.status, failure.reason, from: offered)
    } else if (try? store.active(module)) != nil {
      records.note(module, .installed, from: offered)
    } else if records.note(module, .refused, error, from: offered) {
      refused.refuseURLs(of: module, error)
    }
  }
}
