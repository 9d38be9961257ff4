internal import SignetBase

/// An alternative name of a certificate's holder (RFC 5280, section 4.2.1.6).
public struct SubjectAlternativeName: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of alternative name.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A DNS name.
    case dns
    /// A mailbox (RFC 822).
    case email
    /// A URI.
    case uri
    /// An IP address.
    case ip
    /// Any other kind; the text begins with the kind.
    case other
  }

  /// The kind of the name.
  public let kind: Kind
  /// The name, exactly as encoded.
  ///
  /// Names of the kinds `dns`, `email` and `uri` are printable ASCII. `ip` is decimal (IPv4) or in the form of RFC
  /// 5952 (IPv6). `other` is `otherName:` with an object identifier, a semicolon and the value's DER in hexadecimal,
  /// `directoryName:` with the text of the name, `registeredID:` with an object identifier, or `x400Address:` and
  /// `ediPartyName:` with hexadecimal.
  public let text: String

  init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }

  /// Names are equal if their kind and text are the same, byte for byte.
  public static func == (left: SubjectAlternativeName, right: SubjectAlternativeName) -> Bool {
    left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the kind and the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// `dns:example.com`; for the kind `other` only the text, which begins with the kind.
  public var description: String { kind == .other ? text : "\(kind.rawValue):\(text)" }
}

extension SubjectAlternativeName {
  /// Reads a GeneralName.
  init?(_ tag: UInt8, _ content: DERReader) {
    guard GeneralName.isWellFormed(tag, content) else { return nil }
    var reader = content
    switch tag {
    case DERElement.constructed(0):
      guard let type = reader.oid(), let value = reader.element(DERElement.constructed(0)), reader.isAtEnd
      else { return nil }
      self.init(kind: .other, text: "otherName:\(type);\(Hexadecimal.encode(value.rest))")
    case DERElement.primitive(1): self.init(kind: .email, visible: reader.rest)
    case DERElement.primitive(2): self.init(kind: .dns, visible: reader.rest)
    case DERElement.constructed(3):
      self.init(kind: .other, text: "x400Address:\(Hexadecimal.encode(reader.rest))")
    case DERElement.constructed(4):
      guard let name = DistinguishedName(der: reader.rest) else { return nil }
      self.init(kind: .other, text: "directoryName:\(name)")
    case DERElement.constructed(5):
      self.init(kind: .other, text: "ediPartyName:\(Hexadecimal.encode(reader.rest))")
    case DERElement.primitive(6): self.init(kind: .uri, visible: reader.rest)
    case DERElement.primitive(7):
      guard let address = IPAddressText.text(reader.rest) else { return nil }
      self.init(kind: .ip, text: address)
    case DERElement.primitive(8):
      guard let identifier = OID(content: reader.rest) else { return nil }
      self.init(kind: .other, text: "registeredID:\(identifier)")
    default: return nil
    }
  }

  /// An IA5String of section 4.2.1.6, which must not be empty or have white space or control characters.
  private init?(kind: Kind, visible content: [UInt8]) {
    guard !content.isEmpty, content.allSatisfy({ (0x21..<0x7f).contains($0) }) else { return nil }
    self.init(kind: kind, text: String(decoding: content, as: UTF8.self))
  }
}

/// The texts of IP addresses: four decimal numbers, or the form of RFC 5952.
enum IPAddressText {
  /// Returns nil unless there are four or sixteen bytes.
  static func text(_ bytes: [UInt8]) -> String? {
    switch bytes.count {
    case 4: return bytes.map { "\($0)" }.joined(separator: ".")
    case 16:
      let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      guard let zeros = longestZeros(groups) else { return text(groups[...]) }
      return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    default: return nil
    }
  }

  private static func text(_ groups: ArraySlice<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// The first of the longest runs of at least two zero groups (RFC 5952, section 4.2).
  private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
    var longest = 0..<0
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
      if index - start > longest.count { longest = start..<index }
      start = index + 1
    }
    return longest.count >= 2 ? longest : nil
  }
}
