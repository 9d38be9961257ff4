public import SignetBase
public import SignetCrypto
public import SignetVerify

/// A public key of minisign or signify: the base64 of `Ed`, a number of eight bytes and the 32 of an Ed25519 key, in its
/// file below a line with a comment that nobody has signed.
public struct MinisignKey: Sendable {
  /// The key.
  public let key: PublicKey
  /// The number, by which signatures name the key: its owner's program has drawn it.
  let number: [UInt8]
  /// Whether its file is signify's, which calls it a public key and does not name minisign.
  private let isOfSignify: Bool

  private static let size = 42

  /// Reads the text of a key or the content of its file; nil for anything else.
  ///
  /// - Throws: `key.insecure` for a key with which one signature would be good for every file.
  public init?(_ content: [UInt8]) throws(SignetError) {
    guard let bytes = Self.bytes(of: content) else { return nil }
    key = try PublicKey(ed25519: Array(bytes[10...]))
    number = Array(bytes[2..<10])
    let comment = String(decoding: content.prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self)
    isOfSignify = comment.hasSuffix("public key") && !comment.contains("minisign")
  }

  /// Whether a text on a command line is such a key, alone or as it stands in its file.
  package static func isText(_ text: String) -> Bool {
    text.utf8.count < 1024 && bytes(of: Array(text.utf8)) != nil
  }

  private static func bytes(of content: [UInt8]) -> [UInt8]? {
    guard content.count <= 4096 else { return nil }
    var lines = content.split(separator: 0x0a).map { $0.last == 0x0d ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
    if lines.count == 2, lines[0].starts(with: "untrusted comment:".utf8) { lines.removeFirst() }
    guard lines.count == 1, let text = String(validating: lines[0], as: UTF8.self),
      let bytes = try? Base64.decode(text), bytes.count == size, bytes.starts(with: "Ed".utf8)
    else { return nil }
    return bytes
  }

  /// The program that has made it.
  package var program: String { isOfSignify ? "signify" : "minisign" }

  /// The number as minisign shows it.
  package var shownNumber: String { Hexadecimal.encode(number.reversed()).uppercased() }

  /// The key as `--key` takes it, in one line.
  package var line: String { Base64.encode(Array("Ed".utf8) + number + key.der.suffix(32)) }

  /// The formats in which the key signs.
  ///
  /// A signature over minisign's trusted comment would be one of signify over a file: no key counts for both.
  public var formats: Set<SignatureFormat> { [SignatureFormat(isOfSignify ? "signify" : "minisign", shownNumber)] }
}
