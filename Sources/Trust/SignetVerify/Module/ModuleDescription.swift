public import SignetBase

/// A module's description of itself: the `module.json` at the root of its archive (docs/format.md, section 10).
///
/// A host decides by it before anything is unpacked: which module and which release it is, what it needs, and what it
/// may register. A description counts only as part of a statement that a trusted signer made.
public struct ModuleDescription: Hashable, Sendable {
  /// The path of the description in a module.
  public static let path = "module.json"

  /// The module's permanent identifier.
  public let identifier: ModuleIdentifier
  /// The release's version, for people and ranges.
  public let version: SemanticVersion
  /// The release's sequence, from 1 to 2^53-1. It grows with every release, and it alone orders releases.
  public let sequence: Int
  /// The code for each platform; empty for a module that has only resources.
  public let binaries: [ModulePlatform: Binary]
  /// The C symbol that every binary exports as its entry; nil if and only if there is no binary.
  public let principal: String?
  /// Patterns of the routes that the module may register.
  public let routes: [String]
  /// Targets that the module may register, in the order of their names' bytes.
  public let targets: [Target]
  /// Names of the services that the module may provide.
  public let services: [String]
  /// The pages that the module may make, and what URLs may set on them.
  public let pages: Pages
  /// Paths of files and directories that the module offers as resources.
  public let resources: [String]
  /// Names of the permissions that the module asks its host for.
  public let permissions: [String]
  /// The requirements that must be met for the module to run.
  public let requirements: Requirements
  /// Whether the module is meant to ship inside its host. A downloaded release with a higher sequence replaces it.
  public let isEmbedded: Bool

  let text: [UInt8]

  /// The code for one platform.
  public struct Binary: Hashable, Sendable {
    /// The path of the shared library with the principal.
    public let path: String
    /// Names of the libraries that the binary needs from outside the module, as its dynamic section spells them.
    public let needed: [String]
    /// Paths of the shared libraries that the module brings.
    public let libraries: [String]
  }

  /// A target: a name under which actions can be called.
  public struct Target: Hashable, Sendable {
    /// The target's name.
    public let name: String
    /// The actions of the target, one or more.
    public let actions: [Action]
  }

  /// An action of a target, which code or a URL can call.
  public struct Action: Hashable, Sendable {
    /// The action's name.
    public let name: String
    /// Whether only code may call it, and URLs may not.
    public let isLocal: Bool
  }

  /// The requirements that must be met for a module to run.
  public struct Requirements: Hashable, Sendable {
    /// The acceptable versions of the host; nil if all are.
    public let host: VersionRange?
    /// Other modules that must be loaded first.
    public let modules: [ModuleRequirement]
  }

  /// Descriptions are equal if their texts are. Versions that differ only in build metadata make them unequal.
  public static func == (left: ModuleDescription, right: ModuleDescription) -> Bool { left.text == right.text }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The description's one canonical JSON text.
  public func canonicalBytes() -> [UInt8] { text }

  /// The description as a statement contains it. Empty and false values are left out.
  public var json: JSONValue {
    Self.json(
      identifier, version: version, sequence: sequence, binaries: binaries, principal: principal, routes: routes,
      targets: targets, services: services, pages: pages, resources: resources,
      permissions: permissions, requirements: requirements, isEmbedded: isEmbedded)
  }

  static func json(
    _ identifier: ModuleIdentifier, version: SemanticVersion, sequence: Int,
    binaries: [ModulePlatform: Binary], principal: String?, routes: [String], targets: [Target],
    services: [String], pages: Pages, resources: [String], permissions: [String],
    requirements: Requirements, isEmbedded: Bool
  ) -> JSONValue {
    let platforms = binaries.sorted { $0.key.rawValue < $1.key.rawValue }
    return .object(
      ("identifier", .string("\(identifier)")), ("version", .string("\(version)")),
      ("sequence", .integer(sequence)),
      ("binary", named(platforms.map { JSONValue.Member($0.key.rawValue, $0.value.json) })),
      ("principal", principal.map { .string($0) }), ("routes", list(routes)),
      ("targets", named(targets.map { JSONValue.Member($0.name, .array($0.actions.map(\.json))) })),
      ("services", list(services)), ("pages", list(pages.names)),
      ("boards", named(pages.boards.map { JSONValue.Member($0.name, texts($0.identifiers)) })),
      ("acceptedParameters", named(pages.acceptedParameters.map { JSONValue.Member($0.page, texts($0.names)) })),
      ("resources", list(resources)), ("permissions", list(permissions)),
      ("requires", requirements.json), ("embedded", isEmbedded ? JSONValue(.bool(true)) : nil))
  }

  fileprivate static func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : Self.texts(texts) }

  private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private static func named(_ members: [JSONValue.Member]) -> JSONValue? {
    members.isEmpty ? nil : JSONValue(.object(members))
  }

}

extension ModuleDescription.Binary {
  fileprivate var json: JSONValue {
    .object(
      ("path", .string(path)), ("needed", ModuleDescription.list(needed)),
      ("libraries", ModuleDescription.list(libraries)))
  }
}

extension ModuleDescription.Action {
  fileprivate var json: JSONValue {
    isLocal ? .object(("name", .string(name)), ("local", JSONValue(.bool(true)))) : .string(name)
  }
}

extension ModuleDescription.Requirements {
  fileprivate var json: JSONValue? {
    guard host != nil || !modules.isEmpty else { return nil }
    let modules = modules.map { module -> JSONValue in
      .object(("identifier", .string("\(module.identifier)")), ("versions", .string("\(module.versions)")))
    }
    return .object(
      ("host", host.map { .string("\($0)") }), ("modules", modules.isEmpty ? nil : .array(modules)))
  }
}
