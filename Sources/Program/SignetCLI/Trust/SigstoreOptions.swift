internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

/// Signers who are known by identities that an instance of Sigstore proves, or by a key whose signatures are in its log.
struct SigstoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The instance of Sigstore that proves who signed: public-good, github, or the file of its trusted root. Default: either of the two.",
      valueName: "instance"), completion: .file())
  var sigstore: String?

  @Option(
    name: [.long, .customLong("github")],
    help: ArgumentHelp("Trust workflows of this repository: OWNER/NAME at GitHub, or its address.", valueName: "name")
  )
  var repository: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --repository: only this workflow, such as .github/workflows/release.yml, or the address of one in another repository.",
      valueName: "path"))
  var workflow: String?

  @Option(
    name: .long,
    help: ArgumentHelp("With --repository: only builds of this tag, or of tags such as 'v*'.", valueName: "pattern"))
  var tag: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Trust this identity, exactly as in the certificate. Repeatable.", valueName: "name"))
  var certificateIdentity: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("With --certificate-identity: who must have established it.", valueName: "uri"))
  var certificateOidcIssuer: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "message: accept signatures of the bytes alone, too, as cosign sign-blob makes them. They say nothing of name, kind or version.",
      valueName: "format"))
  var format: String?

  /// Whether somebody is trusted by an identity, or by a key and a log, or with signatures of the bytes alone.
  var isGiven: Bool { sigstore != nil || repository != nil || !certificateIdentity.isEmpty || format != nil }

  /// What is trusted, for messages.
  var name: String { repository ?? certificateIdentity.first ?? "--sigstore" }

  /// - Parameter hasKey: whether a key is given, too.
  func check(besides hasKey: Bool) throws {
    guard repository != nil || workflow == nil && tag == nil else {
      throw ValidationError("--workflow and --tag go with --repository.")
    }
    guard certificateIdentity.isEmpty == (certificateOidcIssuer == nil) || sigstore == "github" else {
      throw ValidationError("--certificate-identity and --certificate-oidc-issuer go together.")
    }
    guard format == nil || format == SignatureFormat.message.rawValue else {
      throw ValidationError("--format takes message.")
    }
    guard isGiven else { return }
    guard [repository != nil, !certificateIdentity.isEmpty, hasKey].count(where: \.self) == 1 else {
      throw ValidationError("Say who must have signed: one of --repository, --certificate-identity and --key.")
    }
    if let repository, WorkflowIdentity(repository) == nil {
      throw ValidationError("--repository \(repository) is neither OWNER/NAME nor an address.")
    }
    if let tag, !WorkflowIdentity.isRef("refs/tags/\(tag)") {
      throw ValidationError("--tag \(tag) is not a pattern.")
    }
  }

  /// The policy that trusts these signers for everything.
  ///
  /// - Throws: `keyless.root`, `file.…`, `policy.…`.
  func policy(key: PublicKey?, allowsTestKeys: Bool) throws(SignetError) -> TrustPolicy {
    // An identity is as good in one instance as in the other: neither certifies one without its issuer.
    let instances = sigstore == nil && key == nil ? SigstoreInstance.allCases.map(\.rawValue) : [instance]
    var entries: [TrustEntry] = []
    for name in instances {
      let anchor = try anchor(key: key, in: name)
      entries.append(
        try TrustEntry(
          SigstoreInstance(rawValue: name)?.rawValue ?? "sigstore", anchor, scope: .everything, formats: formats))
    }
    return try TrustPolicy(entries: entries, allowsTestKeys: allowsTestKeys)
  }

  /// The formats that are accepted.
  var formats: Set<SignatureFormat> { format == nil ? [.dsse] : [.dsse, .message] }

  /// The instance that is named, or the one that everybody can use.
  var instance: String { sigstore ?? SigstoreInstance.publicGood.rawValue }

  /// The signers, as an instance proves them.
  ///
  /// - Parameters:
  ///   - key: the key that must have signed; nil where identities must.
  ///   - instance: the instance's name, or the file of its trusted root.
  func anchor(key: PublicKey?, in instance: String) throws(SignetError) -> TrustAnchor {
    let source: SigstoreSigners.Source
    if let known = SigstoreInstance(rawValue: instance) {
      source = .instance(known)
    } else {
      source = .root(try Self.root(instance))
    }
    let expected = key.map { ExpectedSigner.key($0) } ?? .identities(identities)
    // Without an instance, the key alone decides; what its bundle has of a log must hold all the same.
    let demands: KeylessDemands? = key != nil && sigstore == nil ? KeylessDemands.key : nil
    return try .vouched(SigstoreSigners(source, expected, demanding: demands))
  }

  private var identities: [ExpectedIdentity] {
    guard let repository, var identity = WorkflowIdentity(repository) else {
      return certificateIdentity.map { ExpectedIdentity($0, issuer: certificateOidcIssuer) }
    }
    identity.workflow = workflow
    identity.ref = tag.map { "refs/tags/\($0)" }
    return [ExpectedIdentity(identity)]
  }

  /// The largest trusted root that is read: one has some 10 KiB, and 64 authorities of each kind some 500.
  private static let rootLimit = 1 << 20

  private static func root(_ path: String) throws(SignetError) -> JSONValue {
    let text = try TrustedContent.read(path, limit: rootLimit).withBytes { Array(copying: $0) }
    do throws(SignetError) {
      _ = try SigstoreRoot(json: text)
      return try JSONReader.read(text, limits: .bundle)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }
}
