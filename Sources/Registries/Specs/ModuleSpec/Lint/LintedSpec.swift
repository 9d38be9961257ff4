package import Signet
package import SignetBase

/// A spec with what is around it: all that a rule may look at.
package struct LintedSpec: Sendable {
  /// The module's description beside a spec.
  package enum Module: Sendable {
    /// The description is missing: the spec's folder has no code.
    case missing
    /// This one.
    case described(ModuleDescription)
    /// A file that is not a valid description, and why.
    case malformed(SignetError)
  }

  /// What a checkout of the sources says of the release's tag.
  package enum Tag: Sendable {
    /// There is no such tag.
    case missing
    /// It leads to this commit. What is in it is known if the spec names it, and a Modfile can install it.
    case commit(String, CommitContents? = nil)
  }

  /// What a commit has of a release that is installed as source.
  package struct CommitContents: Sendable {
    /// The paths of the spec. The spec is the file of that name: a commit cannot hold its own ID, so the text may be
    /// another one.
    package let specs: [String]
    /// Whether the module's description is beside the spec.
    package let hasDescription: Bool
    /// Whether a source file that the spec names is below the spec's folder.
    package let hasSources: Bool
  }

  /// The spec.
  package let spec: ModuleSpec
  /// The last name of the spec's path.
  package let fileName: String
  /// The paths of the files in the spec's folder, from there. Hidden ones are left out.
  package let files: [String]
  /// The first line of the licence's file; nil if the spec names none that is there.
  package let licenseLine: String?
  /// The description beside the spec.
  package let module: Module
  /// What the checkout of the sources says, or nil.
  package let tag: Tag?
  /// The patterns that are for a file of the folder.
  private let patternsOfFiles: Set<SourcePattern>
  /// The patterns that are for a file that the module is built from.
  private let patternsOfSources: Set<SourcePattern>
  /// How much work it was to compare the patterns with the files.
  let steps: Int

  /// Compares each pattern with each file, once.
  ///
  /// - Parameter limit: the most steps of that.
  /// - Throws: `spec.too-hard`.
  package init(
    _ spec: ModuleSpec, fileName: String, files: [String], licenseLine: String? = nil, module: Module,
    tag: Tag? = nil, limit: Int = MatchBudget.usual
  ) throws(SignetError) {
    self.spec = spec
    self.fileName = fileName
    self.files = files
    self.licenseLine = licenseLine
    self.module = module
    self.tag = tag
    let names = files.compactMap { SourcePattern.names(of: $0) }
    let tree = FileTree(names)
    var budget = MatchBudget(limit)
    var covered: [SourcePattern: [Bool]] = [:]
    for pattern in spec.sourceFiles + spec.excludeFiles + spec.publicHeaderFiles + spec.privateHeaderFiles
    where covered[pattern] == nil {
      var each = [Bool](repeating: false, count: names.count)
      try tree.match(pattern, &each, &budget)
      covered[pattern] = each
    }
    var isSource = [Bool](repeating: false, count: names.count)
    for (patterns, isBuilt) in [(spec.sourceFiles, true), (spec.excludeFiles, false)] {
      for pattern in patterns {
        for (file, isCovered) in (covered[pattern] ?? []).enumerated() where isCovered { isSource[file] = isBuilt }
      }
    }
    patternsOfFiles = Set(covered.filter { $0.value.contains(true) }.keys)
    patternsOfSources = Set(covered.filter { zip($0.value, isSource).contains { $0 && $1 } }.keys)
    steps = budget.taken
  }

  /// Whether a file of the folder fits a pattern.
  func hasFile(_ pattern: SourcePattern) -> Bool { patternsOfFiles.contains(pattern) }

  /// Whether a file that the module is built from fits a pattern.
  func hasSource(_ pattern: SourcePattern) -> Bool { patternsOfSources.contains(pattern) }

  /// Whether the folder has a file of this path.
  func hasFile(at path: String) -> Bool { files.contains { $0.isExactly(path) } }
}
