public import SignetBase
public import SignetSystem

/// A public key that may serve as a trust anchor: its kind is supported, and its numbers have been checked.
public struct PublicKey: Sendable {
  /// The kind of the key.
  public let algorithm: KeyAlgorithm
  /// The OpenSSH fingerprint of the key.
  public let id: KeyID
  /// The SubjectPublicKeyInfo in DER (RFC 5280), which is the key's only encoding, and its identity.
  public let der: [UInt8]
  package let handle: KeyHandle

  /// The maximum size of a file with a public key, in bytes: RSA with 8192 bits takes 1.5 KiB in PEM.
  public static let sizeLimit = 64 << 10

  /// Reads a SubjectPublicKeyInfo in DER.
  ///
  /// - Throws: `key.malformed`, `key.unsupported`, `key.insecure`, `crypto.failure`.
  public init(der: [UInt8]) throws(SignetError) {
    let info = try SubjectPublicKeyInfo(der: der)
    self.init(
      der: der, algorithm: info.algorithm, id: try KeyID(sshWireForm: info.sshWireForm),
      handle: try KeyHandle.make(info))
  }

  /// Makes a key of the 32 bytes of an Ed25519 key (RFC 8032, section 5.1.5).
  ///
  /// - Throws: what ``init(der:)`` throws.
  package init(ed25519 bytes: [UInt8]) throws(SignetError) {
    try self.init(der: SubjectPublicKeyInfo.ed25519(bytes).der)
  }

  /// Makes a key of an uncompressed point of P-256 (SEC 1, section 2.3.3).
  ///
  /// - Throws: what ``init(der:)`` throws.
  package init(p256 point: [UInt8]) throws(SignetError) {
    try self.init(der: SubjectPublicKeyInfo.ec(.p256, point: point).der)
  }

  /// The key as `--key` takes it, in one line: its DER in base64, as in the lines of its file.
  package var line: String { Base64.encode(der) }

  init(der: [UInt8], algorithm: KeyAlgorithm, id: KeyID, handle: KeyHandle) {
    self.der = der
    self.algorithm = algorithm
    self.id = id
    self.handle = handle
  }

  /// Reads a key that is given as text.
  ///
  /// The text is an OpenSSH line such as `ssh-ed25519 AAAA… comment`, the base64 of the SubjectPublicKeyInfo, or PEM.
  ///
  /// - Throws: what ``init(der:)`` throws; for PEM what ``init(file:)`` throws.
  public init(text: String) throws(SignetError) {
    if text.utf8.contains("-----BEGIN ".utf8) {
      try self.init(file: SecretBytes(Array(text.utf8)))
      return
    }
    let fields = text.split(separator: " ", maxSplits: 2)
    if fields.count == 1, let der = try? Base64.decode(text) {
      try self.init(der: der)
      return
    }
    guard fields.count > 1, let wire = try? Base64.decode(String(fields[1])), let info = SSHWireForm.read(wire),
      wire.dropFirst(4).starts(with: fields[0].utf8)
    else {
      throw SignetError(
        .keyMalformed, "key", "is not a public key in one line",
        expected: "ssh-ed25519 AAAA… as in OpenSSH's files, or the base64 of a SubjectPublicKeyInfo")
    }
    try self.init(der: info.der)
  }

  /// The beginnings of keys in OpenSSH's form.
  private static let sshPrefixes =
    ["ssh-ed25519 ", "ssh-rsa "] + EllipticCurve.allCases.map { "ecdsa-sha2-\($0.sshName) " }

  /// Whether a text on a command line is a key, and not the name of a file.
  public static func isText(_ text: String) -> Bool {
    let start = text.utf8.drop { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 > 0x7f }
    if sshPrefixes.contains(where: { start.starts(with: $0.utf8) }) { return true }
    if text.utf8.contains("-----BEGIN ".utf8) { return true }
    guard let der = try? Base64.decode(text) else { return false }
    return KeyForm(der: SecretBytes(der)) == .publicKey
  }

  /// Reads the content of a key file: one `PUBLIC KEY` block in PEM, DER, or a line of OpenSSH.
  ///
  /// The content is handled as a secret, because it may turn out to be the private half.
  ///
  /// - Throws: what ``init(der:)`` throws; `key.private-for-public`; `key.ambiguous` for several keys, or
  ///   certificates beside a key; `key.encryption-unsupported` for a PEM block that is encrypted in OpenSSL's
  ///   traditional way.
  public init(file text: SecretBytes) throws(SignetError) {
    guard PEM.isPresent(in: text) else {
      if let line = Self.sshLine(of: text) {
        try self.init(text: line)
        return
      }
      guard let form = KeyForm(der: text) else { throw KeyForm.unrecognised(nil) }
      guard form == .publicKey else { throw Self.isPrivate }
      try self.init(der: text.withBytes { Array(copying: $0) })
      return
    }
    let block = try KeyForm.single(PEM.blocks(of: text))
    switch KeyForm(label: block.label) {
    case .publicKey?: try self.init(der: block.content.withBytes { Array(copying: $0) })
    case nil: throw KeyForm.unrecognised(block.label)
    default: throw Self.isPrivate
    }
  }

  /// Whether the content of a file is a key in OpenSSH's form.
  package static func isSSHLine(_ text: SecretBytes) -> Bool { sshLine(of: text) != nil }

  /// The only line of a file in OpenSSH's form; nil for other content.
  private static func sshLine(of text: SecretBytes) -> String? {
    text.withBytes { bytes -> String? in
      let bytes = Array(copying: bytes)
      guard sshPrefixes.contains(where: { bytes.starts(with: $0.utf8) }) else { return nil }
      var lines = bytes.split(separator: UInt8(ascii: "\n"))
      guard lines.count == 1, let line = lines.popLast() else { return nil }
      let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return String(validating: end, as: UTF8.self)
    }
  }

  /// The key in PEM, as `openssl pkey -pubin` reads it.
  public var pem: String {
    PEM.encode("PUBLIC KEY", SecretBytes(der)).withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
  }

  private static var isPrivate: SignetError {
    SignetError(
      .keyPrivateForPublic, "key", "is a private key", expected: "a public key",
      hint:
        "give the public half, which lies beside this file with the ending .pub; of a key that openssl made: "
        + "openssl pkey -pubout -in KEY -out KEY.pub")
  }
}

extension PublicKey: Hashable {
  /// Keys are equal if their DER is equal, because every key has exactly one encoding.
  public static func == (left: PublicKey, right: PublicKey) -> Bool { left.der == right.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension PublicKey: CustomStringConvertible {
  /// The kind and the fingerprint.
  public var description: String { "\(algorithm) \(id)" }
}

extension Array where Element == UInt8 {
  /// Copies bytes that are not secret, or are about to be published.
  package init(copying bytes: Span<UInt8>) { self.init(copying: bytes, 0..<bytes.count) }

  /// Copies some of the bytes.
  package init(copying bytes: Span<UInt8>, _ range: Range<Int>) {
    self.init()
    reserveCapacity(range.count)
    for index in range { append(bytes[index]) }
  }
}

extension KeyID {
  init(sshWireForm bytes: [UInt8]) throws(SignetError) { self.init(fingerprint: try Digest.of(bytes, .sha256).bytes) }
}

/// The kind of a key, which alone determines how it signs: algorithm names in any data are not trusted.
public enum KeyAlgorithm: Hashable, Sendable, CustomStringConvertible {
  /// Ed25519, pure (RFC 8032).
  case ed25519
  /// RSA with a modulus of this many bits: PKCS#1 v1.5 with SHA-256 (RFC 8017, section 8.2).
  case rsa(bits: Int)
  /// ECDSA over P-256 with SHA-256 (FIPS 186-5).
  case p256
  /// ECDSA over P-384 with SHA-384 (FIPS 186-5).
  case p384
  /// ECDSA over P-521 with SHA-512 (FIPS 186-5).
  case p521

  /// A short name for people.
  public var description: String {
    switch self {
    case .ed25519: "Ed25519"
    case .rsa(let bits): "RSA-\(bits)"
    case .p256: "ECDSA-P256"
    case .p384: "ECDSA-P384"
    case .p521: "ECDSA-P521"
    }
  }

  /// The hash function in the signature; nil for Ed25519, which takes the whole message.
  package var digest: DigestAlgorithm? {
    switch self {
    case .ed25519: nil
    case .rsa, .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    }
  }
}
