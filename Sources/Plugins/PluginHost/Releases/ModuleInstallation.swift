internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The installation of archives in a host: each is verified and then installed. Refusals are reported.
struct ModuleInstallation: Sendable {
  private let host: HostContext
  /// What lets a release be signed with less than the one before it.
  private let exceptions: ContinuityExceptions

  init(_ host: HostContext, except exceptions: ContinuityExceptions = ContinuityExceptions()) {
    (self.host, self.exceptions) = (host, exceptions)
  }

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
      if let module { host.records.note(module, .verifying) }
      if let item, let file = artifact.file { try item.checkArchive(file) }
      let verdict = try Verifier(
        policy: host.policy, clock: host.store.judgingClock, limits: host.configuration.limits
      ).verify(
        artifact, signatures: signatures, expecting: .module(module, named: name))
      let verified: VerifiedModule
      switch verdict {
      case .verified(let proof): verified = proof
      case .refused(let refusal): throw refusal.combined
      }
      known = verified.module.identifier
      sequence = verified.module.sequence
      if module == nil { host.records.note(verified.module.identifier, .verifying) }
      try item?.checkModule(verified.module)
      try host.embedded.checkNotOlder(verified.module, named: name)
      host.records.note(verified.module.identifier, .installing)
      let installed = try host.store.install(verified, except: exceptions(for: verified.module)) {
        host.records.tell(.notice($0))
      }
      // A release that is in use stays in use.
      if !host.records.note(installed.module.identifier, .installed),
        [.loading, .loaded].contains(host.records.status(of: installed.module.identifier))
      {
        host.records.tell(.update(installed.module.identifier, sequence: installed.sequence))
      }
      return (installed.module.identifier, installed.sequence)
    } catch {
      if let known { restore(known, error) }
      host.refused.note(name, error, of: known, sequence: sequence)
      throw error
    }
  }

  /// The exceptions for a release: those of the caller, and the waiver that was published with it.
  private func exceptions(for module: ModuleDescription) -> ContinuityExceptions {
    guard exceptions.waiver == nil, let waiver = host.waivers.withLock({ $0[module.identifier] }),
      waiver.sequence == module.sequence
    else { return exceptions }
    return ContinuityExceptions(waiver: waiver.text, isNamed: exceptions.isNamed)
  }

  /// Restores the status of a module after an archive of it was refused. The installed release is not affected.
  private func restore(_ module: ModuleIdentifier, _ error: SignetError) {
    let offered = [ModuleStatus.verifying, .installing]
    guard offered.contains(host.records.status(of: module)) else { return }
    if let failure = host.records.failure(of: module) {
      host.records.note(module, failure.status, failure.reason, from: offered)
    } else if (try? host.store.active(module)) != nil {
      host.records.note(module, .installed, from: offered)
    } else if host.records.note(module, .refused, error, from: offered) {
      host.refused.refuseURLs(of: module, error)
    }
  }
}
