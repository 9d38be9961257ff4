package import ArgumentParser
internal import Keyless
internal import OtherSignatures
package import Signet
package import SignetBase
internal import SignetCrypto
internal import SignetOCSP

/// Signers that are trusted for everything: a key, or those that an authority certifies.
package struct SignerOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Trust this public key: its file, or the key itself as text.", valueName: "key"),
    completion: .file())
  package var key: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The key's ID. Only this key is accepted, no matter who owns or can write its file.", valueName: "SHA256:…"))
  var keyId: KeyIDArgument?

  @Option(
    name: .long, help: ArgumentHelp("Trust signers that this authority certifies (PEM or DER).", valueName: "path"),
    completion: .file())
  package var anchor: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --anchor: only this identity, exactly as in the certificate: email:A, uri:U, dns:H or subject:DN. Repeatable.",
      valueName: "name"))
  package var identity: [String] = []

  @Flag(name: .long, help: "With --anchor: every signer that it certifies for code signing.")
  var anyLeaf = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --key or --anchor: a signature that the authority of this certificate has stamped is judged at that time. Repeatable.",
      valueName: "path"), completion: .file())
  var timestampAuthority: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --anchor: refuse certificates that this list revokes: a file, or a folder of lists. Repeatable.",
      valueName: "path"), completion: .file())
  var revocationList: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --anchor: apply this OCSP response (RFC 6960, DER) to the certificate that it is about: a file, or a folder of them. Repeatable.",
      valueName: "path"), completion: .file())
  var statusResponse: [String] = []

  package init() {}

  package func validate() throws {
    if key.map(StandardInput.isMeant) ?? false {
      throw ValidationError("--key takes a file, or the key itself as text, and no standard input.")
    }
    if keyId != nil, key == nil { throw ValidationError("--key-id goes with --key.") }
    if anchor != nil, identity.isEmpty != anyLeaf {
      throw ValidationError("With --anchor give --identity or --any-leaf.")
    }
    if anchor == nil, anyLeaf || !identity.isEmpty {
      throw ValidationError("--identity and --any-leaf go with --anchor.")
    }
    if files.isEmpty, !timestampAuthority.isEmpty {
      throw ValidationError("--timestamp-authority goes with --key and --anchor; a policy has its own.")
    }
    if anchor == nil, !revocationList.isEmpty {
      throw ValidationError("--revocation-list goes with --anchor; a policy has its own.")
    }
    if anchor == nil, !statusResponse.isEmpty {
      throw ValidationError("--status-response goes with --anchor; a policy has its own.")
    }
    for name in identity where SignerIdentity(name) == nil {
      throw ValidationError("--identity \(name) is not an identity.")
    }
  }

  /// The error of a command line that names nobody who is trusted.
  package static let nothingGiven = ValidationError("Give one of --key, --anchor and --policy.")

  /// Checks that nobody else is trusted beside the signers of a policy.
  package func check(besides policy: String?) throws {
    guard count + (policy == nil ? 0 : 1) <= 1 else { throw Self.nothingGiven }
  }

  /// The number of what was given of ``key`` and ``anchor``.
  package var count: Int { files.count }

  /// The files that decide. A key may be a text instead.
  package var files: [String] { [key, anchor].compactMap(\.self) }

  /// The files that decide, and that nothing else names by their content.
  package var unpinnedFiles: [String] { [keyId == nil ? key : nil, anchor].compactMap(\.self) }

  /// The user's name for what is trusted, for messages; nil if nothing was given.
  package var name: String? {
    key.map { KeyFile.isText($0) || MinisignKey.isText($0) ? "--key" : $0 } ?? anchor
  }

  /// A policy that trusts the signers for everything, and what reports call it. It trusts nobody if nothing was given.
  ///
  /// - Throws: `policy.…`, `key.…`, `certificate.…`, `file.…`.
  package func policy(allowsTestKeys: Bool) throws(SignetError) -> (policy: TrustPolicy, name: String) {
    guard let key = try trustedKey() else { return try certified(allowsTestKeys: allowsTestKeys) }
    let policy = try TrustPolicy(trusting: [key], allowsTestKeys: allowsTestKeys)
    return (try withTerms(policy), "--key \(key.id)")
  }

  /// The policy of a command that verifies signatures of other programs, too: by keys of theirs.
  ///
  /// - Parameters:
  ///   - format: the format of another program that signatures must have; nil for Signet's own, or the key's.
  ///   - choice: who counts of those whom a file of OpenSSH allows to sign.
  func policy(
    allowsTestKeys: Bool, inFormat format: SignatureFormat?, by choice: NamedKey.Choice
  ) throws(SignetError) -> TrustPolicy {
    switch try namedKey(choice) {
    case .key(let key, [])? where format == nil:
      return try withTerms(TrustPolicy(trusting: [key], allowsTestKeys: allowsTestKeys))
    case let named?:
      let entry = try named.entry("key", format, scope: .everything)
      return try withTerms(TrustPolicy(entries: [entry], allowsTestKeys: allowsTestKeys))
    case nil: return try certified(allowsTestKeys: allowsTestKeys).policy
    }
  }

  private func certified(allowsTestKeys: Bool) throws(SignetError) -> (policy: TrustPolicy, name: String) {
    guard let anchor else { return (try TrustPolicy(entries: []), "") }
    let certificates = try Certificate.all(inTrustedFile: anchor)
    let trusted: TrustAnchor =
      anyLeaf
      ? try .anyLeaf(of: certificates)
      : try .authority(certificates, identities: identity.compactMap { SignerIdentity($0) })
    let entries = [try TrustEntry("anchor", trusted, scope: .everything)]
    let policy = try TrustPolicy(entries: entries, allowsTestKeys: allowsTestKeys)
    return (try withTerms(policy), "--anchor \(anchor)")
  }

  /// The policy with the authorities of timestamps, the revocation lists and the OCSP responses that were given.
  private func withTerms(_ policy: TrustPolicy) throws(SignetError) -> TrustPolicy {
    guard !timestampAuthority.isEmpty || !revocationList.isEmpty || !statusResponse.isEmpty else { return policy }
    var terms = policy.terms
    // Each is asked: an old one beside a new one takes nothing back.
    terms.revocationLists = try RevocationFiles.lists.read(revocationList)
    terms.statusResponses = try .ocsp(RevocationFiles.responses.read(statusResponse).map(\.der))
    terms.timestampAuthorities = try TimestampOptions.authorities(timestampAuthority)
    terms.timestamps = .rfc3161
    return try policy.with(terms)
  }

  /// The key; nil if none is given.
  ///
  /// - Throws: `key.…`, `file.…`.
  func trustedKey() throws(SignetError) -> PublicKey? {
    guard let key else { return nil }
    if let keyId { return try KeyFile.publicKey(key, pinned: keyId.id) }
    return try hintingAtPin { () throws(SignetError) in try KeyFile.publicKey(key) }
  }

  /// Whom the key names; nil if none is given.
  private func namedKey(_ choice: NamedKey.Choice) throws(SignetError) -> NamedKey? {
    guard let key else { return nil }
    return try hintingAtPin { () throws(SignetError) in
      try NamedKey(key, pinned: keyId?.id, among: choice)
    }
  }

  private func hintingAtPin<Value>(_ read: () throws(SignetError) -> Value) throws(SignetError) -> Value {
    do throws(SignetError) { return try read() } catch  where error.code == .fileOthersMayWrite {
      // No ID is that of several.
      guard let key, !AllowedSigners.isFile(key) else { throw error }
      var error = error
      error.hint = "name the key by its ID, too, once you know which is right: --key-id SHA256:…"
      throw error
    }
  }
}
