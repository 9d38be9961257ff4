internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What is trusted, and for what: a key, an authority, or a whole policy.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Trust this public key: its file, or the key itself as text.", valueName: "key"),
    completion: .file())
  var key: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The key's ID. Only this key is accepted, no matter who owns or can write its file.", valueName: "SHA256:…"))
  var keyId: KeyIDArgument?

  @Option(
    name: .long, help: ArgumentHelp("Trust signers that this authority certifies (PEM or DER).", valueName: "path"),
    completion: .file())
  var anchor: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --anchor: only this identity, exactly as in the certificate: email:A, uri:U, dns:H or subject:DN. Repeatable.",
      valueName: "name"))
  var identity: [String] = []

  @Flag(name: .long, help: "With --anchor: every signer that it certifies for code signing.")
  var anyLeaf = false

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
    let sources = [key, anchor, policy].compactMap(\.self).count
    guard sources == 1 else { throw ValidationError("Give one of --key, --anchor and --policy.") }
    if keyId != nil, key == nil { throw ValidationError("--key-id goes with --key.") }
    if pin.policySha256 != nil, policy == nil { throw ValidationError("--policy-sha256 goes with --policy.") }
    if anchor != nil, identity.isEmpty != anyLeaf {
      throw ValidationError("With --anchor give --identity or --any-leaf.")
    }
    if anchor == nil, anyLeaf || !identity.isEmpty {
      throw ValidationError("--identity and --any-leaf go with --anchor.")
    }
    for name in identity where SignerIdentity(name) == nil {
      throw ValidationError("--identity \(name) is not an identity.")
    }
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
    if let key {
      return try TrustPolicy(trusting: [publicKey(key)], allowsTestKeys: allowTestKeys)
    }
    let certificates = try Certificate.all(inTrustedFile: anchor ?? "")
    let anchor: TrustAnchor =
      anyLeaf
      ? try .anyLeaf(of: certificates)
      : try .authority(certificates, identities: identity.compactMap { SignerIdentity($0) })
    return try TrustPolicy(
      entries: [TrustEntry("anchor", anchor, scope: .everything)], allowsTestKeys: allowTestKeys)
  }

  private func publicKey(_ key: String) throws(SignetError) -> PublicKey {
    if let keyId { return try KeyFile.publicKey(key, pinned: keyId.id) }
    do throws(SignetError) { return try KeyFile.publicKey(key) } catch  where error.code == .fileOthersMayWrite {
      var error = error
      error.hint = "name the key by its ID, too, once you know which is right: --key-id SHA256:…"
      throw error
    }
  }

  /// The user's name for what is trusted, for messages.
  var name: String { key.map { PublicKey.isText($0) ? "--key" : $0 } ?? anchor ?? policy ?? "" }
}
