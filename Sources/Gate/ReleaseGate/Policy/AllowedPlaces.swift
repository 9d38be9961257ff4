internal import SignetBase

/// The places where a policy allows what a rule would refuse: patterns of artifacts, and of entries in them.
///
/// A pattern is for a path from the release's folder, in which the names of archives count as those of folders. It may
/// leave out the first names: `tests/*.key` is also for `tool-1.0.tar.gz!tool-1.0/tests/server.key`.
package struct AllowedPlaces: Sendable {
  private let patterns: [PathPattern]

  /// What people are told of the option.
  ///
  /// - Parameter what: what need not be as the rule demands.
  static func option(_ what: String, like example: String) -> (name: String, meaning: String) {
    ("allow", "patterns of artifacts and entries that \(what), such as \(example)")
  }

  /// Takes the option `allow` of a rule.
  ///
  /// - Throws: `json.wrong-value` for something that is no pattern.
  init(_ options: inout RuleOptions, like example: String) throws(SignetError) {
    patterns = try options.patterns("allow", like: example)
  }

  init(_ patterns: [PathPattern]) { self.patterns = patterns }

  /// Whether a place is allowed.
  ///
  /// - Parameters:
  ///   - entry: the entry of the artifact, with `!` between the names of archives; nil for the artifact itself.
  ///   - artifact: its path from the release's folder.
  func cover(_ entry: String?, in artifact: String) -> Bool {
    guard !patterns.isEmpty else { return false }
    var names = PathPattern.names(of: artifact)
    for inner in entry?.utf8.split(separator: UInt8(ascii: "!")) ?? [] {
      names += inner.split(separator: UInt8(ascii: "/")).map { Array($0) }
    }
    // Longer paths are refused before any rule looks at them, or are cut.
    return patterns.contains { $0.covers(names, mayBeginLater: true) }
  }
}
