package import Signet
package import SignetBase

/// A spec with what is around it: all that a rule may look at.
package struct LintedSpec: Sendable {
  /// The module's description beside a spec.
  package enum Module: Sendable {
    /// There is none: the spec's folder has no code.
    case missing
    /// One with this version.
    case version(SemanticVersion)
    /// One that is none.
    case malformed(SignetError)
  }

  /// The spec.
  package let spec: ModuleSpec
  /// The last name of the spec's path.
  package let fileName: String
  /// The paths of the files in the spec's folder, from there. Hidden ones are left out.
  package let files: [String]
  /// The description beside the spec.
  package let module: Module
  /// The names in the path of each file.
  private let names: [[[Unicode.Scalar]]]
  /// The same for the files that the module is built from.
  private let sources: [[[Unicode.Scalar]]]

  package init(_ spec: ModuleSpec, fileName: String, files: [String], module: Module) {
    self.spec = spec
    self.fileName = fileName
    self.files = files
    self.module = module
    names = files.compactMap { SourcePattern.names(of: $0) }
    sources = names.filter { path in
      spec.sourceFiles.contains { $0.covers(path) } && !spec.excludeFiles.contains { $0.covers(path) }
    }
  }

  /// Whether a file of the folder fits a pattern.
  func hasFile(_ pattern: SourcePattern) -> Bool { names.contains { pattern.covers($0) } }

  /// Whether a file that the module is built from fits a pattern.
  func hasSource(_ pattern: SourcePattern) -> Bool { sources.contains { pattern.covers($0) } }

  /// Whether the folder has a file of this path.
  func hasFile(at path: String) -> Bool { files.contains { $0.isExactly(path) } }
}
