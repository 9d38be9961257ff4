internal import ArgumentParser
internal import KeyLineages
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What is trusted, and for what: a key, an authority, or a whole policy.
struct TrustOptions: ParsableArguments {
  @OptionGroup var source: TrustSourceOptions

  @OptionGroup var identities: SigstoreOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --key and an allowed signers file of OpenSSH: only this signer. Default: each that the file names.",
      valueName: "name"))
  var principal: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --key and an allowed signers file of OpenSSH: refuse the keys and certificates of this list, which ssh-keygen -k has made, or which has a key in each line.",
      valueName: "path"), completion: .file())
  var revokedKeys: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The module it must be. With --as file or --type: the module that the file belongs to.",
      valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier?

  @Option(
    name: .long, help: ArgumentHelp("The URI that the file will serve.", valueName: "uri"),
    transform: ModuleURI.argument)
  var uri: ModuleURI?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Verify at this time, or at the start of this day in UTC, such as 2027-01-31. To look back, not to load.",
      valueName: "time"))
  var at: String?

  func validate() throws {
    if source.name.isEmpty, !identities.isGiven {
      throw ValidationError("Give one of --key, --anchor, --policy, --repository and --certificate-identity.")
    }
    try source.check(hasOthers: identities.isGiven)
    try identities.check(besides: source.signers.key != nil)
    if principal != nil || revokedKeys != nil, source.signers.key == nil {
      throw ValidationError("--principal and --revoked-keys go with --key.")
    }
    if identities.isGiven, source.policy != nil || source.signers.anchor != nil {
      throw ValidationError("--policy and --anchor go without --sigstore, --repository and --certificate-identity.")
    }
    if let at, TimeArgument.start(at) == nil { throw ValidationError("--at takes \(TimeArgument.form).") }
  }

  /// What is trusted, for messages.
  var name: String { identities.isGiven ? identities.name : source.name }

  /// What the file is taken for.
  var role: ArtifactRole { ArtifactRole(module: module, uri: uri) }

  /// The time of the verification, if it is not now.
  var time: UnixTime? { at.flatMap { TimeArgument.start($0) } }

  /// A verifier. Files that cannot be read are failures; a policy that is not allowed is a refusal.
  func verifier() throws(SignetError) -> Result<Verifier, SignetError> {
    let clock = time.map { VerificationClock.fixed($0) } ?? .system
    do throws(SignetError) {
      return .success(Verifier(policy: try policy(), clock: clock))
    } catch {
      guard error.code == .keyPinMismatch || Set.aboutPolicies.union(Set.aboutLineages).contains(error.code) else {
        throw error
      }
      return .failure(error)
    }
  }

  private func policy() throws(SignetError) -> TrustPolicy {
    guard identities.isGiven else {
      return try source.read(
        inFormat: identities.otherFormat,
        by: NamedKey.Choice(
          principal: principal, revokedKeys: revokedKeys, allowsTestKeys: source.allowTestKeys))
    }
    return try identities.policy(key: source.signers.trustedKey(), allowsTestKeys: source.allowTestKeys)
  }
}
