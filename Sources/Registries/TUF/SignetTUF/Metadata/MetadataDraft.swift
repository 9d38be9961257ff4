public import SignetBase
internal import SignetCrypto
public import SignetKeys

/// Metadata that is being signed, by one person or by several on different machines.
///
/// What is signed never changes while signatures are collected: it is kept as it was read, unknown fields included.
public struct MetadataDraft<Role: MetadataRole>: Sendable {
  /// The role that is signed.
  public let role: Role
  /// The signatures that there are so far.
  public internal(set) var signatures: RoleSignatures
  private let signed: JSONValue
  let message: [UInt8]

  /// Begins with a role that nobody has signed.
  ///
  /// - Throws: `tuf.not-canonical`, for a `custom` field with a fraction.
  public init(_ role: Role) throws(SignetError) {
    self.role = role
    signed = role.json
    message = try OLPCJSON.encode(signed)
    signatures = RoleSignatures()
  }

  /// Goes on with a file that others may have signed.
  ///
  /// All signatures in it are kept, no matter who has made them: a client counts those that are valid.
  ///
  /// - Throws: what ``UnverifiedMetadata/uncheckedRole()`` throws.
  public init(continuing file: UnverifiedMetadata<Role>) throws(SignetError) {
    role = try file.uncheckedRole()
    signed = file.signed
    message = file.message
    signatures = file.signatures
  }

  /// Signs, in place of an earlier signature of the same key.
  ///
  /// - Parameters:
  ///   - key: the private key.
  ///   - entry: the key object by which the role's keys name its public half; nil for the one that ``TUFKey/init(_:)``
  ///     makes.
  /// - Throws: `key.unsupported` if the key object is not that of the key; `crypto.failure`.
  public mutating func sign(with key: PrivateKey, as entry: TUFKey? = nil) throws(SignetError) {
    let object: TUFKey
    if let entry { object = entry } else { object = try TUFKey(key.publicKey) }
    guard case .verifies(let publicKey, let scheme) = object.use, publicKey == key.publicKey else {
      throw SignetError(
        .keyUnsupported, "key \(object.id)", "is not the public half of the key that signs",
        expected: key.publicKey.description)
    }
    let signature = try scheme.sign(message, with: key)
    guard try object.verifies(signature, over: message) else {
      throw SignetError(.cryptoFailure, "key \(object.id)", "the signature that was made does not verify")
    }
    signatures.set(signature, of: object.id)
  }

  /// Checks that enough keys have signed.
  ///
  /// - Throws: `tuf.threshold`; `crypto.failure`.
  public func check(by authority: RoleAuthority) throws(SignetError) {
    try authority.check(signatures, over: message, of: "\(Role.typeName).json")
  }

  /// The file: readable JSON.
  ///
  /// - Throws: `tuf.not-canonical`.
  public func bytes() throws(SignetError) -> [UInt8] {
    try ReadableJSON.write(.object(("signatures", signatures.json), ("signed", signed)))
  }
}
