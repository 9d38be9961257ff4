public import SignetBase
public import SignetCrypto
public import SignetSystem

/// A private key and its public half.
///
/// It is not printed, compared or encoded, except by ``encrypted(with:)`` and ``unencrypted()``.
public struct PrivateKey: Sendable {
  /// The public half, whose numbers have been checked.
  public let publicKey: PublicKey
  let handle: KeyHandle

  /// The maximum size of a file with a private key, in bytes: RSA with 8192 bits takes 6.4 KiB in PEM.
  public static let sizeLimit = 64 << 10

  /// The kinds of key that can be generated; other kinds are only read.
  public enum Kind: String, Sendable, CaseIterable {
    /// Ed25519: the default.
    case ed25519
    /// RSA with 3072 bits.
    case rsa3072
    /// RSA with 4096 bits.
    case rsa4096
    /// ECDSA over P-256.
    case p256
    /// ECDSA over P-384.
    case p384
  }

  /// Generates a new key with OpenSSL's random generator.
  ///
  /// - Throws: `crypto.failure`.
  public static func generate(_ kind: Kind) throws(SignetError) -> PrivateKey {
    try PrivateKey(KeyHandle.generate(kind))
  }

  /// Reads the content of a key file: PEM or DER of PKCS#8, plain or encrypted, or of OpenSSL's traditional RSA or EC
  /// form; or OpenSSH's own form of an Ed25519 or ECDSA key without a passphrase.
  ///
  /// - Parameters:
  ///   - content: the bytes of the file, which are not kept.
  ///   - passphrase: called only if the key is encrypted; nil means that there is no passphrase.
  /// - Throws: `key.malformed`, `key.unsupported`, `key.insecure`, `key.ambiguous`, `key.public-for-private`,
  ///   `key.encryption-unsupported`, `key.derivation-bounds`, `key.passphrase-required`, `key.passphrase-wrong`,
  ///   `crypto.failure`, and what `passphrase` throws.
  public init(
    file content: SecretBytes, passphrase: () throws(SignetError) -> SecretBytes?
  ) throws(SignetError) {
    let (form, der) = try Self.recognise(content)
    switch form {
    case .encryptedPKCS8:
      try EncryptionScheme.check(der.withBytes { Array(copying: $0) })
      guard let passphrase = try passphrase() else {
        throw SignetError(.keyPassphraseRequired, "key", "is encrypted, and no passphrase was given")
      }
      try self.init(KeyHandle.decrypt(der, passphrase))
    case .openSSH:
      let key = try OpenSSHPrivateKey(der)
      try self.init(KeyHandle.decode(key.pkcs8, .pkcs8))
      guard publicKey.der == key.publicKey.der else {
        throw SignetError(.keyMalformed, "key", "names a public half that is not its own")
      }
    default: try self.init(KeyHandle.decode(der, form))
    }
  }

  private init(_ handle: KeyHandle) throws(SignetError) {
    self.handle = handle
    publicKey = try PublicKey(der: handle.subjectPublicKeyInfo())
  }

  /// The key as PKCS#8 in PEM, encrypted with PBES2.
  ///
  /// The parameters are PBKDF2-HMAC-SHA256 with 600,000 rounds and a salt of 16 bytes, and AES-256-CBC.
  ///
  /// - Throws: `crypto.failure`.
  public func encrypted(with passphrase: SecretBytes) throws(SignetError) -> SecretBytes {
    PEM.encode("ENCRYPTED PRIVATE KEY", try handle.encryptedPKCS8(passphrase))
  }

  /// The key as unencrypted PKCS#8 in PEM: everyone who can read this text has the key.
  ///
  /// - Throws: `crypto.failure`.
  public func unencrypted() throws(SignetError) -> SecretBytes {
    PEM.encode("PRIVATE KEY", try handle.pkcs8())
  }

  /// Checks that the content of a file is a private key, before anything else is required of the file or the user.
  ///
  /// - Throws: `key.malformed`, `key.unsupported`, `key.ambiguous`, `key.public-for-private`.
  package static func checkForm(of content: SecretBytes) throws(SignetError) { _ = try recognise(content) }

  /// Whether bytes are a private key, or hold one in PEM, and so must not be shown, packed or signed by mistake.
  package static func isHeld(in content: SecretBytes) -> Bool {
    guard PEM.isPresent(in: content) else {
      guard let form = KeyForm(der: content) else { return false }
      return form != .publicKey
    }
    // A key that is damaged, or beside other content, still counts as a private key.
    let mark = PrivateKeyText.mark
    return content.withBytes { bytes in
      let bytes = Array(copying: bytes)
      return bytes.indices.contains { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }
  }

  /// Recognises the form of a private key, and returns it with the DER.
  private static func recognise(_ content: SecretBytes) throws(SignetError) -> (KeyForm, SecretBytes) {
    let (form, der) = try OtherKey.explaining(content, isToSign: true) { () throws(SignetError) in
      try Self.form(of: content)
    }
    guard form != .publicKey else {
      throw SignetError(
        .keyPublicForPrivate, "key", "is a public key", expected: "a private key",
        hint: "give the private half, which keygen wrote without the ending .pub")
    }
    return (form, der)
  }

  private static func form(of content: SecretBytes) throws(SignetError) -> (KeyForm, SecretBytes) {
    guard PEM.isPresent(in: content) else {
      guard let form = PublicKey.isSSHLine(content) ? .publicKey : KeyForm(der: content) else {
        throw KeyForm.unrecognised(nil)
      }
      return (form, content)
    }
    let block = try KeyForm.single(PEM.blocks(of: content))
    guard let form = KeyForm(label: block.label) else { throw KeyForm.unrecognised(block.label) }
    guard KeyForm(der: block.content) == form else {
      throw SignetError(.keyMalformed, "key", "does not match the label of its first line", expected: block.label)
    }
    return (form, block.content)
  }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the public half, and reveals nothing of the private half.
  public var description: String { "private key of \(publicKey)" }
  /// Names the public half, and reveals nothing of the private half.
  public var debugDescription: String { description }
  /// Has no children, so that dumps show nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
