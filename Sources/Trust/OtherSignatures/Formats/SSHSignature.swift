internal import SignetBase
internal import SignetCrypto

/// Signatures of `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH): `SSHSIG`, a version, the public key, a namespace, a
/// reserved text, the digest's name and the signature.
enum SSHSignature {
  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    guard let body = ArmoredBlock("SSH SIGNATURE", in: bytes)?.bytes, body.starts(with: Array("SSHSIG".utf8)) else {
      return nil
    }
    var reader = SSHReader(body.dropFirst(10))
    guard let key = reader.string(), let namespace = reader.string(), reader.string() != nil,
      let digest = reader.string()
    else { return OtherSignature(.ssh) }
    var fields = SSHReader(key[...])
    let type = fields.string().map { String(decoding: $0, as: UTF8.self) } ?? ""
    var claims = [OtherSignature.Claim("key", "\(type) \(fingerprint(of: key))")]
    claims.append(.init("namespace", String(decoding: namespace, as: UTF8.self)))
    claims.append(.init("digest", String(decoding: digest, as: UTF8.self)))
    return OtherSignature(.ssh, claims)
  }

  /// The fingerprint as OpenSSH shows it: base64 without padding.
  private static func fingerprint(of key: [UInt8]) -> String {
    guard let digest = try? Digest.of(key, .sha256) else { return "" }
    return "SHA256:" + Base64.encode(digest.bytes).prefix { $0 != "=" }
  }
}

/// Reads the strings of SSH (RFC 4251, section 5): four bytes with the length, then as many bytes.
struct SSHReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func string() -> [UInt8]? {
    guard rest.count >= 4 else { return nil }
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= rest.count - 4 else { return nil }
    defer { rest = rest.dropFirst(4 + length) }
    return Array(rest.dropFirst(4).prefix(length))
  }
}
