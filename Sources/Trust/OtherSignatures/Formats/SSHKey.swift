internal import SignetBase
internal import SignetCrypto

/// A public key of OpenSSH in its wire form: a plain one, one in a token of FIDO, or a certificate (PROTOCOL.certkeys).
struct SSHKey: Hashable {
  /// The wire form: keys are equal if it is.
  let wire: [UInt8]
  /// The name of the type, such as `ssh-ed25519` or `sk-ssh-ed25519@openssh.com`.
  let type: String

  /// The key's numbers; nil if the key is of a type that nobody verifies with here.
  let numbers: Numbers?
  /// The certificate; nil for a key.
  let certificate: SSHCertificate?

  struct Numbers: Hashable {
    let info: SubjectPublicKeyInfo
    /// For whom a token keeps the key; nil for a key that is in no token.
    let application: [UInt8]?
  }

  private static let certificateEnding = "-cert-v01@openssh.com"
  private static let tokenEnding = "@openssh.com"

  /// Reads a wire form; nil if it is not even a name.
  init?(_ wire: [UInt8]) {
    var reader = SSHReader(wire[...])
    guard let type = reader.text(), !type.isEmpty else { return nil }
    (self.wire, self.type) = (wire, type)
    if type.hasSuffix(Self.certificateEnding) {
      certificate = SSHCertificate(wire)
      numbers = certificate?.numbers
    } else {
      certificate = nil
      numbers = Numbers(plain: wire, &reader, type)
    }
  }

  /// Whether the signature of an algorithm is by a token.
  static func isOfToken(_ algorithm: String) -> Bool { algorithm.hasPrefix("sk-") }

  /// The fingerprint as OpenSSH shows it: base64 without padding. A certificate has that of its key.
  var fingerprint: String { Self.fingerprint(of: certificate?.keyWire ?? wire) }

  /// The fingerprint of a wire form.
  static func fingerprint(of wire: [UInt8]) -> String {
    guard let digest = try? Digest.of(wire, .sha256) else { return "" }
    return "SHA256:" + Base64.encode(digest.bytes).prefix { $0 != "=" }
  }

  /// A string of SSH.
  static func string(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(clamping: bytes.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) } + bytes
  }
}

extension SSHKey.Numbers {
  /// - Parameter reader: behind the name of the type.
  fileprivate init?(plain wire: [UInt8], _ reader: inout SSHReader, _ type: String) {
    switch type {
    case "sk-ssh-ed25519@openssh.com":
      guard let key = reader.string(), key.count == 32, let application = reader.string(), reader.isAtEnd else {
        return nil
      }
      (info, self.application) = (.ed25519(key), application)
    case "sk-ecdsa-sha2-nistp256@openssh.com":
      guard let curve = reader.text(), curve == "nistp256", let point = reader.string(),
        let application = reader.string(), reader.isAtEnd
      else { return nil }
      (info, self.application) = (.ec(.p256, point: point), application)
    default:
      guard let read = SSHWireForm.read(wire) else { return nil }
      (info, application) = (read, nil)
    }
  }
}

/// A certificate of OpenSSH (PROTOCOL.certkeys): a key, whose it is and how long, as an authority has signed it.
struct SSHCertificate: Hashable {
  /// The wire form of the key that it certifies.
  let keyWire: [UInt8]
  let numbers: SSHKey.Numbers?
  let serial: UInt64
  /// 1 for users, 2 for hosts.
  let kind: UInt32
  /// The authority's name for it.
  let keyID: [UInt8]
  /// Whose key it is. None: nobody's.
  let principals: [[UInt8]]
  let validAfter: UInt64
  let validBefore: UInt64
  /// What a verifier has to know, by name.
  let criticalOptions: [[UInt8]]
  /// The wire form of the authority's key.
  let authority: [UInt8]
  /// What the authority has signed, and the algorithm and bytes of its signature.
  let signed: [UInt8]
  let algorithm: String
  let signature: [UInt8]
  /// What the authority's token adds; nil for an authority without one.
  let token: SSHTokenData?

  /// How many strings each type of key has behind the nonce.
  private static let fields = [
    "ssh-ed25519": 1, "ssh-rsa": 2, "ecdsa-sha2-nistp256": 2, "ecdsa-sha2-nistp384": 2, "ecdsa-sha2-nistp521": 2,
    "sk-ssh-ed25519": 2, "sk-ecdsa-sha2-nistp256": 3,
  ]

  init?(_ wire: [UInt8]) {
    var reader = SSHReader(wire[...])
    guard let type = reader.text(), let end = type.utf8.firstRange(of: Array("-cert-v01@openssh.com".utf8)),
      let count = Self.fields[String(type[..<end.lowerBound])], reader.string() != nil
    else { return nil }
    var plain = String(type[..<end.lowerBound])
    if plain.hasPrefix("sk-") { plain += "@openssh.com" }
    var keyWire = SSHKey.string(Array(plain.utf8))
    for _ in 0..<count {
      guard let field = reader.string() else { return nil }
      keyWire += SSHKey.string(field)
    }
    guard let serial = reader.number64(), let kind = reader.bytes(4), let keyID = reader.string(),
      let principals = reader.list(), let after = reader.number64(), let before = reader.number64(),
      let options = reader.list(), reader.string() != nil, reader.string() != nil, let authority = reader.string()
    else { return nil }
    signed = Array(wire.dropLast(reader.count))
    guard let outer = reader.string(), reader.isAtEnd else { return nil }
    var parts = SSHReader(outer[...])
    guard let algorithm = parts.text(), let signature = parts.string() else { return nil }
    token = SSHKey.isOfToken(algorithm) ? SSHTokenData(&parts) : nil
    guard parts.isAtEnd else { return nil }
    self.keyWire = keyWire
    numbers = SSHKey(keyWire)?.numbers
    self.serial = serial
    self.kind = kind.reduce(0) { $0 << 8 | UInt32($1) }
    self.keyID = keyID
    self.principals = principals
    (validAfter, validBefore) = (after, before)
    // Names and values alternate.
    criticalOptions = options.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    self.authority = authority
    (self.algorithm, self.signature) = (algorithm, signature)
  }
}
