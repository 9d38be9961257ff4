/// Finds private keys in the form of JSON Web Keys (RFC 7517 and 7518, section 6; RFC 8037): an object with the kind of
/// key and its private number, in any order, also within a text of JSON.
enum JSONWebKey {
  /// The name of the kind of key; in a text within JSON, a backslash is before the quotation mark.
  static let literal = "\"kty\""
  static let escapedLiteral = "\"kty\\\""

  /// The number of characters that a private number has on each curve.
  private static let curves: [String: Int] = [
    "P-256": 43, "P-384": 64, "P-521": 88, "secp256k1": 43, "Ed25519": 43, "X25519": 43, "Ed448": 76, "X448": 75,
  ]
  /// The least number of characters of an RSA key's private exponent: that of 512 bits.
  private static let leastRSA = 84

  /// How deep objects may be nested in a key's object. More are not looked through, so that each byte belongs to few
  /// objects.
  private static let depthLimit = 4

  /// The key around a match, if it is the first name of its object that says what kind of key it is.
  ///
  /// All names of an object are read with the first one. However many there are, and however they are nested, each byte
  /// is therefore read a few times at most.
  static func found(_ match: ContentMatch) -> FoundKey? {
    guard let object = objectAround(match), let kind = object["kty"], ["RSA", "EC", "OKP"].contains(kind) else {
      return nil
    }
    let isPrivate =
      switch kind {
      case "RSA": isNumber(object["d"], least: leastRSA) || isCRT(object)
      default:
        object["crv"].flatMap { curves[$0] }.map { length in
          isNumber(object["d"], least: length) && (object["d"]?.utf8.count ?? 0) <= length
        } ?? false
      }
    return isPrivate ? FoundKey(words: "\(kind) in JWK", isEncrypted: false, offset: match.offset) : nil
  }

  /// Whether all numbers are there that only a private RSA key has besides the exponent, which may be too far away.
  private static func isCRT(_ fields: [String: String]) -> Bool {
    ["dp", "dq", "qi"].allSatisfy { isNumber(fields[$0], least: leastRSA / 2) }
  }

  /// Whether a value is a number in base64 for URLs, and not a placeholder.
  private static func isNumber(_ text: String?, least: Int) -> Bool {
    guard let text, text.utf8.count >= least, text.utf8.allSatisfy(TokenAlphabet.base64URL.has) else { return false }
    return TokenText.isMixed(Array(text.utf8)[...])
  }

  // MARK: The object

  /// The members of the object that the match is in, as far as it is there; nil if the match is not its first mark.
  private static func objectAround(_ match: ContentMatch) -> [String: String]? {
    guard let start = start(in: match.before) else { return nil }
    var depth = 0
    let end = match.after.firstIndex { byte in
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      return depth < 0 || depth > depthLimit
    }
    let text = match.before[start...] + match.after[..<(end ?? match.after.count)]
    let isEscaped = match.after.dropFirst(4).first == UInt8(ascii: "\\")
    return fields(isEscaped ? text.filter { $0 != UInt8(ascii: "\\") }[...] : text)
  }

  /// Where the object begins that goes on behind these bytes, as far as it is there; nil if another mark is in it.
  private static func start(in before: [UInt8]) -> Int? {
    var depth = 0
    for (index, byte) in before.enumerated().reversed() {
      switch byte {
      case UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "{"): depth -= 1
      case UInt8(ascii: "\"") where depth == 0:
        let name = before[..<index].suffix(5)
        guard !name.suffix(4).elementsEqual("\"kty".utf8), !name.elementsEqual("\"kty\\".utf8) else { return nil }
      default: break
      }
      if depth < 0 { return index + 1 }
      if depth > depthLimit { return nil }
    }
    return 0
  }

  /// The members of an object whose values are texts without escapes. Those of objects within it are not its own.
  private static func fields(_ object: ArraySlice<UInt8>) -> [String: String] {
    let quote = UInt8(ascii: "\"")
    var fields: [String: String] = [:]
    var (rest, depth) = (object, 0)
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      rest = rest.dropFirst()
      guard byte == quote else { continue }
      let name = rest.prefix { $0 != quote }
      rest = rest[name.endIndex...].dropFirst()
      guard let text = value(rest) else { continue }
      if depth == 0, name.count <= 8 { fields[String(decoding: name, as: UTF8.self)] = text }
      rest = rest.drop { $0 != quote }.dropFirst().drop { $0 != quote }.dropFirst()
    }
    return fields
  }

  /// The text behind a colon, as far as it is there; nil if something else is there.
  private static func value(_ rest: ArraySlice<UInt8>) -> String? {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
    let colon = rest.drop(while: isSpace)
    guard colon.first == UInt8(ascii: ":") else { return nil }
    let text = colon.dropFirst().drop(while: isSpace)
    guard text.first == UInt8(ascii: "\"") else { return nil }
    let value = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    // The longest numbers end behind what is there.
    guard text.dropFirst(value.count + 1).first != UInt8(ascii: "\\") else { return nil }
    return String(decoding: value, as: UTF8.self)
  }
}
