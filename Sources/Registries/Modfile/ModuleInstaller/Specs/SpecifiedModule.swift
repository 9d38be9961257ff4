internal import ModuleResolver
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem

/// A release that a spec describes, with the files of one of its forms.
struct SpecifiedModule: Sendable {
  let offer: SpecOffers.Offer
  let requirements: [SpecOffers.Requirement]
  /// The releases that it is installed with.
  let chosen: ChosenReleases
  let form: Form

  /// The files that are used.
  enum Form: Sendable {
    /// The module's file, and the bundles beside it.
    case binary(SpecBinaryFetch.File)
    /// The files of the commit that the spec names: those of the module, from the folder of its spec.
    case sources(GitTree, from: GitProgram)
  }

  private var name: String { "\(offer.identifier) \(offer.spec.version)" }

  /// Checks that a module's description is that of the spec's release, and that what it requires was chosen.
  ///
  /// - Throws: `install.other-module`, `install.unmet`.
  func check(_ module: ModuleDescription) throws(SignetError) {
    func words(
      _ identifier: ModuleIdentifier, version: SemanticVersion, sequence: Int?, required: [ModuleRequirement]
    ) -> String {
      (["\(identifier) \(version), sequence \(sequence.map(String.init) ?? "unknown")"]
        + required.map { "requires \($0)" }).joined(separator: ", ")
    }
    let required = module.requirements.modules
      .sorted { "\($0.identifier)".precedesInBytes("\($1.identifier)") }
    // A dependency without a range leaves the range to the description.
    let stated = requirements.map { requirement in
      guard requirement.leavesRangeOpen else { return requirement.module }
      return required.first { $0.identifier == requirement.module.identifier } ?? requirement.module
    }
    let expected = words(
      offer.identifier, version: offer.spec.version, sequence: offer.spec.sequence, required: stated)
    let found = words(module.identifier, version: module.version, sequence: module.sequence, required: required)
    guard expected.isExactly(found) else {
      throw SignetError(
        .installOtherModule, name, "is not the module that its spec describes", expected: expected, found: found,
        hint: "ask the module's publisher")
    }
    try chosen.check(module, called: name)
  }

  /// Verifies the module's file.
  ///
  /// - Throws: why it is refused; what ``SpecOffers/Offer/verify(by:)`` and ``check(_:)`` throw; `install.spec` if it has
  ///   no code for this machine; `digest.mismatch`; `file.…`.
  func verified(_ binary: SpecBinaryFetch.File, by verifier: Verifier) throws(SignetError) -> VerifiedBinary {
    try offer.verify(by: verifier)
    let verified: VerifiedBinary
    do throws(SignetError) {
      verified = try VerifiedBinary(
        binary.path, offer.spec.binary?.sha256, signatures: .beside(binary.bundles), of: offer.identifier,
        called: name,
        by: verifier)
    } catch  where error.code == .signatureMissing {
      // Where the cache keeps it is of no help.
      var error = error
      error.expected = offer.spec.binary.map { BundleFile.single($0.url) }
      throw error
    }
    try check(verified.module)
    guard verified.module.isForThisMachine else {
      throw SignetError(
        .installSpec, name, "has a binary without code for this machine",
        expected: ModulePlatform.current.map { "\($0)" },
        found: verified.module.binaries.keys.map { "\($0)" }.sorted().joined(separator: ", "),
        hint: "use it as source: leave use_lib unset, and set NAME_use_lib=1 for other modules")
    }
    return verified
  }

  /// Whether the spec names a binary that may be for this machine, as far as the commit's description says.
  private func hasUsefulBinary(_ tree: GitTree, _ git: GitProgram) -> Bool {
    guard offer.spec.binary != nil else { return false }
    return (try? description(in: tree, git))?.isForThisMachine ?? true
  }

  /// The description beside the spec in the commit.
  ///
  /// - Throws: `install.spec` if the commit has no description; `json.…`, `module.…`; `git.…`.
  private func description(in tree: GitTree, _ git: GitProgram) throws(SignetError) -> ModuleDescription {
    let text = try tree.bytes(of: ModuleDescription.path, from: git, limit: JSONLimits.moduleDescription.size)
    guard let text else {
      throw SignetError(
        .installSpec, name, "comes from a commit without \(ModuleDescription.path) beside its spec",
        hint: "ask the module's publisher")
    }
    return try ModuleDescription(json: text)
  }

  /// Verifies the files of the commit by way of the spec.
  ///
  /// - Throws: what ``SpecOffers/Offer/verify(by:)`` and ``check(_:)`` throw; `install.no-summary`, `install.override`; `signer.revoked` and
  ///   so on for what the policy revokes; `git.…`.
  func verify(_ tree: GitTree, _ git: GitProgram, by verifier: Verifier) throws(SignetError) {
    guard verifier.policy.summary == nil else {
      throw SignetError(
        .installNoSummary, name, "would be used as source, and the policy demands what a gate says of binaries",
        hint: BinaryChoice.hint(of: offer.identifier, hasBinary: hasUsefulBinary(tree, git)))
    }
    try offer.verify(by: verifier)
    try verifier.policy.check(notRevoked: [offer.release.digest, offer.spec.binary?.sha256].compactMap(\.self), name)
    try check(description(in: tree, git))
  }
}
