/// Finds private keys in the form of JSON Web Keys (RFC 7517 and 7518, section 6; RFC 8037): an object with the kind of
/// key and its private number, in any order, also within a text of JSON.
enum JSONWebKey {
  /// The beginning of the name of the kind of key. In a text within JSON, backslashes are before the quotation mark at its
  /// end.
  static let literal = "\"kty"

  /// The number of bytes of a file in which one mark of an object is looked at. All members of an object are read with each
  /// such mark, so that each byte is read a few times at most, however many marks there are.
  static let blockSize = 2048

  /// The number of characters that a private number has on each curve.
  private static let curves: [String: Int] = [
    "P-256": 43, "P-384": 64, "P-521": 88, "secp256k1": 43, "Ed25519": 43, "X25519": 43, "Ed448": 76, "X448": 75,
  ]
  /// The least number of characters of an RSA key's private exponent: that of 512 bits.
  private static let leastRSA = 84
  private static let kinds = ["RSA", "EC", "OKP"].map { Array($0.utf8) }
  private static let name = Array("kty".utf8)

  /// The key in whose object a match names the kind.
  ///
  /// An object may have several marks, and each of them may be for a reader the one that counts. So every value of a name
  /// counts here.
  ///
  /// - Parameter near: how many of the bytes before the match are in the same block. If a mark of the same object is among
  ///   them, that one answers for the object.
  static func found(_ match: ContentMatch, near: Int) -> FoundKey? {
    // The quotation mark at its beginning has as many backslashes before it as that at its end.
    guard let count = JSONText.backslashes(atEndOf: match.after.dropFirst(literal.utf8.count)),
      let level = JSONText.level(count), match.before.suffix(count).elementsEqual(JSONText.backslashes(count))
    else { return nil }
    let quote = literal.utf8.prefix(1)
    func after(_ size: Int) -> ArraySlice<UInt8> {
      level == 0
        ? match.after[...] : quote + JSONText.plain(match.after.prefix(size).dropFirst(), level, isBefore: false)
    }
    let near = near >> level
    let text = after(markSize)
    guard
      isMark(text)
        || level > 0 && JSONText.isOpen(text.dropFirst(literal.utf8.count + 1)) && isMark(after(match.after.count))
    else { return nil }
    // Most marks need a look at little: the one before them is near. A text is shorter without its escapes.
    for size in [markSize, match.before.count] {
      let before = JSONText.plain(match.before.dropLast(count).suffix(size), level, isBefore: true)
      let start = JSONText.start(
        ofObjectBefore: before, unless: { before.endIndex - $0 <= near && isMark(before[$0...]) })
      guard let start else { return nil }
      guard !start.isCut || size == match.before.count else { continue }
      let members = JSONText.members(before[start.place...] + after(match.after.count))
      let kind = (members["kty"] ?? []).first { isPrivate(members, $0) }
      return kind.map { FoundKey(words: "\($0) in JWK", isEncrypted: false, offset: match.offset) }
    }
    return nil
  }

  /// The number of bytes in which a mark usually is.
  private static let markSize = 96

  /// Whether a text begins with the name of the kind of key, and a kind that can have a private number.
  private static func isMark(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: literal.utf8), let (text, rest) = JSONText.string(text), text == name,
      let value = JSONText.value(rest), let (kind, _) = JSONText.string(value)
    else { return false }
    return kinds.contains(kind)
  }

  private static func isPrivate(_ members: [String: [String]], _ kind: String) -> Bool {
    func has(_ name: String, _ least: Int, _ most: Int = .max) -> Bool {
      (members[name] ?? []).contains { isNumber($0, least) && $0.utf8.count <= most }
    }
    switch kind {
    // The exponent may be too far away. Then all numbers must be there that only a private key has besides it.
    case "RSA": return has("d", leastRSA) || ["dp", "dq", "qi"].allSatisfy { has($0, leastRSA / 2) }
    case "EC", "OKP":
      let lengths = Set((members["crv"] ?? []).compactMap { curves[$0] })
      return lengths.contains { has("d", $0, $0) }
    default: return false
    }
  }

  /// Whether a value is a number in base64 for URLs, and not a placeholder.
  private static func isNumber(_ text: String, _ least: Int) -> Bool {
    text.utf8.count >= least && text.utf8.allSatisfy(TokenAlphabet.base64URL.has)
      && TokenText.isMixed(Array(text.utf8)[...])
  }
}
