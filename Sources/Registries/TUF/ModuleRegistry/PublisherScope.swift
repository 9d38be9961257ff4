internal import ModuleCatalog
public import Signet
public import SignetBase
public import SignetTUF

/// The modules that a publisher may offer: patterns of a trust policy, and the paths of targets that they stand for.
///
/// `*` matches one label and `**` one or more, as in a policy. A pattern of paths has one depth, so `**` becomes one
/// pattern for each number of labels, up to 8.
public struct PublisherScope: Sendable {
  /// The patterns of modules.
  public let modules: [ModulePattern]
  /// The patterns of the targets' paths.
  public let paths: [TargetPattern]

  /// The components of a path behind the labels: the version and the file, or `releases` and the index.
  private static let rest = ["*", "*"]

  /// Creates a scope.
  ///
  /// - Throws: `repo.scope` for no pattern at all, and for one that covers no module that a registry takes.
  public init(_ modules: [ModulePattern]) throws(SignetError) {
    guard !modules.isEmpty else {
      throw SignetError(.repoScope, "publisher", "may offer nothing", expected: "a pattern such as com.example.**")
    }
    var paths: [String] = []
    for pattern in modules {
      let found = Self.labels(of: pattern).filter { (2...RegistryLayout.labelLimit).contains($0.count) }
      guard !found.isEmpty else {
        throw SignetError(
          .repoScope, "\(pattern)", "covers no module that a registry takes",
          expected: "a pattern for identifiers of 2 to \(RegistryLayout.labelLimit) labels")
      }
      for labels in found {
        let path = (labels + Self.rest).joined(separator: "/")
        if !paths.contains(path) { paths.append(path) }
      }
    }
    self.modules = modules
    self.paths = paths.map(TargetPattern.init)
  }

  /// The lists of labels that a pattern stands for, with `*` for one label each.
  private static func labels(of pattern: ModulePattern) -> [[String]] {
    let labels = pattern.description.split(separator: ".").map(String.init)
    guard labels.last == "**" else { return [labels] }
    let start = Array(labels.dropLast())
    guard start.count < RegistryLayout.labelLimit else { return [] }
    return (start.count + 1...RegistryLayout.labelLimit).map { count in
      start + [String](repeating: "*", count: count - start.count)
    }
  }

  /// The scope of a delegation.
  ///
  /// - Returns: nil if its patterns are not those of a publisher of modules.
  public init?(_ role: DelegatedRole) {
    guard case .paths(let patterns) = role.scope else { return nil }
    let modules = Self.modules(of: patterns)
    guard modules.count == patterns.count else { return nil }
    paths = patterns
    self.modules = modules
  }

  /// One pattern of modules for each pattern of paths; those that are not such patterns are left out.
  private static func modules(of paths: [TargetPattern]) -> [ModulePattern] {
    paths.compactMap { path in
      let names = path.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard names.count > rest.count, names.suffix(rest.count).elementsEqual(rest) else { return nil }
      // A dot in a name would read as the end of a label, and ** covers one name here and any number in a policy.
      let isPlain = names.allSatisfy { !$0.utf8.contains(UInt8(ascii: ".")) && !$0.isExactly("**") }
      guard isPlain else { return nil }
      return ModulePattern(names.dropLast(rest.count).joined(separator: "."))
    }
  }

  /// Patterns of paths in the words of a trust policy, `com.example.**` for all depths together.
  public static func words(for paths: [TargetPattern]) -> String {
    let modules = modules(of: paths)
    guard modules.count == paths.count else { return RoleChanges.text(paths) }
    var words: [String] = []
    var rest = modules.map(\.description)
    while let first = rest.first {
      let stars = first.split(separator: ".").reversed().prefix { $0 == "*" }.count
      let start = first.split(separator: ".").dropLast(stars).joined(separator: ".")
      let name = start.isEmpty ? "**" : "\(start).**"
      if let all = ModulePattern(name).map(labels(of:)) {
        let depths = all.filter { (2...RegistryLayout.labelLimit).contains($0.count) }.map {
          $0.joined(separator: ".")
        }
        if depths.count > 1, depths.allSatisfy({ rest.contains($0) }) {
          words.append(name)
          rest.removeAll { depths.contains($0) }
          continue
        }
      }
      words.append(first)
      rest.removeFirst()
    }
    return "modules \(words.joined(separator: ", "))"
  }

  /// Whether some module is covered by both scopes.
  func overlaps(_ other: PublisherScope) -> Bool {
    paths.contains { mine in other.paths.contains { Self.overlap(mine.text, $0.text) } }
  }

  private static func overlap(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.split(separator: "/"), right.split(separator: "/"))
    return left.count == right.count && zip(left, right).allSatisfy { $0 == "*" || $1 == "*" || $0 == $1 }
  }
}
