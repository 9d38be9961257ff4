internal import SignetBase

/// A name of any kind, as extensions point to places and issuers with it (RFC 5280, section 4.2.1.6): read as its ASN.1
/// says, and not judged. Names of holders are ``SubjectAlternativeName``s, which have to keep more rules.
struct GeneralName: Hashable, Sendable {
  /// Bytes that are the same for names which section 7.1 takes for equal: of a directory name its canonical form.
  let key: [UInt8]
  /// The name of somebody in a directory; nil for names of other kinds.
  let directoryName: DistinguishedName?

  /// Names in one extension at most. Alternative names have their own rules; what points to lists and issuers has one to
  /// five.
  static let limit = 64

  private init(key: [UInt8], directoryName: DistinguishedName?) {
    self.key = key
    self.directoryName = directoryName
  }

  init(_ name: DistinguishedName) {
    self.init(key: [DERElement.constructed(4)] + name.canonical, directoryName: name)
  }

  /// nil for anything that is no GeneralName.
  init?(_ tag: UInt8, _ content: DERReader) {
    guard Self.isWellFormed(tag, content) else { return nil }
    if tag == DERElement.constructed(4) {
      guard let name = DistinguishedName(der: content.rest) else { return nil }
      self.init(name)
    } else {
      self.init(key: [tag] + content.rest, directoryName: nil)
    }
  }

  /// Whether the content is of the type that the tag stands for.
  static func isWellFormed(_ tag: UInt8, _ content: DERReader) -> Bool {
    var reader = content
    switch tag {
    // otherName: a type, and a value of that type.
    case DERElement.constructed(0):
      guard reader.oid() != nil, var value = reader.element(DERElement.constructed(0)) else { return false }
      return value.any() != nil && value.isAtEnd && reader.isAtEnd
    // rfc822Name, dNSName, uniformResourceIdentifier: IA5String, which has seven bits.
    case DERElement.primitive(1), DERElement.primitive(2), DERElement.primitive(6):
      return content.rest.allSatisfy { $0 < 0x80 }
    // x400Address is obsolete, and nothing here compares it.
    case DERElement.constructed(3): return content.isWellFormed
    case DERElement.constructed(4): return DistinguishedName(der: content.rest) != nil
    case DERElement.constructed(5): return isPartyName(&reader)
    case DERElement.primitive(7): return [4, 16].contains(content.rest.count)
    case DERElement.primitive(8): return OID(content: content.rest) != nil
    default: return false
    }
  }

  /// EDIPartyName: perhaps who assigns names, and the name, both DirectoryStrings.
  private static func isPartyName(_ reader: inout DERReader) -> Bool {
    func isText(_ field: DERReader?) -> Bool {
      guard var field, let (tag, content) = field.element(), field.isAtEnd else { return false }
      if case .text = DirectoryString.decode(tag, content.rest) { return true }
      return false
    }
    if reader.nextTag == DERElement.constructed(0), !isText(reader.element(DERElement.constructed(0))) {
      return false
    }
    return isText(reader.element(DERElement.constructed(1))) && reader.isAtEnd
  }

  /// The content of GeneralNames: at least one.
  static func list(_ content: DERReader) -> [GeneralName]? {
    var content = content
    var names: [GeneralName] = []
    while !content.isAtEnd {
      guard names.count < limit, let (tag, value) = content.element(), let name = GeneralName(tag, value) else {
        return nil
      }
      names.append(name)
    }
    return names.isEmpty ? nil : names
  }
}

extension DERReader {
  /// Passes the next GeneralName.
  mutating func generalName() -> Void? {
    guard let (tag, content) = element(), GeneralName.isWellFormed(tag, content) else { return nil }
    return ()
  }
}

/// Names of hosts and mailboxes, as far as they can be compared with what a CA may name: where a name begins and ends, and
/// that it has one spelling but for case.
enum HostName {
  /// Labels of letters, digits and hyphens (RFC 1123, section 2.1), each of 1 to 63 bytes, all of at most 253, the last
  /// not all digits, as that of an address would be.
  ///
  /// - Parameter allowsUnderscores: an underscore is no part of a host's name, but of some that URIs have.
  static func isProper(_ text: some BidirectionalCollection<UInt8>, allowsUnderscores: Bool = false) -> Bool {
    let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.count <= 253, let last = labels.last, !last.allSatisfy(isDigit) else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy {
          isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || (allowsUnderscores && $0 == UInt8(ascii: "_"))
        }
    }
  }

  /// A local part of visible characters, one at sign, a host (RFC 2821, section 4.1.2). Quoted local parts, in which
  /// another at sign could hide, are not taken.
  static func isMailbox(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(UInt8(ascii: "\"")) else { return false }
    return parts[0].allSatisfy { (0x21..<0x7f).contains($0) } && isProper(parts[1])
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased(byte))
  }
  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
