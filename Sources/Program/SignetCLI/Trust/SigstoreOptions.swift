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
    name: [.long, .customLong("github"), .customShort("R")],
    help: ArgumentHelp("Trust workflows of this repository: OWNER/NAME at GitHub, or its address.", valueName: "name")
  )
  var repository: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Like --repository, for packages of npm: public-good must prove it.", valueName: "name"))
  var npm: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Like --repository, for packages of PyPI: public-good must prove it.", valueName: "name"))
  var pypi: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --repository: only this workflow, such as release.yml, or OWNER/NAME/PATH of one in another repository.",
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
    help: ArgumentHelp(
      "Who must have established the identity, or certified the workflows of another host than GitHub's and GitLab's.",
      valueName: "uri"))
  var certificateOidcIssuer: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Accept signatures of the bytes alone: message, as cosign sign-blob makes them, besides bundles; with --key also minisign, signify, ssh:NAMESPACE (ssh is ssh:file), or raw (of openssl; raw:sha512 for that digest), and nothing else. They say nothing of name, kind or version.",
      valueName: "format"))
  var format: String?

  /// Whether somebody is trusted by an identity, or by a key and a log, or with signatures of the bytes alone.
  var isGiven: Bool { sigstore != nil || source != nil || !certificateIdentity.isEmpty || isMessage }

  private var isMessage: Bool { format == SignatureFormat.message.rawValue }

  /// The format of another program that signatures must have.
  var otherFormat: SignatureFormat? { format.flatMap { SignatureFormat.named($0) } }

  /// What is trusted, for messages.
  var name: String { source ?? certificateIdentity.first ?? "--sigstore" }

  /// The repository whose workflows are trusted, by whichever option.
  private var source: String? { repository ?? npm ?? pypi }

  private var sourceOption: String { npm != nil ? "--npm" : pypi != nil ? "--pypi" : "--repository" }

  /// The instance that is named. Both registries of packages take signatures of one instance alone.
  private var instance: String? {
    sigstore ?? (npm == nil && pypi == nil ? nil : SigstoreInstance.publicGood.rawValue)
  }

  /// The names of the packages that a registry has; none if no registry is named.
  var packages: [String] { npm != nil ? ["*.tgz"] : pypi != nil ? ["*.whl", "*.tar.gz", "*.zip"] : [] }

  /// - Parameter hasKey: whether a key is given, too.
  func check(besides hasKey: Bool) throws {
    guard source != nil || workflow == nil && tag == nil else {
      throw ValidationError("--workflow and --tag go with --repository.")
    }
    guard [repository, npm, pypi].count(where: { $0 != nil }) <= 1 else {
      throw ValidationError("Give one of --repository, --npm and --pypi.")
    }
    guard certificateOidcIssuer == nil || source != nil || !certificateIdentity.isEmpty else {
      throw ValidationError("--certificate-oidc-issuer goes with --certificate-identity and --repository.")
    }
    guard certificateIdentity.isEmpty || certificateOidcIssuer != nil || sigstore == "github" else {
      throw ValidationError(
        "With --certificate-identity say by --certificate-oidc-issuer who must have established it.")
    }
    guard format == nil || isMessage || otherFormat != nil else {
      throw ValidationError("--format takes message, minisign, signify, ssh:NAMESPACE, raw or raw:DIGEST.")
    }
    guard otherFormat == nil || hasKey && !isGiven else {
      throw ValidationError("--format \(format ?? "") goes with --key alone.")
    }
    guard isGiven else { return }
    guard [source != nil, !certificateIdentity.isEmpty, hasKey].count(where: \.self) == 1 else {
      throw ValidationError("Say who must have signed: one of --repository, --certificate-identity and --key.")
    }
    if let source {
      _ = try Self.workflow(of: source, by: sourceOption, issuer: certificateOidcIssuer, workflow, tag)
    }
  }

  /// The workflows that are named.
  ///
  /// - Parameter option: the option that names the repository.
  private static func workflow(
    of repository: String, by option: String, issuer: String?, _ workflow: String?, _ tag: String?
  ) throws -> WorkflowIdentity {
    guard var identity = WorkflowIdentity(repository) else {
      throw ValidationError("\(option) \(repository) is neither OWNER/NAME nor an address.")
    }
    if let issuer { identity.issuer = issuer }
    guard !identity.issuer.isEmpty else {
      throw ValidationError("Say by --certificate-oidc-issuer who certifies the workflows of \(identity.repository).")
    }
    if let workflow, !identity.take(workflow: workflow) {
      throw ValidationError("--workflow \(workflow) is not the file of a workflow, without a ref.")
    }
    if let tag {
      let prefix = "refs/tags/"
      let ref = tag.hasPrefix(prefix) ? tag : prefix + tag
      guard WorkflowIdentity.isRef(ref) else { throw ValidationError("--tag \(tag) is not a pattern.") }
      identity.ref = ref
    }
    return identity
  }

  /// The policy that trusts these signers for everything.
  ///
  /// - Throws: `keyless.root`, `file.…`, `policy.…`.
  func policy(key: PublicKey?, allowsTestKeys: Bool) throws(SignetError) -> TrustPolicy {
    let entry = try TrustEntry(
      SigstoreInstance(rawValue: instance ?? "")?.rawValue ?? "sigstore", anchor(key: key), scope: .everything,
      formats: formats)
    return try TrustPolicy(entries: [entry], allowsTestKeys: allowsTestKeys)
  }

  /// The formats that are accepted.
  var formats: Set<SignatureFormat> { isMessage ? [.dsse, .message] : [.dsse] }

  /// The signers, as an instance proves them.
  ///
  /// - Parameter key: the key that must have signed; nil where identities must.
  func anchor(key: PublicKey?) throws(SignetError) -> TrustAnchor {
    let sources: [SigstoreSigners.Source]
    if let name = instance {
      if let known = SigstoreInstance(rawValue: name) {
        sources = [.instance(known)]
      } else {
        sources = [.root(try Self.root(name))]
      }
    } else {
      // An identity is as good in one instance as in the other: neither certifies one without its issuer.
      sources = key == nil ? SigstoreInstance.allCases.map { .instance($0) } : [.instance(.publicGood)]
    }
    let expected = key.map { ExpectedSigner.key($0) } ?? .identities(identities)
    // Without an instance, the key alone decides; what its bundle has of a log must hold all the same.
    let demands: KeylessDemands? = key != nil && instance == nil ? KeylessDemands.key : nil
    return try .vouched(SigstoreSigners(sources, expected, demanding: demands))
  }

  private var identities: [ExpectedIdentity] {
    guard let source,
      let identity = try? Self.workflow(of: source, by: sourceOption, issuer: certificateOidcIssuer, workflow, tag)
    else { return certificateIdentity.map { ExpectedIdentity($0, issuer: certificateOidcIssuer) } }
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
