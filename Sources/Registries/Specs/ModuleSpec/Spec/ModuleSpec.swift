public import Signet
internal import SignetBase

/// The spec of a module: who made it, from which sources, and under which licence (docs/spec.md).
///
/// It is a text beside the module's sources, `NAME.modspec.json`. A host decides by `module.json`, which is signed;
/// a spec tells people and tools where the release comes from. In a repository of specs that a Modfile names, it also says
/// which releases there are, and must be signed as the host's policy demands. A spec that was read may still break rules:
/// ``SpecLint`` says which.
public struct ModuleSpec: Hashable, Sendable {
  /// The ending of a spec's file name.
  public static let fileSuffix = ".modspec.json"
  /// The most bytes of a spec's text: those of a module's description.
  public static let sizeLimit = 1 << 20

  /// The name, which begins the file name.
  public let name: String
  /// The release's version.
  public let version: SemanticVersion
  /// The module's identifier, by which a Modfile asks for it; nil if the spec does not say.
  public let identifier: ModuleIdentifier?
  /// The release's sequence; nil if the spec does not say.
  public let sequence: Int?
  /// What the module is, in a sentence.
  public let summary: String?
  /// What the module is, in several sentences.
  public let description: String?
  /// The address of the page about the module.
  public let homepage: String?
  /// The licence; nil if the spec has none.
  public let license: License?
  /// The people who made the module.
  public let authors: [Author]
  /// Where the sources are; nil if the spec does not say.
  public let source: Source?
  /// Where the built module is; nil for a release that is source alone.
  public let binary: Binary?
  /// The platforms that the module is for; empty for all.
  public let platforms: [Platform]
  /// The files that the module is built from.
  public let sourceFiles: [SourcePattern]
  /// The name by which code imports the module; nil if it is ``name``.
  public let moduleName: String?
  /// The source files that other code may include.
  public let publicHeaderFiles: [SourcePattern]
  /// The source files that only the module itself may include.
  public let privateHeaderFiles: [SourcePattern]
  /// Files that are not built, although a pattern of ``sourceFiles`` is for them.
  public let excludeFiles: [SourcePattern]
  /// Whether the sources in Objective-C are built with automatic reference counting; nil if the spec does not say. Signet
  /// keeps it for other tools: it builds no Objective-C.
  public let requiresARC: Bool?
  /// Other modules that this one needs.
  public let dependencies: [Dependency]

  let text: [UInt8]

  /// A licence.
  public struct License: Hashable, Sendable {
    /// The licence's name, such as `Apache-2.0`.
    public let type: String
    /// The path of the licence's text, relative to the spec's folder; nil if the spec does not say.
    public let file: String?
  }

  /// One who made the module.
  public struct Author: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The address for mail; nil if the spec does not say.
    public let email: String?
  }

  /// Where the sources are.
  public struct Source: Hashable, Sendable {
    /// The repository's address.
    public let git: String
    /// The tag of the release.
    public let tag: String?
    /// The full ID of the release's commit.
    public let commit: String?
  }

  /// A platform that the module is for.
  public struct Platform: Hashable, Sendable {
    /// The name: a lower-case letter, then lower-case letters, digits, `_` and `-`.
    public let name: String
    /// The lowest version of the platform, of one to three numbers; nil for every version.
    public let minimum: String?
  }

  /// Another module that this one needs.
  public struct Dependency: Hashable, Sendable {
    /// The other module's name.
    public let name: String
    /// The versions that fit, as the spec has them; nil for every version. A text that is no ``VersionRange`` breaks
    /// a rule.
    public let versions: String?
  }

  /// Specs are equal if their canonical texts are.
  public static func == (left: ModuleSpec, right: ModuleSpec) -> Bool { left.text == right.text }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The spec's one canonical JSON text. Empty lists are left out.
  public func canonicalBytes() -> [UInt8] { text }

  /// The file name of a spec with a name.
  public static func fileName(of name: String) -> String { name + fileSuffix }
}
