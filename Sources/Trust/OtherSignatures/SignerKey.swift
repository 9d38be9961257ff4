internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A key of another program, or a certificate, that somebody has to verify a signature with: its file, or the key as text.
public struct SignerKey: Sendable {
  /// What the user gave.
  let text: String
  let isFile: Bool
  let kind: Kind

  /// The programs that read the key.
  enum Kind: Sendable {
    /// minisign and signify.
    case minisign
    case openPGP
    /// A line of OpenSSH.
    case ssh
    /// A public key in PEM or DER: cosign and openssl.
    case pem
    /// A certificate.
    case certificate
  }

  private static let sizeLimit = 1 << 20

  /// Names the kind of a key that is given as `--key` takes it; nil for any other text and file, and for what cannot be
  /// read.
  public init?(_ argument: String) {
    let content: [UInt8]
    if let file = try? RegularFile(opening: argument), file.size <= Self.sizeLimit,
      let bytes = try? file.bytes(in: 0..<file.size)
    {
      (content, isFile) = (bytes, true)
    } else {
      (content, isFile) = (Array(argument.utf8), false)
    }
    guard let kind = Self.kind(content) else { return nil }
    text = argument
    self.kind = kind
  }

  private static func kind(_ bytes: [UInt8]) -> Kind? {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    func has(_ label: String) -> Bool {
      text.utf8.firstRange(of: Array("-----BEGIN \(label)-----".utf8)) != nil
    }
    if PublicKey.isSSHLine(SecretBytes(bytes)) { return .ssh }
    if has("PUBLIC KEY") { return .pem }
    if has("CERTIFICATE") { return .certificate }
    if has("PGP PUBLIC KEY BLOCK") { return .openPGP }
    switch KeyForm(der: SecretBytes(bytes)) {
    case .publicKey: return .pem
    case nil: if (try? Certificate(der: bytes)) != nil { return .certificate }
    default: return nil
    }
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
