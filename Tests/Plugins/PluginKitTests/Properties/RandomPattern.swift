import TestSupport

/// A pattern made part by part, and then written down.
struct RandomPattern {
  /// A part, or an optional run of them.
  private indirect enum Item {
    case part(SlowPart, written: String)
    case optional([Item])

    var isOptional: Bool { if case .optional = self { true } else { false } }
  }

  let text: String
  let shapes: [SlowShape]

  /// Two ways to read it match the same URLs, or a name is twice in one: such patterns are refused.
  var hasTwins: Bool { Set(shapes.map(\.place)).count < shapes.count }
  var hasNameTwice: Bool { shapes.contains { Set($0.names).count < $0.names.count } }

  init(_ random: inout SeededRandom) {
    let scheme = random.one(of: RandomTexts.schemes)
    var leading: [Item] = []
    var items: [Item] = []
    if !random.once(in: 12) {
      if random.once(in: 8) { leading.append(.optional([Self.part(&random, isHost: false)])) }
      items.append(Self.part(&random, isHost: leading.isEmpty))
      for _ in 0..<random.one(of: [0, 1, 1, 2, 2, 3, 4]) { items.append(Self.item(&random, depth: 0)) }
      let fragment = random.once(in: 6) ? Self.fragment(&random) : []
      items += fragment
      // A tail is the last part, and may not be in front of parentheses.
      if !fragment.contains(where: \.isOptional), random.once(in: 4) { items.append(Self.tail(&random)) }
    } else if random.once(in: 3) {
      items.append(Self.tail(&random))
    }
    let body =
      leading.map { Self.text($0, slashBehind: true) }.joined()
      + items.enumerated().map { Self.text($1, slashInFront: $0 > 0) }.joined()
    text =
      RandomTexts.written(scheme: scheme, &random) + "://" + body + (random.once(in: 6) ? "/" : "")
    shapes = Self.ways(to: leading + items).map { parts in
      // An empty host with nothing behind it is none.
      let path = parts.prefix { $0 != .text(SlowURL.mark) }
      return SlowShape(scheme: scheme, parts: Array(path == [.text([])] ? parts.dropFirst() : parts[...]))
    }
  }

  private static func item(_ random: inout SeededRandom, depth: Int) -> Item {
    guard depth < 2, random.once(in: 4) else { return part(&random, isHost: false) }
    return .optional((0...random.below(2)).map { _ in item(&random, depth: depth + 1) })
  }

  private static func part(_ random: inout SeededRandom, isHost: Bool) -> Item {
    let reserved = "/?#%:*()"
    if random.below(5) < 2 {
      let name = random.one(of: RandomTexts.names)
      let suffix = random.one(of: RandomTexts.suffixes)
      // A letter would go on with the name.
      let first = suffix.first.map { $0 >= 0x61 && $0 <= 0x7a } == true
      return .part(
        .value(name: name, suffix: suffix),
        written: ":" + name + RandomTexts.written(suffix, reserved: reserved, encodesFirst: first, &random))
    }
    if isHost, random.once(in: 10) { return .part(.text([]), written: "") }
    let text = random.one(of: RandomTexts.parts)
    if isHost, text == Array("h:80".utf8), random.once(in: 2) { return .part(.text(text), written: "h:80") }
    return .part(.text(text), written: RandomTexts.written(text, reserved: reserved, &random))
  }

  /// A fragment that is a path; sometimes as an optional part.
  private static func fragment(_ random: inout SeededRandom) -> [Item] {
    let mark = Item.part(.text(SlowURL.mark), written: "#")
    let parts = (0...random.below(2)).map { _ in part(&random, isHost: false) }
    return random.once(in: 3) ? [.optional([mark] + parts)] : [mark] + parts
  }

  private static func tail(_ random: inout SeededRandom) -> Item {
    let name = random.once(in: 2) ? random.one(of: RandomTexts.names) : nil
    let needsPart = random.once(in: 2)
    return .part(.rest(name: name, needsPart: needsPart), written: "*" + (name ?? "") + (needsPart ? "+" : ""))
  }

  private static func text(_ item: Item, slashInFront: Bool = false, slashBehind: Bool = false) -> String {
    switch item {
    case .part(.text(SlowURL.mark), let written): written
    case .part(_, let written): (slashInFront ? "/" : "") + written + (slashBehind ? "/" : "")
    case .optional(let items):
      "(" + items.map { text($0, slashInFront: slashInFront, slashBehind: slashBehind) }.joined() + ")"
    }
  }

  private static func ways(to items: [Item]) -> [[SlowPart]] {
    guard let first = items.first else { return [[]] }
    let rest = ways(to: Array(items.dropFirst()))
    switch first {
    case .part(let part, _): return rest.map { [part] + $0 }
    case .optional(let inner): return (ways(to: inner) + [[]]).flatMap { start in rest.map { start + $0 } }
    }
  }
}

/// A URL made part by part, and then written down.
struct RandomURL {
  let url: SlowURL
  let text: String

  /// - Parameter entries: to one of which it is near, mostly.
  init(near entries: [SlowEntry], _ random: inout SeededRandom) {
    var scheme = random.one(of: RandomTexts.schemes)
    var parts: [[UInt8]] = []
    if !entries.isEmpty, !random.once(in: 8) {
      let shape = random.one(of: random.one(of: entries).shapes)
      scheme = shape.scheme
      parts = shape.head.map { part in
        guard case .value(_, let suffix) = part else {
          if case .text(let text) = part { return text }
          return []
        }
        return random.one(of: RandomTexts.parts) + suffix
      }
      if shape.hasTail { for _ in 0..<random.below(3) { parts.append(random.one(of: RandomTexts.parts)) } }
      if shape.hasTail, random.once(in: 3) { parts.append(random.one(of: RandomTexts.parts)) }
      if !parts.isEmpty, random.once(in: 3) { parts[random.below(parts.count)] = random.one(of: RandomTexts.parts) }
      if !parts.isEmpty, random.once(in: 6) { parts.removeLast() }
      if random.once(in: 4) { for _ in 0...random.below(2) { parts.append(random.one(of: RandomTexts.parts)) } }
    } else {
      for _ in 0..<random.below(4) { parts.append(random.one(of: RandomTexts.parts)) }
    }
    if parts.dropFirst().contains([]) || parts == [[]] { parts = [] }
    var url = SlowURL(scheme: scheme, parts: parts)
    var end = random.once(in: 6) ? "/" : ""
    if let fragment = url.fragment {
      end += "#/" + fragment.map { RandomTexts.written($0, reserved: "/?#%", &random) }.joined(separator: "/")
      end += fragment.isEmpty ? "" : random.one(of: ["", "/", "?", "?a=b#c"])
    } else {
      let (text, fragment) = random.one(
        of: [
          ("", nil), ("", nil), ("", nil), ("?", nil), ("?a=b&id=x://y", nil), ("#/a", ["a"]), ("?x#y", nil),
          ("#y?x=%zz", nil), ("?#/a/b", ["a", "b"]), ("#//a", nil), ("#/a//b", nil), ("#/./a", nil), ("#/", []),
        ] as [(String, [String]?)])
      end += text
      url.fragment = fragment?.map { Array($0.utf8) }
    }
    self.url = url
    text =
      RandomTexts.written(scheme: scheme, &random) + "://"
      + url.parts.map { RandomTexts.written($0, reserved: "/?#%", &random) }.joined(separator: "/") + end
  }
}
