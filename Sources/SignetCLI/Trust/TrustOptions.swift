internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What is trusted, and for what: a key, an authority, or a whole policy.
struct TrustOptions: ParsableArguments {
  @OptionGroup var signers: SignerOptions

  @Option(
    name: .long, help: ArgumentHelp("Trust the signers of this trust policy.", valueName: "path"), completion: .file()
  )
  var policy: String?

  @OptionGroup var pin: PolicyPinOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The module it must be. With --as file or --type: the module that the file belongs to.",
      valueName: "identifier"))
  var module: String?

  @Option(name: .long, help: ArgumentHelp("The URI that the file will serve.", valueName: "uri"))
  var uri: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Verify at this time, or at the start of this day in UTC, such as 2027-01-31. To look back, not to load.",
      valueName: "time"))
  var at: String?

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  var allowTestKeys = false

  func validate() throws {
    guard signers.count + (policy == nil ? 0 : 1) == 1 else {
      throw ValidationError("Give one of --key, --anchor and --policy.")
    }
    if pin.policySha256 != nil, policy == nil { throw ValidationError("--policy-sha256 goes with --policy.") }
    if let at, TimeArgument.start(at) == nil { throw ValidationError("--at takes \(TimeArgument.form).") }
    if let module, ModuleIdentifier(module) == nil {
      throw ValidationError("--module takes an identifier such as com.example.player.")
    }
    if let uri, ModuleURI(uri) == nil {
      throw ValidationError("--uri takes a URI such as https://example.com/player, without query, user and dots.")
    }
  }

  /// What the file is taken for.
  var role: ArtifactRole {
    ArtifactRole(module: module.flatMap { ModuleIdentifier($0) }, uri: uri.flatMap { ModuleURI($0) })
  }

  /// The time of the verification, if it is not now.
  var time: UnixTime? { at.flatMap { TimeArgument.start($0) } }

  /// A verifier. Files that cannot be read are failures; a policy that is not allowed is a refusal.
  func verifier() throws(SignetError) -> Result<Verifier, SignetError> {
    let clock = time.map { VerificationClock.fixed($0) } ?? .system
    do throws(SignetError) {
      return .success(Verifier(policy: try whole(), clock: clock))
    } catch {
      guard error.code == .keyPinMismatch || Set.aboutPolicies.contains(error.code) else { throw error }
      return .failure(error)
    }
  }

  /// The policy that results from the options.
  private func whole() throws(SignetError) -> TrustPolicy {
    if let policy { return try pin.policy(policy, allowsTestKeys: allowTestKeys) }
    return try signers.policy(allowsTestKeys: allowTestKeys).policy
  }

  /// The user's name for what is trusted, for messages.
  var name: String { signers.name ?? policy ?? "" }
}
