/// A part of a pattern: what a part of a URL has to be.
enum PatternPart: Hashable, Sendable {
  /// This text, decoded.
  case literal(String)
  /// Any text with something in front of the suffix; the text without the suffix is the parameter's value.
  case parameter(name: String, suffix: String)
  /// All parts that are left, if any: the tail. Always the last.
  case wildcard(name: String?)

  /// Two parts are the same when all bytes of their texts are.
  static func == (one: PatternPart, other: PatternPart) -> Bool {
    switch (one, other) {
    case (.literal(let text), .literal(let otherText)): text.isSame(as: otherText)
    case (.parameter(let name, let suffix), .parameter(let otherName, let otherSuffix)):
      name == otherName && suffix.isSame(as: otherSuffix)
    case (.wildcard(let name), .wildcard(let otherName)): name == otherName
    default: false
    }
  }

  /// A literal before a parameter, one with a longer suffix before a shorter, a parameter before a wildcard.
  fileprivate var rank: (Int, Int) {
    switch self {
    case .literal: (0, 0)
    case .parameter(_, let suffix): (1, -suffix.utf8.count)
    case .wildcard: (2, 0)
    }
  }
}

/// One way to read a pattern: its parts without anything optional.
struct PatternShape: Hashable, Sendable {
  let scheme: String
  let parts: [PatternPart]

  /// What makes two shapes match the same URLs: everything but names.
  var place: PatternShape {
    let parts = parts.map { (part) -> PatternPart in
      switch part {
      case .literal: part
      case .parameter(_, let suffix): .parameter(name: "", suffix: suffix)
      case .wildcard: .wildcard(name: nil)
      }
    }
    return PatternShape(scheme: scheme, parts: parts)
  }

  /// Names of the parameters and of the tail, in their order.
  var names: [String] {
    parts.compactMap { part in
      switch part {
      case .literal: nil
      case .parameter(let name, _): name
      case .wildcard(let name): name
      }
    }
  }

  /// The values that a URL has for the parameters.
  ///
  /// - Parameter parts: those of a URL that the shape matches.
  func values(in parts: [String]) -> [String: String] {
    var result: [String: String] = [:]
    for (part, text) in zip(self.parts, parts) {
      guard case .parameter(let name, let suffix) = part else { continue }
      result[name] = suffix.isEmpty ? text : String(decoding: text.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }
    return result
  }

  /// A part as it stands in a tail that is one text.
  static func joinable(_ part: String) -> String {
    guard part.utf8.contains(UInt8(ascii: "/")) else { return part }
    return part.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "%2F")
  }

  /// How many parts come before the tail.
  var headCount: Int {
    if case .wildcard = parts.last { parts.count - 1 } else { parts.count }
  }

  /// Whether it is looked at first, of two that match the same URL: the first part that is of another kind decides.
  func comesBefore(_ other: PatternShape) -> Bool {
    for (part, otherPart) in zip(parts, other.parts) where part.rank != otherPart.rank {
      return part.rank < otherPart.rank
    }
    // What ends comes before a tail without parts.
    return parts.count < other.parts.count
  }

  /// The name of the tail.
  var tailName: String? {
    if case .wildcard(let name) = parts.last { name } else { nil }
  }
}
