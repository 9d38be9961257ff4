package import ArgumentParser
internal import KeyLineages
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

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --key or --policy: trust the keys that a trusted key has introduced in this lineage, too. Repeatable.",
      valueName: "path"), completion: .file())
  var lineage: [String] = []

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
    if signers.key == nil, policy == nil, !lineage.isEmpty {
      throw ValidationError("--lineage goes with --key and --policy.")
    }
  }

  /// The policy that results from the options.
  ///
  /// - Throws: `policy.…`, `lineage.…`, `key.…`, `certificate.…`, `file.…`.
  package func read() throws(SignetError) -> TrustPolicy {
    try read { () throws(SignetError) in try signers.policy(allowsTestKeys: allowTestKeys).policy }
  }

  /// The same for a command that verifies signatures of other programs, too.
  ///
  /// - Parameters:
  ///   - format: the format of another program that signatures must have; nil for Signet's own, or the key's.
  ///   - choice: who counts of those whom a file of OpenSSH allows to sign.
  func read(inFormat format: SignatureFormat?, by choice: NamedKey.Choice) throws(SignetError) -> TrustPolicy {
    try read { () throws(SignetError) in
      try signers.policy(allowsTestKeys: allowTestKeys, inFormat: format, by: choice)
    }
  }

  private func read(_ named: () throws(SignetError) -> TrustPolicy) throws(SignetError) -> TrustPolicy {
    var read = if let policy { try pin.policy(policy, allowsTestKeys: allowTestKeys) } else { try named() }
    for path in lineage { read = try read.following(LineageFile.read(path)) }
    return read
  }

  /// The user's name for what is trusted, for messages.
  package var name: String { signers.name ?? policy ?? "" }
}
