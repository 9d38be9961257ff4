/// A parser for the text of a pattern.
struct PatternParser {
  /// The greatest length in bytes, as in a module's description (docs/format.md, section 10).
  static let limit = 1024
  /// The greatest number of readings of a pattern: five optional parts side by side.
  static let shapeLimit = 32
  /// The greatest number of parts in all readings together: five optional parts in a pattern with sixteen parts.
  private static let totalLimit = 512
  /// The greatest depth of nested optional parts.
  private static let depthLimit = 8
  /// The greatest length of a name.
  private static let nameLimit = 64

  private let text: String
  private let scheme: String
  private let isOpaque: Bool
  private let body: ArraySlice<UInt8>

  /// - Throws: `pattern.too-long`, `pattern.malformed`.
  init(_ text: String, _ defaultScheme: String?) throws(PluginError) {
    let bytes = Array(text.utf8.prefix(Self.limit + 1))
    guard bytes.count <= Self.limit else {
      throw PluginError(
        .patternTooLong, PluginURL.shown(text), "is too long", expected: "at most \(Self.limit) bytes")
    }
    self.text = text
    let frame = URLFrame(bytes)
    guard frame.query == nil else { throw Self.malformed(text, "has a query") }
    guard !PluginURL.hasControl(bytes) else { throw Self.malformed(text, "has a control character") }
    do throws(PluginError) {
      if let separator = frame.schemeEnd(bytes) {
        scheme = try Self.scheme(bytes[..<separator], text)
        (isOpaque, body) = (false, bytes[(separator + 3)...])
      } else if let (colon, form) = frame.otherForm(bytes), (try? Self.scheme(bytes[..<colon], text)) != nil,
        form == .path || defaultScheme == nil || !Self.isPort(bytes[(colon + 1)...])
      {
        scheme = try Self.scheme(bytes[..<colon], text)
        (isOpaque, body) = (form == .opaque, bytes[(colon + 1)...])
      } else if let defaultScheme {
        scheme = try PluginURL.scheme(ArraySlice(defaultScheme.utf8), defaultScheme)
        (isOpaque, body) = (false, bytes.drop { $0 == UInt8(ascii: "/") })
      } else {
        throw Self.malformed(text, "has no scheme", expected: "a scheme and ://, as in ui://page/:id")
      }
    } catch { throw PluginError(.patternMalformed, error.object, error.message, expected: error.expected) }
  }

  /// A scheme, or `*` for every scheme.
  private static func scheme(_ bytes: ArraySlice<UInt8>, _ text: String) throws(PluginError) -> String {
    try bytes.elementsEqual(RouteKey.anyScheme.utf8)
      ? RouteKey.anyScheme : PluginURL.scheme(bytes, text)
  }

  /// Whether a part goes on with a port after its colon. With a default scheme, `h:80` is a host with a port.
  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = bytes.prefix(while: PluginURL.isDigit)
    let next = bytes.dropFirst(digits.count).first
    return !digits.isEmpty && (next == nil || next.map { "/(#".utf8.contains($0) } == true)
  }

  /// Every reading of the pattern: with and without each optional part.
  ///
  /// - Throws: `pattern.malformed`, `pattern.too-long`, `pattern.duplicate-name`.
  func shapes() throws(PluginError) -> [PatternShape] {
    var position = body.startIndex
    let texts = try expansions(&position, depth: 0)
    var places: Set<PatternPlace> = []
    var shapes: [PatternShape] = []
    var total = 0
    for text in texts {
      // With a slash after the colon it would be a URL of another form, which no opaque pattern matches.
      guard !isOpaque || text.first != UInt8(ascii: "/") else {
        throw Self.malformed(self.text, "begins with an optional slash", expected: "a slash outside of parentheses")
      }
      let shape = PatternShape(scheme: scheme, isOpaque: isOpaque, parts: try parts(text[...]))
      total += shape.parts.count
      guard total <= Self.totalLimit else { throw tooMany() }
      guard places.insert(shape.place).inserted else {
        throw Self.malformed(self.text, "is ambiguous: it reads the same with and without an optional part")
      }
      shapes.append(shape)
    }
    return shapes
  }

  /// The text up to a closing parenthesis or the end, with and without each optional part; longer readings first.
  private func expansions(_ position: inout Int, depth: Int) throws(PluginError) -> [[UInt8]] {
    var results: [[UInt8]] = [[]]
    while position < body.endIndex {
      let byte = body[position]
      if byte == UInt8(ascii: ")") {
        guard depth > 0 else { throw Self.malformed(text, "closes a parenthesis that is not open") }
        return results
      }
      position += 1
      guard byte == UInt8(ascii: "(") else {
        for index in results.indices { results[index].append(byte) }
        continue
      }
      guard depth < Self.depthLimit else { throw tooMany() }
      let inner = try expansions(&position, depth: depth + 1)
      guard position < body.endIndex else { throw Self.malformed(text, "has a parenthesis that is not closed") }
      position += 1
      guard inner != [[]] else { throw Self.malformed(text, "has empty parentheses") }
      guard results.count * (inner.count + 1) <= Self.shapeLimit else { throw tooMany() }
      results = results.flatMap { start in inner.map { start + $0 } + [start] }
    }
    return results
  }

  private func tooMany() -> PluginError {
    PluginError(
      .patternTooLong, PluginURL.shown(text), "has too many combinations of optional parts",
      expected:
        "at most \(Self.shapeLimit) with \(Self.totalLimit) parts in all, and \(Self.depthLimit) nested parentheses"
    )
  }

  private func parts(_ bytes: ArraySlice<UInt8>) throws(PluginError) -> [PatternPart] {
    let mark = bytes.firstIndex(of: UInt8(ascii: "#"))
    var parts = try parts(bytes[..<(mark ?? bytes.endIndex)], isPath: true, isLast: mark == nil)
    if let mark {
      let fragment = bytes[(mark + 1)...]
      guard fragment.first == UInt8(ascii: "/"), !fragment.contains(UInt8(ascii: "#")) else {
        throw Self.malformed(
          text, "has a fragment that is not one path", expected: "#/, or %23 for the character")
      }
      parts.append(.literal(PluginURL.fragmentMark))
      parts += try self.parts(bytes[(mark + 2)...], isPath: false, isLast: true)
    }
    guard parts.count <= PluginURL.partLimit else {
      throw PluginError(
        .patternTooLong, PluginURL.shown(text), "has too many parts", expected: "at most \(PluginURL.partLimit)")
    }
    var names: Set<String> = []
    for name in PatternShape(scheme: scheme, parts: parts).names where !names.insert(name).inserted {
      throw PluginError(.patternDuplicateName, PluginURL.shown(text), "has the parameter \(name) twice")
    }
    return parts
  }

  /// - Parameters:
  ///   - isPath: whether these are the parts of host and path, and not those of a fragment.
  ///   - isLast: whether nothing follows.
  private func parts(
    _ bytes: ArraySlice<UInt8>, isPath: Bool, isLast: Bool
  ) throws(PluginError) -> [PatternPart] {
    var pieces = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // One slash at the end is ignored, as in URLs.
    if pieces.last?.isEmpty == true { pieces.removeLast() }
    guard pieces.count <= PluginURL.partLimit else {
      throw PluginError(
        .patternTooLong, PluginURL.shown(text), "has too many parts", expected: "at most \(PluginURL.partLimit)")
    }
    var parts: [PatternPart] = []
    for (index, piece) in pieces.enumerated() {
      guard !piece.isEmpty || index == 0 && isPath else { throw Self.malformed(text, "has an empty segment") }
      let part = try part(piece, isHost: index == 0 && isPath)
      if case .wildcard = part, index != pieces.count - 1 || !isLast {
        throw Self.malformed(text, "has a wildcard that is not at the end")
      }
      parts.append(part)
    }
    return parts == [.literal("")] ? [] : parts
  }

  private func part(_ bytes: ArraySlice<UInt8>, isHost: Bool) throws(PluginError) -> PatternPart {
    let rest = bytes.dropFirst()
    switch bytes.first {
    case UInt8(ascii: ":"):
      let name = try name(rest.prefix(while: Self.isName))
      return .parameter(name: name, suffix: try literal(rest.drop(while: Self.isName)))
    case UInt8(ascii: "*"):
      let needsPart = rest.last == UInt8(ascii: "+")
      let bare = needsPart ? rest.dropLast() : rest
      guard !bare.isEmpty else { return .wildcard(name: nil, needsPart: needsPart) }
      guard bare.allSatisfy(Self.isName) else { throw Self.malformed(text, "has a wildcard with more than a name") }
      return .wildcard(name: try name(bare), needsPart: needsPart)
    default:
      // A port is not a parameter.
      let plain = isHost ? bytes.prefix { $0 != UInt8(ascii: ":") } : bytes
      guard bytes[plain.endIndex...].dropFirst().allSatisfy(PluginURL.isDigit) else {
        throw Self.malformed(text, "has a parameter within a part", expected: "a part that begins with it, or %3A")
      }
      let whole = try literal(plain) + String(decoding: bytes[plain.endIndex...], as: UTF8.self)
      guard whole != ".", whole != ".." else { throw Self.malformed(text, "has a part that URLs cannot have") }
      return .literal(whole)
    }
  }

  /// - Throws: `pattern.malformed`.
  private func literal(_ bytes: ArraySlice<UInt8>) throws(PluginError) -> String {
    guard !bytes.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*") }) else {
      throw Self.malformed(
        text, "has a parameter or wildcard within a part", expected: "%3A or %2A for the character")
    }
    let literal = PercentCoding.decode(bytes)
    guard !PluginURL.hasControl(literal) else {
      throw Self.malformed(text, "has a control character")
    }
    return literal
  }

  private func name(_ bytes: ArraySlice<UInt8>) throws(PluginError) -> String {
    guard let first = bytes.first, !PluginURL.isDigit(first), bytes.count <= Self.nameLimit else {
      throw Self.malformed(
        text, "has a parameter without a name",
        expected: "at most \(Self.nameLimit) letters, digits and _, a letter or _ first")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func isName(_ byte: UInt8) -> Bool {
    PluginURL.isLetter(byte) || PluginURL.isDigit(byte) || byte == UInt8(ascii: "_")
  }

  private static func malformed(_ text: String, _ message: String, expected: String? = nil) -> PluginError {
    PluginError(.patternMalformed, PluginURL.shown(text), message, expected: expected)
  }
}
