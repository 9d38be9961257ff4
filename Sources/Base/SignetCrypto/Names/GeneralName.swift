internal import SignetBase

/// A name of any kind, with which extensions refer to locations and issuers (RFC 5280, section 4.2.1.6).
///
/// It is read as its ASN.1 defines it, but not judged. The names of a certificate's holder are
/// ``SubjectAlternativeName``s, for which there are more rules.
struct GeneralName: Hashable, Sendable {
  /// The bytes for comparison, which are the same for names that section 7.1 treats as equal; a directory name is in
  /// its canonical form.
  let key: [UInt8]
  /// The directory name; nil for names of other kinds.
  let directoryName: DistinguishedName?

  /// The maximum number of names in one extension. Alternative names have their own rules; extensions that refer to
  /// lists and issuers have one to five.
  static let limit = 64

  private init(key: [UInt8], directoryName: DistinguishedName?) {
    self.key = key
    self.directoryName = directoryName
  }

  init(_ name: DistinguishedName) {
    self.init(key: [DERElement.constructed(4)] + name.canonical, directoryName: name)
  }

  /// Returns nil for anything that is not a GeneralName.
  init?(_ tag: UInt8, _ content: DERReader) {
    guard Self.isWellFormed(tag, content) else { return nil }
    if tag == DERElement.constructed(4) {
      guard let name = DistinguishedName(der: content.rest) else { return nil }
      self.init(name)
    } else {
      self.init(key: [tag] + content.rest, directoryName: nil)
    }
  }

  /// Whether the content has the type that belongs to the tag.
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
    // x400Address is obsolete, and is not compared here.
    case DERElement.constructed(3): return content.isWellFormed
    case DERElement.constructed(4): return DistinguishedName(der: content.rest) != nil
    case DERElement.constructed(5): return isPartyName(&reader)
    case DERElement.primitive(7): return [4, 16].contains(content.rest.count)
    case DERElement.primitive(8): return OID(content: content.rest) != nil
    default: return false
    }
  }

  /// EDIPartyName: optionally the assigner of names, and the name, both as DirectoryStrings.
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

  /// The content of GeneralNames: at least one name.
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
  /// Skips the next GeneralName.
  mutating func generalName() -> Void? {
    guard let (tag, content) = element(), GeneralName.isWellFormed(tag, content) else { return nil }
    return ()
  }
}

/// The forms of host names and mailboxes that can be compared with the constraints of a CA.
///
/// They make clear where a name begins and ends, and give it one spelling except for case.
enum HostName {
  /// Whether a text is a host name: labels of letters, digits and hyphens (RFC 1123, section 2.1).
  ///
  /// Each label has 1 to 63 bytes, and the name has at most 253. The last label is not all digits, because it would
  /// then belong to an address.
  ///
  /// - Parameter allowsUnderscores: the underscore is not allowed in host names, but some URIs have one.
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

  /// Whether a text is a mailbox: a local part of visible characters, one at sign, and a host (RFC 2821, section
  /// 4.1.2).
  ///
  /// Quoted local parts are not accepted, because another at sign could hide in them.
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
