internal import SignetBase
internal import SignetNames

/// Which source may serve which module. For each module there is one answer, or none.
struct SourceScopes: Sendable {
  private let entries: [(pattern: Pattern, source: ModuleSource)]

  /// The most patterns of all sources together. All pairs of them are compared.
  static let patternLimit = 1024

  /// Two patterns that cover the same module, and neither is more specific.
  struct Overlap {
    let first: ModuleSource
    let second: ModuleSource
    let patterns: (ModulePattern, ModulePattern)
  }

  /// Reads the patterns of sources. `overlap` is the first pair that leaves open who may serve a module.
  init(_ sources: [ModuleSource], overlap: inout Overlap?) {
    var entries: [(pattern: Pattern, source: ModuleSource)] = []
    for source in sources {
      for each in source.modules {
        let pattern = Pattern(each)
        for known in entries where overlap == nil && known.source.name != source.name {
          let isDecided = pattern.isWithin(known.pattern) != known.pattern.isWithin(pattern)
          if pattern.overlaps(known.pattern), !isDecided {
            overlap = Overlap(first: known.source, second: source, patterns: (known.pattern.whole, each))
          }
        }
        entries.append((pattern, source))
      }
    }
    self.entries = entries
  }

  /// The source that may serve a module: that of the most specific pattern.
  ///
  /// Patterns of different sources that cover one module contain each other, so all patterns that no other one is
  /// within belong to one source.
  func source(of module: ModuleIdentifier) -> ModuleSource? {
    var best: (pattern: Pattern, source: ModuleSource)?
    let names = module.description.split(separator: ".")
    for entry in entries where entry.pattern.covers(names) {
      if let known = best, !entry.pattern.isWithin(known.pattern) { continue }
      best = entry
    }
    return best?.source
  }

  /// A pattern, label by label.
  private struct Pattern: Sendable {
    let whole: ModulePattern
    /// The labels without a `**` at the end.
    let labels: [String]
    /// Whether one or more labels follow.
    let isOpen: Bool

    init(_ pattern: ModulePattern) {
      whole = pattern
      let all = pattern.description.split(separator: ".").map(String.init)
      isOpen = all.last == "**"
      labels = isOpen ? Array(all.dropLast()) : all
    }

    /// Whether the pattern covers the module with these labels. They are split once for all patterns.
    func covers(_ names: [Substring]) -> Bool {
      guard isOpen ? names.count > labels.count : names.count == labels.count else { return false }
      return zip(labels, names).allSatisfy { $0 == "*" || $0 == $1 }
    }

    /// Whether the other pattern covers every module that this one covers.
    func isWithin(_ other: Pattern) -> Bool {
      guard labels.count >= other.labels.count else { return false }
      guard zip(labels, other.labels).allSatisfy({ $1 == "*" || $0 == $1 }) else { return false }
      if !other.isOpen { return !isOpen && labels.count == other.labels.count }
      return isOpen || labels.count > other.labels.count
    }

    /// Whether some module is covered by both.
    func overlaps(_ other: Pattern) -> Bool {
      guard zip(labels, other.labels).allSatisfy({ $0 == "*" || $1 == "*" || $0 == $1 }) else { return false }
      if labels.count == other.labels.count { return isOpen == other.isOpen }
      return labels.count < other.labels.count ? isOpen : other.isOpen
    }
  }
}
