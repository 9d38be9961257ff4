internal import SignetBase

/// One attribute of a name: its type and value (RFC 5280, appendix A.1).
struct NameAttribute: Sendable {
  let type: OID
  /// The tag of the value.
  let tag: UInt8
  /// The value's content.
  let content: [UInt8]
  /// The value as text; nil if its type is not a text type.
  let text: String?

  init?(der: [UInt8]) {
    var outer = DERReader(der)
    guard var pair = outer.sequence(), let type = pair.oid(), let (tag, value) = pair.element(), pair.isAtEnd
    else { return nil }
    self.type = type
    self.tag = tag
    content = value.rest
    switch DirectoryString.decode(tag, content) {
    case .text(let text): self.text = text
    case .noText: text = nil
    case .malformed: return nil
    }
  }

  /// Type and value for comparison: names that RFC 5280, section 7.1, treats as equal have the same bytes.
  ///
  /// The text is in UTF-8, with ASCII letters in lower case. White space at the ends is removed, and white space
  /// within the text becomes one space.
  var canonical: [UInt8] {
    let name = DERWriter.element(DERElement.objectIdentifier, type.content)
    guard let text else { return DERWriter.sequence(name, DERWriter.element(tag, content)) }
    var bytes: [UInt8] = []
    var isPending = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
        isPending = !bytes.isEmpty
        continue
      }
      if isPending { bytes.append(UInt8(ascii: " ")) }
      isPending = false
      bytes.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
    }
    return DERWriter.sequence(name, DERWriter.element(DERElement.utf8String, bytes))
  }
}

extension NameAttribute: CustomStringConvertible {
  /// `CN=value` (RFC 4514, section 2.3).
  var description: String {
    let name = type.attributeName ?? type.description
    guard let text else { return "\(name)=#\(Hexadecimal.encode(DERWriter.element(tag, content)))" }
    return "\(name)=\(Self.escaped(text))"
  }

  /// Escapes a value by RFC 4514, section 2.4; control characters also become a backslash and two digits.
  private static func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      let isSpaceAtEnd = scalar == " " && (index == 0 || index == scalars.count - 1)
      if isSpaceAtEnd || (scalar == "#" && index == 0) || "\"+,;<>\\=".unicodeScalars.contains(scalar) {
        result += "\\"
        result.unicodeScalars.append(scalar)
      } else if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) {
        for byte in String(scalar).utf8 { result += "\\" + Hexadecimal.encode([byte]) }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension OID {
  static let commonName = directory(4, 3)
  static let country = directory(4, 6)
  static let organization = directory(4, 10)
  static let organizationalUnit = directory(4, 11)

  private static let attributeNames: [OID: String] = [
    // RFC 4514, section 3.
    commonName: "CN", directory(4, 7): "L", directory(4, 8): "ST", organization: "O", organizationalUnit: "OU",
    country: "C", directory(4, 9): "STREET",
    other(0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 0x01, 0x19): "DC",
    other(0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 0x01, 0x01): "UID",
    // These names are not in that list, but in many certificates; they are OpenSSL's.
    directory(4, 4): "SN", directory(4, 5): "serialNumber", directory(4, 12): "title", directory(4, 42): "GN",
    directory(4, 97): "organizationIdentifier", pkcs(9, 1): "emailAddress",
  ]

  /// The short name of a type of attribute.
  var attributeName: String? { Self.attributeNames[self] }
}

/// The text types of ASN.1 that occur in names (X.680, section 41; RFC 5280, section 4.1.2.4).
enum DirectoryString {
  case text(String)
  /// A value whose type is not a text type.
  case noText
  /// A text with bytes that its type does not allow.
  case malformed

  static func decode(_ tag: UInt8, _ content: [UInt8]) -> DirectoryString {
    switch tag {
    case DERElement.utf8String: return scalars(String(validating: content, as: UTF8.self))
    case DERElement.printableString:
      return content.allSatisfy(isPrintable) ? .text(String(decoding: content, as: UTF8.self)) : .malformed
    case DERElement.ia5String:
      return content.allSatisfy { $0 < 0x80 } ? scalars(String(decoding: content, as: UTF8.self)) : .malformed
    case DERElement.visibleString:
      return content.allSatisfy { (0x20..<0x7f).contains($0) }
        ? .text(String(decoding: content, as: UTF8.self)) : .malformed
    case DERElement.teletexString:
      // Programs write Latin-1 here instead of T.61, and OpenSSL reads it as such.
      return scalars(String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) })))
    case DERElement.bmpString: return scalars(wide(content, 2))
    case DERElement.universalString: return scalars(wide(content, 4))
    default: return .noText
    }
  }

  /// A NUL ends a text for programs written in C, which would not see what follows it.
  private static func scalars(_ text: String?) -> DirectoryString {
    guard let text, !text.unicodeScalars.contains("\0") else { return .malformed }
    return .text(text)
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    // PrintableString does not include the at sign, the ampersand, the asterisk and the underscore, but they are so
    // common that readers accept them.
    default: " '()+,-./:=?@&*_".utf8.contains(byte)
    }
  }

  /// Decodes big-endian code points of two or four bytes; surrogates are not valid.
  private static func wide(_ content: [UInt8], _ width: Int) -> String? {
    guard content.count.isMultiple(of: width) else { return nil }
    var view = String.UnicodeScalarView()
    for start in stride(from: 0, to: content.count, by: width) {
      let value = content[start..<start + width].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard let scalar = Unicode.Scalar(value) else { return nil }
      view.append(scalar)
    }
    return String(view)
  }
}
