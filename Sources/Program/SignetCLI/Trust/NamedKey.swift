internal import OtherSignatures
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Whom `--key` names: the holder of a key, or those whom a file of OpenSSH allows to sign.
enum NamedKey {
  /// A key, with the formats that belong to its form: none for a key in a form of Signet's own.
  case key(PublicKey, Set<SignatureFormat>)
  case allowedSigners(AllowedSigners)

  /// Files of teams have some hundred lines.
  private static let sizeLimit = 1 << 20

  /// Reads a key that is given as text, or its file, which no other user may have put there.
  ///
  /// - Parameters:
  ///   - id: the ID that the key must have; then it does not matter whose file it is.
  ///   - among: who must have signed of those whom a file of OpenSSH allows to, and who must not.
  /// - Throws: `file.others-may-write`, what opening a file throws, `key.…`.
  init(_ argument: String, pinned id: KeyID? = nil, among: Choice = Choice()) throws(SignetError) {
    if MinisignKey.isText(argument) {
      self = try Self.read(Array(argument.utf8), "--key", Choice())
    } else if KeyFile.isText(argument) {
      self = .key(try KeyFile.text(argument), [])
    } else {
      let limit = Self.sizeLimit
      let content =
        id == nil
        ? try TrustedContent.read(argument, limit: limit) : try TrustedContent.readPinned(argument, limit: limit)
      // It may turn out to be a private key, of which no copy is made.
      if PEM.isPresent(in: content) {
        self = .key(try KeyFile.publicKey(content, argument), [])
      } else {
        self = try Self.read(content.withBytes { Array(copying: $0) }, argument, among)
      }
    }
    if let id {
      guard case .key(let key, _) = self else {
        throw SignetError(
          .keyPinMismatch, argument, "names several signers, and no ID can be that of all",
          expected: "a key with the ID \(id)")
      }
      try key.check(pinned: id, argument)
    }
    if let option = among.option, case .key = self {
      throw SignetError(
        .keyUnsupported, argument, "is a key, and \(option) is about a file of OpenSSH with several",
        expected: "an allowed signers file",
        hint: "write one, with a name before the key: echo \"NAME $(cat KEY.pub)\" > ALLOWED_SIGNERS")
    }
  }

  /// Who counts of those whom a file of OpenSSH allows to sign.
  struct Choice {
    /// The only one; nil for each.
    var principal: String?
    /// The file with the keys and certificates that do not count.
    var revokedKeys: String?
    var allowsTestKeys = false

    /// The option that has said something.
    fileprivate var option: String? { principal != nil ? "--principal" : revokedKeys != nil ? "--revoked-keys" : nil }

    fileprivate func revocations() throws(SignetError) -> SSHRevocations? {
      try revokedKeys.map { (path) throws(SignetError) in
        let content = try TrustedContent.read(path, limit: 16 << 20).withBytes { Array(copying: $0) }
        return try SSHRevocations(content, path)
      }
    }
  }

  private static func read(
    _ content: [UInt8], _ object: String, _ among: Choice
  ) throws(SignetError) -> NamedKey {
    do throws(SignetError) {
      if let other = try MinisignKey(content) { return .key(other.key, other.formats) }
    } catch { throw error.about(object) }
    let signers = try AllowedSigners(
      content, principal: among.principal, revoked: among.revocations(), allowsTestKeys: among.allowsTestKeys, object)
    if let signers { return .allowedSigners(signers) }
    guard content.count <= PublicKey.sizeLimit else {
      throw SignetError(.fileTooLarge, object, "is too large", expected: "at most \(PublicKey.sizeLimit) bytes")
    }
    return .key(try KeyFile.publicKey(SecretBytes(content), object), [])
  }

  /// The key, in whatever form it was given.
  ///
  /// - Throws: `key.unsupported` for a file that names several.
  func publicKey() throws(SignetError) -> PublicKey {
    if case .key(let key, _) = self { return key }
    throw SignetError(
      .keyUnsupported, "key", "is an allowed signers file", expected: "one key", hint: "give the key by itself")
  }

  /// The signers, and the formats in which they sign.
  ///
  /// - Parameter format: the format that the user wants; nil for what belongs to the key.
  /// - Throws: `policy.entry` for a file of OpenSSH: a policy has no files of others in it.
  func anchor(
    forPolicyIn format: SignatureFormat?
  ) throws(SignetError) -> (anchor: TrustAnchor, formats: Set<SignatureFormat>) {
    switch self {
    case .key(let key, let own):
      return (.key(key), format.map { [$0.of(key)] } ?? (own.isEmpty ? [.dsse] : own))
    case .allowedSigners:
      throw SignetError(
        .policyEntry, "key", "is an allowed signers file, which a policy cannot have", expected: "a key",
        hint: "add each key of it by itself: --key 'ssh-ed25519 AAAA…' --format ssh:NAMESPACE")
    }
  }

  /// Says of a key that signs in other formats only that it is the key that does not fit: there is no policy to change.
  private func unlessUnsigned(_ make: () throws(SignetError) -> TrustEntry) throws(SignetError) -> TrustEntry {
    do throws(SignetError) { return try make() } catch  where error.code == .policyEntry {
      throw SignetError(
        .keyUnsupported, "--key", "does not sign in the format that --format asks for", expected: error.expected,
        found: error.found, hint: "name the format in which the key signs, or leave --format out")
    }
  }

  /// The entry of a policy that trusts whom it names.
  ///
  /// - Parameter format: the format that the user wants; nil for what belongs to the key.
  func entry(_ name: String, _ format: SignatureFormat?, scope: TrustScope) throws(SignetError) -> TrustEntry {
    if case .allowedSigners(let signers) = self {
      return try unlessUnsigned { () throws(SignetError) in
        try TrustEntry(name, .vouched(signers), scope: scope, formats: [format ?? .ofFiles])
      }
    }
    let (anchor, formats) = try anchor(forPolicyIn: format)
    return try unlessUnsigned { () throws(SignetError) in
      try TrustEntry(name, anchor, scope: scope, formats: formats)
    }
  }
}

extension SignatureFormat {
  /// OpenSSH's format in the namespace that its manual names for files.
  static let ofFiles = SignatureFormat("ssh", "file")

  /// The same format for a key: one that signs a digest has one, and mostly SHA-256.
  func of(_ key: PublicKey) -> SignatureFormat {
    self == .raw && key.algorithm != .ed25519 ? SignatureFormat("raw", "sha256") : self
  }

  /// Reads what `--format` takes besides `message`; nil for anything else.
  static func named(_ text: String) -> SignatureFormat? {
    if text == "ssh" { return .ofFiles }
    return SignatureFormat(rawValue: text).flatMap { $0.isOfOtherProgram ? $0 : nil }
  }
}
