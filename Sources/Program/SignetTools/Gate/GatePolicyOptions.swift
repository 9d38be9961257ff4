internal import ArgumentParser
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

/// What a release is checked against: a key, an authority, or a whole policy.
struct GatePolicyOptions: ParsableArguments {
  @OptionGroup var signers: SignerOptions

  @Option(
    name: .long, help: ArgumentHelp("Check against this release policy or trust policy.", valueName: "path"),
    completion: .file())
  var policy: String?

  @OptionGroup var pin: PolicyPinOptions

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  var allowTestKeys = false

  func validate() throws {
    try signers.check(besides: policy)
    try pin.check(policy)
  }

  /// Whether nothing was given.
  var isEmpty: Bool { files.isEmpty }

  /// The policy, and how reports call it.
  ///
  /// - Throws: `policy.…`, `key.…`, `certificate.…`, `file.…`.
  func read() throws(SignetError) -> (policy: ReleasePolicy, reference: GateReport.Policy) {
    if let policy {
      let file: ReleasePolicyFile
      if let pin = pin.policySha256?.digest {
        file = try ReleasePolicyFile(policy, pinned: pin, allowsTestKeys: allowTestKeys)
      } else {
        file = try trusted(policy)
      }
      return (file.policy, GateReport.Policy(name: policy, sha256: file.sha256))
    }
    let trusted = try signers.policy(allowsTestKeys: allowTestKeys)
    return (ReleasePolicy(trust: trusted.policy), GateReport.Policy(name: trusted.name, sha256: nil))
  }

  private func trusted(_ path: String) throws(SignetError) -> ReleasePolicyFile {
    do throws(SignetError) {
      return try ReleasePolicyFile(trusted: path, allowsTestKeys: allowTestKeys)
    } catch  where error.code == .fileOthersMayWrite {
      var error = error
      error.hint = "name the policy by its digest, too, once you know which is right: --policy-sha256 HEX"
      throw error
    }
  }

  /// The files that decide, and that nothing else names by their content.
  var unpinnedFiles: [String] { signers.unpinnedFiles + (pin.policySha256 == nil ? [policy].compactMap(\.self) : []) }

  /// The files that decide, which no output replaces.
  var files: [String] { signers.files + [policy].compactMap(\.self) }
}
