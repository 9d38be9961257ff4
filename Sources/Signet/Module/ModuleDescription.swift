/// What a module says of itself: the `module.json` at the root of its archive (docs/format.md, section 10).
///
/// A host decides by it before anything is unpacked: who the module is, which release, what it needs and what it may
/// register. It counts for something only as part of a statement that a trusted signer made.
public struct ModuleDescription: Hashable, Sendable {
  /// The path of the description in a module.
  public static let path = "module.json"

  /// Who the module is, for good.
  public let identifier: ModuleIdentifier
  /// The release, for people and ranges.
  public let version: SemanticVersion
  /// The release's number, from 1 to 2^53-1, which grows with every release: it alone orders them.
  public let sequence: Int
  /// The code, by platform; empty for a module of nothing but resources.
  public let binaries: [ModulePlatform: Binary]
  /// The C symbol that every binary exports as its entry; nil exactly when there is no binary.
  public let principal: String?
  /// Patterns of the routes that the module may register.
  public let routes: [String]
  /// Targets that the module may register, in the order of their names' bytes.
  public let targets: [Target]
  /// Names of the services that the module may provide.
  public let services: [String]
  /// Paths of files and directories that the module offers as resources.
  public let resources: [String]
  /// Names of what the module asks its host for.
  public let permissions: [String]
  /// What must be there for the module to run.
  public let requirements: Requirements
  /// Whether the module is meant to ship inside its host; a downloaded release replaces it when its sequence is higher.
  public let isEmbedded: Bool

  let text: [UInt8]

  /// The code for one platform.
  public struct Binary: Hashable, Sendable {
    /// The path of the shared library with the principal.
    public let path: String
    /// Names of the libraries it needs from outside of the module, as its dynamic section spells them.
    public let needed: [String]
    /// Paths of the shared libraries that the module brings for itself.
    public let libraries: [String]
  }

  /// A name under which actions can be called.
  public struct Target: Hashable, Sendable {
    /// The target's name.
    public let name: String
    /// Its actions, one or more.
    public let actions: [Action]
  }

  /// Something that can be called.
  public struct Action: Hashable, Sendable {
    /// The action's name.
    public let name: String
    /// Whether only code may call it, and no URL.
    public let isLocal: Bool
  }

  /// What must be there for a module to run.
  public struct Requirements: Hashable, Sendable {
    /// The versions of the host that will do; nil when any will.
    public let host: VersionRange?
    /// Other modules that must be loaded before.
    public let modules: [Dependency]
  }

  /// Another module that must be loaded before.
  public struct Dependency: Hashable, Sendable {
    /// The other module.
    public let identifier: ModuleIdentifier
    /// Its versions that will do.
    public let versions: VersionRange
  }

  /// Descriptions with the same text are the same: version numbers that only differ in build metadata are not.
  public static func == (left: ModuleDescription, right: ModuleDescription) -> Bool { left.text == right.text }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The description's one canonical JSON text.
  public func canonicalBytes() -> [UInt8] { text }
}
