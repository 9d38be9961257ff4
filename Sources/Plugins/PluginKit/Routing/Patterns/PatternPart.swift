/// A part of a pattern, which a part of a URL has to match.
///
/// It takes 24 bytes: with a hundred thousand routes, most of the memory is their parts.
enum PatternPart: Hashable, Sendable {
  /// This text, decoded.
  case literal(String)
  /// Any text that is not empty; the name of the parameter.
  case parameter(String)
  /// A text that ends in the suffix, with something in front, which is the parameter's value.
  indirect case suffixed(name: String, suffix: String)
  /// All remaining parts: the tail. It is always the last part.
  case wildcard(name: String?, needsPart: Bool)

  /// A parameter; its suffix may be empty.
  static func parameter(name: String, suffix: String) -> PatternPart {
    suffix.isEmpty ? .parameter(name) : .suffixed(name: name, suffix: suffix)
  }

  /// The name of a parameter and its suffix, which may be empty; nil for any other part.
  var parameter: (name: String, suffix: String)? {
    switch self {
    case .parameter(let name): (name, "")
    case .suffixed(let name, let suffix): (name, suffix)
    case .literal, .wildcard: nil
    }
  }

  /// Two parts are equal if all bytes of their texts are.
  static func == (one: PatternPart, other: PatternPart) -> Bool {
    switch (one, other) {
    case (.literal(let text), .literal(let otherText)): text.isSame(as: otherText)
    case (.parameter(let name), .parameter(let otherName)): name == otherName
    case (.suffixed(let name, let suffix), .suffixed(let otherName, let otherSuffix)):
      name == otherName && suffix.isSame(as: otherSuffix)
    case (.wildcard(let name, let needsPart), .wildcard(let otherName, let otherNeedsPart)):
      name == otherName && needsPart == otherNeedsPart
    default: false
    }
  }

  /// Whether this stands between the parts of a URL and those of its fragment.
  var isFragmentMark: Bool { if case .literal(PluginURL.fragmentMark) = self { true } else { false } }

  /// Whether two parts match the same texts. Names do not count.
  func hasPlace(of other: PatternPart) -> Bool {
    switch (self, other) {
    case (.literal(let text), .literal(let otherText)): text.isSame(as: otherText)
    case (.parameter, .parameter): true
    case (.wildcard(_, let needsPart), .wildcard(_, let otherNeedsPart)): needsPart == otherNeedsPart
    case (.suffixed(_, let suffix), .suffixed(_, let otherSuffix)): suffix.isSame(as: otherSuffix)
    default: false
    }
  }

  /// Whether this matches one part of a URL.
  func takes(_ part: String) -> Bool {
    switch self {
    case .literal(let text): text.isSame(as: part)
    case .parameter: !part.isEmpty
    case .suffixed(_, let suffix): ParameterSuffix(suffix).takes(part)
    case .wildcard: true
    }
  }

  /// The order of parts: a literal before a parameter, a longer suffix before a shorter, a parameter before a wildcard,
  /// and a wildcard that needs a part before one that does not.
  fileprivate var rank: (Int, Int) {
    switch self {
    case .literal: (0, 0)
    case .parameter: (1, 0)
    case .suffixed(_, let suffix): (1, -suffix.utf8.count)
    case .wildcard(_, let needsPart): (2, needsPart ? 0 : 1)
    }
  }
}

/// One reading of a pattern: each optional part is either included or left out.
struct PatternShape: Hashable, Sendable {
  /// The key as a literal, and the parts after it, in one allocation.
  let steps: [PatternPart]

  init(scheme: String, isOpaque: Bool = false, parts: some Collection<PatternPart>) {
    var steps: [PatternPart] = []
    // Appending to an empty array would reserve memory for as many again.
    steps.reserveCapacity(parts.count + 1)
    let hasFragment = parts.contains { $0.isFragmentMark }
    steps.append(.literal(RouteKey(scheme: scheme, isOpaque: isOpaque, hasFragment: hasFragment).text))
    steps.append(contentsOf: parts)
    self.steps = steps
  }

  /// The key of the tree that the shape is in.
  var key: RouteKey { if case .literal(let text)? = steps.first { RouteKey(text: text) } else { RouteKey(text: "") } }

  /// The scheme; `*` for every scheme.
  var scheme: String { key.scheme }
  /// Whether the shape is for URLs of the form `scheme:rest`.
  var isOpaque: Bool { key.isOpaque }
  /// Whether the fragment of a URL counts.
  var hasFragment: Bool { key.hasFragment }
  /// Whether the shape is for every scheme.
  var isGlobal: Bool { key.isGlobal }

  /// The parts of a URL that the shape is compared with, as they are written.
  func rawParts(of url: PluginURL) -> [String] { hasFragment ? url.rawPartsWithFragment : url.rawParts }

  /// The parts after the scheme.
  var parts: ArraySlice<PatternPart> { steps.dropFirst() }

  /// The place of the shape. Shapes with the same place match the same URLs; names do not count.
  var place: PatternPlace { PatternPlace(shape: self) }

  /// Whether another shape matches the same URLs, compared from one step on.
  func hasPlace(of other: PatternShape, from first: Int) -> Bool {
    guard steps.count == other.steps.count else { return false }
    for index in steps.indices.dropFirst(first) where !steps[index].hasPlace(of: other.steps[index]) { return false }
    return true
  }

  /// Whether the shape matches the parts of a URL, compared from one part on.
  func takes(_ parts: [String], from first: Int) -> Bool {
    let count = headCount
    guard hasTail ? parts.count >= count + (needsPart ? 1 : 0) : parts.count == count else { return false }
    return takesHead(parts, from: first)
  }

  /// Whether the shape matches the first parts of a URL, compared from one part on.
  func takesHead(_ parts: [String], from first: Int) -> Bool {
    var index = first
    let count = headCount
    guard count <= parts.count else { return false }
    while index < count {
      guard steps[index + 1].takes(parts[index]) else { return false }
      index += 1
    }
    return true
  }

  /// Names of the parameters and of the tail, in order.
  var names: [String] {
    parts.compactMap { part in
      switch part {
      case .literal: nil
      case .parameter(let name), .suffixed(let name, _): name
      case .wildcard(let name, _): name
      }
    }
  }

  /// The values of the parameters in a URL.
  ///
  /// - Parameter parts: the parts of a URL that the shape matches.
  func values(in parts: [String]) -> [String: String] {
    var result: [String: String] = [:]
    for (part, text) in zip(self.parts, parts) {
      guard let (name, suffix) = part.parameter else { continue }
      result[name] = suffix.isEmpty ? text : String(decoding: text.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }
    return result
  }

  /// A part as it appears in a tail that is one text.
  static func joinable(_ part: String) -> String {
    guard part.utf8.contains(UInt8(ascii: "/")) else { return part }
    return part.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "%2F")
  }

  /// Whether the last part is a wildcard.
  var hasTail: Bool { if case .wildcard? = steps.last { true } else { false } }

  /// Whether the tail needs a part.
  var needsPart: Bool { if case .wildcard(_, needsPart: true)? = steps.last { true } else { false } }

  /// The number of parts before the tail.
  var headCount: Int { hasTail ? steps.count - 2 : steps.count - 1 }

  /// Whether this shape comes before another one that matches the same URL. A shape for one scheme comes before one for
  /// every scheme, and one for a fragment before one without. Then the first part of another rank decides.
  func comesBefore(_ other: PatternShape) -> Bool {
    guard isGlobal == other.isGlobal else { return !isGlobal }
    guard hasFragment == other.hasFragment else { return hasFragment }
    for (part, otherPart) in zip(parts, other.parts) where part.rank != otherPart.rank {
      return part.rank < otherPart.rank
    }
    // A shape that ends comes before one with an empty tail.
    return steps.count < other.steps.count
  }

  /// The name of the tail.
  var tailName: String? {
    if case .wildcard(let name, _)? = steps.last { name } else { nil }
  }
}

/// A shape as a key. Two keys are equal if their shapes match the same URLs; names do not count.
struct PatternPlace: Hashable, Sendable {
  let shape: PatternShape

  static func == (one: PatternPlace, other: PatternPlace) -> Bool { one.shape.hasPlace(of: other.shape, from: 0) }

  func hash(into hasher: inout Hasher) {
    for step in shape.steps {
      switch step {
      case .literal(let text): hasher.combine(text)
      case .parameter: hasher.combine(1)
      case .suffixed(_, let suffix): hasher.combine(suffix)
      case .wildcard(_, let needsPart): hasher.combine(needsPart ? 3 : 2)
      }
    }
  }
}
