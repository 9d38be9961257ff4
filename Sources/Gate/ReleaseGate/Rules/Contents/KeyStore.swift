/// Finds private keys in key stores: PKCS #12 (RFC 7292), and Java's JKS and JCEKS.
///
/// A store that holds only certificates is not found. Java itself comes with one.
enum KeyStore {
  private static let jks: [UInt8] = [0xfe, 0xed, 0xfe, 0xed]
  private static let jceks: [UInt8] = [0xce, 0xce, 0xce, 0xce]
  /// 1.2.840.113549.1.7, the content types of PKCS #7, up to their last number.
  private static let contentType: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]
  /// 1.2.840.113549.1.12.10.1, the kinds of bags, up to their last number: 1 is a key, 2 an encrypted one.
  private static let bagType: [UInt8] = [0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01]

  /// Whether a file that begins with these bytes may be a key store, or a key in DER.
  static func mayBegin(_ head: [UInt8]) -> Bool {
    head.first == 0x30 || head.starts(with: jks) || head.starts(with: jceks)
  }

  /// The first private key in a store.
  ///
  /// - Parameters:
  ///   - bytes: the store, or its beginning.
  ///   - size: the size of all of it.
  /// - Returns: nil if it is not a key store, or if the given bytes hold no private key.
  static func key(in bytes: [UInt8], size: Int) -> FoundKey? {
    if bytes.starts(with: jks) { return javaKey(in: bytes, "JKS") }
    if bytes.starts(with: jceks) { return javaKey(in: bytes, "JCEKS") }
    guard isPKCS12(bytes, size: size) else { return nil }
    for start in bytes.indices.dropLast(bagType.count)
    where bytes[start] == bagType[0] && bytes[start...].starts(with: bagType) {
      let kind = bytes[start + bagType.count]
      if kind == 1 || kind == 2 { return FoundKey(words: "PKCS #12", isEncrypted: kind == 2, offset: nil) }
    }
    return nil
  }

  /// Whether the bytes begin as PKCS #12: version 3, and PKCS #7 data or signed data. Some programs write lengths in
  /// the indefinite form of BER.
  private static func isPKCS12(_ bytes: [UInt8], size: Int) -> Bool {
    guard let outer = start(of: 0x30, in: bytes, at: 0), outer.length.map({ $0 == size - outer.content }) ?? true,
      bytes.dropFirst(outer.content).starts(with: [0x02, 0x01, 0x03]),
      let content = start(of: 0x30, in: bytes, at: outer.content + 3)
    else { return false }
    let type = bytes.dropFirst(content.content)
    guard type.starts(with: contentType), let kind = type.dropFirst(contentType.count).first else { return false }
    return kind == 1 || kind == 2
  }

  /// Where the content of an element begins, and its length; nil for one that ends with a mark.
  private static func start(
    of tag: UInt8, in bytes: [UInt8], at offset: Int
  ) -> (content: Int, length: Int?)? {
    guard offset <= bytes.count - 2, bytes[offset] == tag else { return nil }
    let first = Int(bytes[offset + 1])
    if first < 0x80 { return (offset + 2, first) }
    if first == 0x80 { return (offset + 2, nil) }
    let end = offset + 2 + (first & 0x7f)
    guard first <= 0x84, end <= bytes.count else { return nil }
    return (end, bytes[offset + 2..<end].reduce(0) { $0 << 8 | Int($1) })
  }

  /// The first key in one of Java's stores. Certificates before it are passed over.
  private static func javaKey(in bytes: [UInt8], _ name: String) -> FoundKey? {
    var reader = JavaReader(rest: bytes.dropFirst(4))
    guard let version = reader.number(4), (1...2).contains(version), let count = reader.number(4) else { return nil }
    for _ in 0..<count {
      guard let kind = reader.number(4), reader.skip(reader.number(2)), reader.skip(8) else { return nil }
      switch kind {
      case 1: return FoundKey(words: name, isEncrypted: true, offset: nil)
      case 2:
        guard version == 1 || reader.skip(reader.number(2)), reader.skip(reader.number(4)) else { return nil }
      case 3 where name == "JCEKS":
        return FoundKey(words: "secret key in JCEKS", isEncrypted: true, offset: nil)
      default: return nil
      }
    }
    return nil
  }

  /// Reads numbers as Java writes them, the most significant byte first.
  private struct JavaReader {
    var rest: ArraySlice<UInt8>

    mutating func number(_ size: Int) -> Int? {
      guard rest.count >= size else { return nil }
      let value = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(size)
      return value
    }

    /// Skips bytes; false if they are not there.
    mutating func skip(_ count: Int?) -> Bool {
      guard let count, count <= rest.count else { return false }
      rest = rest.dropFirst(count)
      return true
    }
  }
}
