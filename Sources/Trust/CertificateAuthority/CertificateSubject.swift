package import SignetBase
package import SignetCrypto

/// The name of a certificate's holder, as people write it and `signet inspect` shows it (RFC 4514): `CN=Release,O=Example`.
package struct CertificateSubject: Hashable, Sendable {
  /// The name as certificates have it.
  package let name: DistinguishedName

  /// What a name can have, and the largest number of characters of each (RFC 5280, appendix A.1).
  private static let types: [(word: String, type: OID, limit: Int)] = [
    ("CN", .directory(4, 3), 64), ("O", .directory(4, 10), 64), ("OU", .directory(4, 11), 64),
    ("L", .directory(4, 7), 128), ("ST", .directory(4, 8), 128), ("C", .directory(4, 6), 2),
  ]
  private static let form = "a name such as CN=Release,O=Example,C=CH, of CN, O, OU, L, ST and C"

  /// Reads a name. A text without an equals sign is the common name.
  ///
  /// - Throws: `authority.name`.
  package init(_ text: String) throws(SignetError) {
    let parts = try Self.parts(text.utf8.contains(UInt8(ascii: "=")) ? text : "CN=\(Self.escaped(text))")
    var seen: Set<String> = []
    var sets: [[UInt8]] = []
    for (word, value) in parts {
      guard let (_, type, limit) = Self.types.first(where: { $0.word.isExactly(word) }) else {
        throw Self.refused(text, "has a part that is not known: \(word)")
      }
      guard (1...limit).contains(value.unicodeScalars.count), !value.unicodeScalars.contains(where: Self.isControl)
      else { throw Self.refused(text, "has a part of another length, or with control characters: \(word)") }
      guard word == "OU" || seen.insert(word).inserted else { throw Self.refused(text, "has a part twice: \(word)") }
      let isCountry = word == "C"
      guard !isCountry || value.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
        throw Self.refused(text, "has a country that is not two capital letters")
      }
      let string = DERWriter.element(
        isCountry ? DERElement.printableString : DERElement.utf8String, Array(value.utf8))
      let attribute = DERWriter.sequence(
        DERWriter.element(DERElement.objectIdentifier, type.content), string)
      sets.append(DERWriter.element(DERElement.set, attribute))
    }
    // RFC 4514, section 2.1: the text begins with the last part.
    guard let name = DistinguishedName(der: DERWriter.element(DERElement.sequence, sets.reversed().flatMap { $0 }))
    else {
      throw Self.refused(text, "cannot be written")
    }
    self.name = name
  }

  /// The types and values of a name, in the order of the text.
  private static func parts(_ text: String) throws(SignetError) -> [(word: String, value: String)] {
    var parts: [(String, String)] = []
    var (word, value, isValue) = ([UInt8](), [UInt8](), false)
    func end() throws(SignetError) {
      guard isValue, let word = String(validating: word, as: UTF8.self),
        let value = String(validating: value, as: UTF8.self)
      else { throw refused(text, "has a part without a value, or with one that is no text") }
      parts.append((word.trimmed, value))
    }
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\") where isValue:
        guard let escaped = Self.escape(&rest) else { throw refused(text, "ends with a backslash") }
        value.append(escaped)
      case UInt8(ascii: ","):
        try end()
        (word, value, isValue) = ([], [], false)
      case UInt8(ascii: "=") where !isValue: isValue = true
      case _ where "+;\"<>".utf8.contains(byte):
        throw refused(text, "has a character that needs a backslash before it: \(Unicode.Scalar(byte))")
      default: if isValue { value.append(byte) } else { word.append(byte) }
      }
    }
    try end()
    return parts
  }

  /// What stands after a backslash: two digits of hexadecimal, or a character (RFC 4514, section 2.4).
  private static func escape(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    if let pair = Hexadecimal.decode(String(decoding: Array(rest.prefix(2)).map(lowercased), as: UTF8.self)),
      pair.count == 1
    {
      rest = rest.dropFirst(2)
      return pair[0]
    }
    return rest.popFirst()
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
  }

  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if ",+;\"<>\\".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

  private static func refused(_ text: String, _ what: String) -> SignetError {
    SignetError(.authorityName, text.visible, what, expected: form)
  }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}
