internal import ModuleStore
public import Signet
public import SignetBase
internal import SignetSystem

extension PluginHost {
  /// Verifies an archive and installs it. Code takes effect at the next start, where a release of the module is loaded; a module without code
  /// at the next ``load(_:)``.
  ///
  /// - Parameters:
  ///   - path: the archive, with its signature in it or beside it.
  ///   - signature: a file with bundles, where they stand elsewhere.
  ///   - module: the module it must be; nil for any that its signers may speak for.
  /// - Returns: which module it is, and its sequence.
  /// - Throws: why it is refused: `signature.…`, `policy.…`, `digest.…`, `archive.…`, `module.…`, `store.…`; what reading throws.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func install(
    _ path: String, signature: String? = nil, module: ModuleIdentifier? = nil
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try install(
      .file(RegularFile(opening: path)), signature.map { .file($0) } ?? .beside(path), module, named: path)
  }

  /// - Parameter item: what was offered, where it was fetched.
  func install(
    _ artifact: Artifact, _ signatures: SignatureSource, _ module: ModuleIdentifier?, named name: String,
    of item: DownloadItem? = nil
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    var known = module
    var sequence: Int?
    do throws(SignetError) {
      if let module { records.note(module, .verifying) }
      if let item, let file = artifact.file { try item.check(file) }
      let verdict = try Verifier(policy: policy, clock: store.judgingClock, limits: configuration.limits).verify(
        artifact, signatures: signatures, expecting: .module(module, named: name))
      let verified: VerifiedModule
      switch verdict {
      case .verified(let proof): verified = proof
      case .refused(let refusal): throw refusal.combined
      }
      known = verified.module.identifier
      sequence = verified.module.sequence
      if module == nil { records.note(verified.module.identifier, .verifying) }
      try item?.check(verified.module)
      try checkEmbedded(verified.module, name)
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
      records.refuse(
        RefusedModule(
          identifier: known, sequence: sequence, source: name, reason: error, time: configuration.clock.now()))
      throw error
    }
  }

  /// What the module was before something of it was refused: the release that is installed is none the worse for it.
  private func restore(_ module: ModuleIdentifier, _ error: SignetError) {
    let offered = [ModuleStatus.verifying, .installing]
    guard offered.contains(records.status(of: module)) else { return }
    if let failure = records.failure(of: module) {
      records.note(module, failure.status, failure.reason, from: offered)
    } else if (try? store.active(module)) != nil {
      records.note(module, .installed, from: offered)
    } else if records.note(module, .refused, error, from: offered) {
      refuseURLs(of: module, error)
    }
  }

  /// A release that is older than the one that ships with the host loses.
  private func checkEmbedded(_ module: ModuleDescription, _ name: String) throws(SignetError) {
    knowEmbedded()
    guard let embedded = records.embedded(module.identifier), module.sequence < embedded.sequence else { return }
    throw SignetError(
      .policyRollback, name, "is older than the release that ships with the host",
      expected: "sequence \(embedded.sequence) or more",
      found: "\(module.sequence)", hint: "get the current release")
  }
}
