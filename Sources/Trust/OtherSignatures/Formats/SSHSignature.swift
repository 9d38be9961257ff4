internal import SignetBase
internal import SignetCrypto

/// Signatures of `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH): `SSHSIG`, a version, the public key, a namespace, a
/// reserved text, the digest's name and the signature.
struct SSHSignature {
  /// The bytes with which both the signature and what it is over begin.
  static let magic = Array("SSHSIG".utf8)

  /// The signer's key or certificate, as it came.
  let key: SSHKey
  /// What the signature is for: a program's name, or `file`.
  let namespace: [UInt8]
  /// A text without a meaning yet. It is signed.
  let reserved: [UInt8]
  /// The name of the digest of the file.
  let digest: String
  /// The signature's algorithm and its bytes, with what a token of FIDO adds.
  let algorithm: String
  let signature: [UInt8]
  let token: SSHTokenData?

  /// Reads the bytes that are in the armor; nil if they have another form.
  init?(_ body: [UInt8]) {
    guard body.starts(with: Self.magic), body.dropFirst(6).prefix(4).elementsEqual([0, 0, 0, 1]) else { return nil }
    var reader = SSHReader(body.dropFirst(10))
    guard let wire = reader.string(), let key = SSHKey(wire), let namespace = reader.string(),
      let reserved = reader.string(), let digest = reader.text(), let signed = reader.string(), reader.isAtEnd
    else { return nil }
    var parts = SSHReader(signed[...])
    guard let algorithm = parts.text(), let signature = parts.string() else { return nil }
    token = SSHKey.isOfToken(algorithm) ? SSHTokenData(&parts) : nil
    guard parts.isAtEnd else { return nil }
    (self.key, self.namespace, self.reserved, self.digest) = (key, namespace, reserved, digest)
    (self.algorithm, self.signature) = (algorithm, signature)
  }

  /// The body of an armored signature; nil for other content.
  static func body(in bytes: [UInt8]) -> [UInt8]? {
    guard let body = ArmoredBlock("SSH SIGNATURE", in: bytes)?.bytes, body.starts(with: magic) else { return nil }
    return body
  }

  /// The body of a file that has an armored signature and nothing else; nil for other content.
  static func wholeBody(of bytes: [UInt8]) -> [UInt8]? {
    let (begin, end) = (Array("-----BEGIN SSH SIGNATURE-----".utf8), Array("-----END SSH SIGNATURE-----".utf8))
    let isBlank = { (byte: UInt8) in [0x0a, 0x0d, 0x20, 0x09].contains(byte) }
    let text = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    guard text.starts(with: begin), text.count > begin.count + end.count, text.suffix(end.count).elementsEqual(end)
    else {
      return nil
    }
    let base64 = text.dropFirst(begin.count).dropLast(end.count).filter { !isBlank($0) }
    guard let body = try? Base64.decode(String(decoding: base64, as: UTF8.self)), body.starts(with: magic) else {
      return nil
    }
    return body
  }

  /// What it says of itself, also where only its beginning can be read.
  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    guard let body = body(in: bytes) else { return nil }
    var reader = SSHReader(body.dropFirst(10))
    guard let key = reader.string(), let namespace = reader.string(), reader.string() != nil,
      let digest = reader.string()
    else { return OtherSignature(.ssh) }
    var fields = SSHReader(key[...])
    let type = fields.text() ?? ""
    var claims = [OtherSignature.Claim("key", "\(type) \(SSHKey(key)?.fingerprint ?? SSHKey.fingerprint(of: key))")]
    claims.append(.init("namespace", String(decoding: namespace, as: UTF8.self)))
    claims.append(.init("digest", String(decoding: digest, as: UTF8.self)))
    return OtherSignature(.ssh, claims)
  }
}
