internal import SignetBase

/// The texts of ASN.1 that names are made of (X.680, section 41; RFC 5280, section 4.1.2.4).
enum DirectoryString {
  case text(String)
  /// A value of a type that is no text.
  case noText
  /// A text whose bytes its type does not allow.
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
      // Nobody implements T.61; what is found is Latin-1, and OpenSSL reads it so.
      return scalars(String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) })))
    case DERElement.bmpString: return scalars(wide(content, 2))
    case DERElement.universalString: return scalars(wide(content, 4))
    default: return .noText
    }
  }

  /// A NUL ends a text for programs written in C: what stands behind it they would not see.
  private static func scalars(_ text: String?) -> DirectoryString {
    guard let text, !text.unicodeScalars.contains("\0") else { return .malformed }
    return .text(text)
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    // The at sign, the ampersand, the asterisk and the underscore are not printable, but so common that readers
    // take them.
    default: " '()+,-./:=?@&*_".utf8.contains(byte)
    }
  }

  /// Big-endian code points of two or four bytes; surrogates are none.
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
