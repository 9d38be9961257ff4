package import ArgumentParser
package import Signet
package import SignetBase

/// Who is trusted: a key, those that an authority certifies, or the signers of a trust policy. One of them is given.
package struct TrustSourceOptions: ParsableArguments {
  @OptionGroup package var signers: SignerOptions

  @Option(
    name: .long, help: ArgumentHelp("Trust the signers of this trust policy.", valueName: "path"), completion: .file()
  )
  package var policy: String?

  @OptionGroup package var pin: PolicyPinOptions

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  package var allowTestKeys = false

  package init() {}

  /// Checks that somebody is trusted.
  ///
  /// - Parameter hasOthers: whether the command has other options by which somebody is.
  package func check(hasOthers: Bool = false) throws {
    try signers.check(besides: policy)
    guard signers.count > 0 || policy != nil || hasOthers else { throw SignerOptions.nothingGiven }
    try pin.check(policy)
  }

  /// The policy that results from the options.
  ///
  /// - Throws: `policy.…`, `key.…`, `certificate.…`, `file.…`.
  package func read() throws(SignetError) -> TrustPolicy {
    if let policy { return try pin.policy(policy, allowsTestKeys: allowTestKeys) }
    return try signers.policy(allowsTestKeys: allowTestKeys).policy
  }

  /// The user's name for what is trusted, for messages.
  package var name: String { signers.name ?? policy ?? "" }
}
