/// Finds private keys in the form of JSON Web Keys (RFC 7517 and 7518, section 6; RFC 8037): an object with the kind of
/// key and its private number, in any order, also within a text of JSON, and with comments in it (JSONC), with ends of lines
/// in strings, or with strings in single quotation marks, as lenient readers take them (JSON5) and Python writes them.
enum JSONWebKey {
  /// The beginning of the name of the kind of key. In a text within JSON, backslashes are before the quotation mark at its
  /// end.
  static let literal = "\"kty"
  /// The same in single quotation marks.
  static let lenientLiteral = "'kty"

  /// The number of bytes of a file in which one mark of an object is looked at. All members of an object are read with each
  /// such mark, so that each byte is read a few times at most, however many marks there are.
  static let blockSize = 2048

  /// How deep objects and lists in a key are looked through where many marks are: each byte belongs to few objects then.
  private static let nearDepth = 4

  /// The number of characters that a private number has on each curve.
  private static let curves: [String: Int] = [
    "P-256": 43, "P-384": 64, "P-521": 88, "secp256k1": 43, "Ed25519": 43, "X25519": 43, "Ed448": 76, "X448": 75,
  ]
  /// The least number of characters of an RSA key's private exponent: that of 512 bits.
  private static let leastRSA = 84
  private static let kinds = ["RSA", "EC", "OKP"].map { Array($0.utf8) }
  private static let name = Array("kty".utf8)

  /// What is at a match that names the kind of a key.
  ///
  /// An object may have several marks, and each of them may be for a reader the one that counts. So every value of a name
  /// counts here.
  ///
  /// - Parameter near: how many of the bytes before the match are in the same block. If a mark of the same object is among
  ///   them, that one answers for the object.
  static func look(_ match: ContentMatch, near: Int) -> KeyLook {
    // The quotation mark at its beginning has as many backslashes before it as that at its end.
    guard let mark = match.after.first,
      let count = JSONText.backslashes(atEndOf: match.after.dropFirst(literal.utf8.count), beforeAnother: mark),
      let level = JSONText.level(count), match.before.suffix(count).elementsEqual(JSONText.backslashes(count))
    else { return .nothing }
    let text = Surroundings(match: match, count: count, level: level, hasComments: true)
    // A key may be in a comment, and comments may be in a key.
    if match.extent == .small || match.extent == .again { return look(text.withoutComments, near >> level).look }
    let found = look(text, near >> level)
    guard found.mayHaveComment, found.look == .nothing || match.extent != .near else { return found.look }
    if case .key = found.look { return found.look }
    // What removes comments reads all bytes around the mark, so it is counted.
    guard match.extent != .near else { return .unclear(.small) }
    let other = look(text.withoutComments, near >> level)
    return other.look == .nothing ? found.look : other.look
  }

  /// What is looked at next.
  private static func next(_ extent: ContentMatch.Extent) -> ContentMatch.Extent {
    switch extent {
    case .near, .again: .far
    case .small: .again
    case .far, .farthest: .farthest
    }
  }

  /// The number of bytes in which a mark usually is.
  private static let markSize = 96
  /// As much as is looked at first before and behind a mark, and then. Most marks need a look at little: the one before
  /// them is near, or their object is small.
  private static let sizes = [markSize, 768, .max]

  /// What was found, and whether a comment among what was read may have hidden more.
  private struct Found {
    var look = KeyLook.nothing
    var mayHaveComment = false
  }

  private static func look(_ text: Surroundings, _ near: Int) -> Found {
    let head = text.after(text.hasComments ? markSize : .max)
    guard isMark(head) || JSONText.isOpen(head.dropFirst(literal.utf8.count + 1)) && isMark(text.after(.max)) else {
      return Found(mayHaveComment: JSONComments.mayHaveComment(head))
    }
    let isNear = text.match.extent < .far
    let unclear = KeyLook.unclear(next(text.match.extent))
    let depthLimit = isNear ? nearDepth : .max
    var found = Found()
    // Comments can be told only from the beginning of a line on. So all is read at once if there may be some.
    for size in text.hasComments && isNear ? sizes : [.max] {
      let before = text.before(size)
      let start = JSONText.start(ofObjectBefore: before, depthLimit: depthLimit) {
        before.endIndex - $0 <= near && isMark(before[$0...])
      }
      let (place, isCut): (Int, Bool)
      switch start {
      case .answered(let other): return Found(mayHaveComment: JSONComments.mayHaveComment(before, from: other))
      case .tooDeep: return Found(look: unclear, mayHaveComment: JSONComments.mayHaveComment(before))
      case .at(let first): (place, isCut) = (first, false)
      case .cut(let first): (place, isCut) = (first, true)
      }
      let object = before[place...] + text.after(size)
      let members = JSONText.members(object, names, depthLimit: depthLimit, isAll: size == .max)
      if let kind = privateKind(members.values) {
        return Found(look: .key(FoundKey(words: "\(kind) in JWK", isEncrypted: false, offset: text.match.offset)))
      }
      found.mayHaveComment =
        JSONComments.mayHaveComment(before, from: place)
        || JSONComments.hasComment(object[..<min(members.end, object.endIndex)].dropFirst(before.endIndex - place))
      // A comment may have begun before what was read.
      guard !isNear || text.hasComments || !JSONComments.mayHaveCommentEnd(before[place...]) else {
        return Found(look: unclear)
      }
      // What an earlier round left open is answered: most keys are longer than the first one looks.
      guard isCut || members.ending != .closed else { return Found(mayHaveComment: found.mayHaveComment) }
      // The kind of key is also in programs, whose texts have no end that could be found. What is behind the object's end is
      // another text.
      let known = members.ending == .closed ? object[..<min(members.end, object.endIndex)] : object
      found.look = isNear || JSONText.mayBePart(known) ? unclear : .nothing
      if members.ending == .tooDeep { return found }
    }
    return found
  }

  /// The bytes around a match, without the escapes of a text within JSON.
  private struct Surroundings {
    let match: ContentMatch
    /// The number of backslashes before each quotation mark.
    let count: Int
    /// In how many texts of JSON the mark is.
    let level: Int
    var hasComments: Bool

    var withoutComments: Surroundings {
      var other = self
      other.hasComments = false
      return other
    }

    /// What stands before the mark, of at most so many bytes.
    func before(_ size: Int) -> ArraySlice<UInt8> {
      let text = match.before.dropLast(count).suffix(size)
      let plain = level == 0 ? text : JSONText.plain(text, level, isBefore: true)
      let isStart = level == 0 && size >= match.position && match.before.count == match.position
      return hasComments ? plain : JSONComments.withoutComments(plain, isName: isStart)
    }

    /// The mark and what stands behind it, of at most so many bytes.
    func after(_ size: Int) -> ArraySlice<UInt8> {
      let text = match.after.prefix(size)
      let plain = level == 0 ? text : text.prefix(1) + JSONText.plain(text.dropFirst(), level, isBefore: false)
      return hasComments ? plain : JSONComments.withoutComments(plain, isName: true)
    }
  }

  /// Whether a text begins with the name of the kind of key, and a kind that can have a private number.
  private static func isMark(_ text: ArraySlice<UInt8>) -> Bool {
    guard let mark = text.first, JSONText.isQuote(mark), text.dropFirst().starts(with: name),
      let (text, rest) = JSONText.string(text), text == name,
      let value = JSONText.value(rest), let (kind, _) = JSONText.string(value)
    else { return false }
    return kinds.contains(kind)
  }

  /// The kind of a private key; nil if there is none. A member may be there many times, so each of them is looked at once.
  private static func privateKind(_ members: [[[UInt8]]]) -> String? {
    func has(_ name: Name, _ least: Int, _ most: Int = .max) -> Bool {
      members[name.rawValue].contains { isNumber($0, least, most) }
    }
    let places = kinds.compactMap { kind in
      members[Name.kty.rawValue].firstIndex(of: kind).map { (kind: kind, place: $0) }
    }
    for (kind, _) in places.sorted(by: { $0.place < $1.place }) {
      let isPrivate: Bool
      if kind == kinds[0] {
        // The exponent may be too far away. Then all numbers must be there that only a private key has besides it.
        isPrivate = has(.d, leastRSA) || [.dp, .dq, .qi].allSatisfy { has($0, leastRSA / 2) }
      } else {
        let lengths = Set(members[Name.crv.rawValue].compactMap { curves[String(decoding: $0, as: UTF8.self)] })
        isPrivate = lengths.contains { has(.d, $0, $0) }
      }
      if isPrivate { return String(decoding: kind, as: UTF8.self) }
    }
    return nil
  }

  /// The members that tell a private key.
  private enum Name: Int, CaseIterable { case kty, crv, d, dp, dq, qi }
  private static let names = Name.allCases.map { Array("\($0)".utf8) }

  /// Whether a value is a number in base64, and not a placeholder. Some programs write the alphabet that is not for URLs,
  /// and the padding, and most read them.
  private static func isNumber(_ text: [UInt8], _ least: Int, _ most: Int) -> Bool {
    let digits =
      text.suffix(2).allSatisfy { $0 == padding } ? text.dropLast(2) : text.dropLast(text.last == padding ? 1 : 0)
    return digits.count >= least && digits.count <= most
      && digits.allSatisfy { TokenAlphabet.base64URL.has($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
      && TokenText.isMixed(digits)
  }

  private static let padding = UInt8(ascii: "=")
}
