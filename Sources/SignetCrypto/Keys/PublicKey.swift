/// A public key that may serve as a trust anchor: of a supported kind, its numbers checked.
public struct PublicKey: Sendable {
  /// What kind of key it is.
  public let algorithm: KeyAlgorithm
  /// Its OpenSSH fingerprint.
  public let id: KeyID
  /// The SubjectPublicKeyInfo in DER (RFC 5280): the key's one spelling, and its identity.
  public let der: [UInt8]
  let handle: KeyHandle

  /// The longest file that can hold a public key: RSA with 8192 bits in PEM takes 1.5 KiB.
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

  init(der: [UInt8], algorithm: KeyAlgorithm, id: KeyID, handle: KeyHandle) {
    self.der = der
    self.algorithm = algorithm
    self.id = id
    self.handle = handle
  }

  /// Reads the content of a key file: one `PUBLIC KEY` block in PEM, or DER. It is taken as a secret, since it may
  /// turn out to be the private half.
  ///
  /// - Throws: what ``init(der:)`` throws; `key.private-for-public`, and `key.ambiguous` for several keys.
  public init(file text: SecretBytes) throws(SignetError) {
    guard PEM.isPresent(in: text) else {
      guard let form = KeyForm(der: text) else { throw KeyForm.unrecognised(nil) }
      guard form == .publicKey else { throw Self.isPrivate }
      try self.init(der: text.withBytes { Array(copying: $0) })
      return
    }
    let blocks = try PEM.blocks(of: text).filter { $0.label != KeyForm.parametersLabel }
    guard let block = blocks.first else { throw KeyForm.unrecognised(nil) }
    guard blocks.count == 1 else { throw KeyForm.ambiguous(blocks.count) }
    switch KeyForm(label: block.label) {
    case .publicKey?: try self.init(der: block.content.withBytes { Array(copying: $0) })
    case nil: throw KeyForm.unrecognised(block.label)
    default: throw Self.isPrivate
    }
  }

  /// The PEM text, as `openssl pkey -pubin` reads it.
  public var pem: String {
    PEM.encode("PUBLIC KEY", SecretBytes(der)).withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
  }

  private static var isPrivate: SignetError {
    SignetError(
      .keyPrivateForPublic, "key", "is a private key", expected: "a public key",
      hint: "give the public half, which keygen wrote beside it with the ending .pub")
  }
}

extension PublicKey: Hashable {
  /// Keys are equal when their DER is: every key has exactly one.
  public static func == (left: PublicKey, right: PublicKey) -> Bool { left.der == right.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension PublicKey: CustomStringConvertible {
  /// The kind and the fingerprint.
  public var description: String { "\(algorithm) \(id)" }
}

extension Array where Element == UInt8 {
  /// A copy of bytes that are no secret, or stop being one.
  init(copying bytes: Span<UInt8>) { self.init(copying: bytes, 0..<bytes.count) }

  /// A copy of some of the bytes.
  init(copying bytes: Span<UInt8>, _ range: Range<Int>) {
    self.init()
    reserveCapacity(range.count)
    for index in range { append(bytes[index]) }
  }
}
