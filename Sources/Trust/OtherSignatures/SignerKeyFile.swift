internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A file with a key of another program, or a certificate, that somebody has to verify a signature with.
public struct SignerKeyFile: Sendable {
  /// The path of the file.
  public let path: String
  let kind: Kind

  /// The programs that read the file.
  enum Kind: Sendable {
    /// minisign and signify.
    case minisign
    case openPGP
    /// A line of OpenSSH.
    case ssh
    /// A public key in PEM: cosign and openssl.
    case pem
    /// A certificate in PEM.
    case certificate
  }

  private static let sizeLimit = 1 << 20

  /// Names the kind of a file; nil for a file of any other kind, and for what cannot be read.
  public init?(_ path: String) {
    guard let file = try? RegularFile(opening: path), file.size <= Self.sizeLimit,
      let bytes = try? file.bytes(in: 0..<file.size), let kind = Self.kind(bytes)
    else { return nil }
    self.path = path
    self.kind = kind
  }

  private static func kind(_ bytes: [UInt8]) -> Kind? {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    if PublicKey.isSSHLine(SecretBytes(bytes)) { return .ssh }
    if text.utf8.firstRange(of: Array("-----BEGIN PUBLIC KEY-----".utf8)) != nil { return .pem }
    if text.utf8.firstRange(of: Array("-----BEGIN CERTIFICATE-----".utf8)) != nil { return .certificate }
    if text.utf8.firstRange(of: Array("-----BEGIN PGP PUBLIC KEY BLOCK-----".utf8)) != nil { return .openPGP }
    var packets = bytes[...]
    // A transferable public key begins with the packet of its primary key (RFC 9580, section 10.1).
    if OpenPGPPacket(&packets)?.tag == 6 { return .openPGP }
    let lines = text.split(whereSeparator: \.isNewline)
    let line = lines.first.map { $0.hasPrefix("untrusted comment:") } ?? false ? lines.dropFirst().first : lines.first
    guard let line, let key = try? Base64.decode(String(line.filter { $0 != " " })), key.count == 42,
      key.starts(with: Array("Ed".utf8))
    else { return nil }
    return .minisign
  }
}
