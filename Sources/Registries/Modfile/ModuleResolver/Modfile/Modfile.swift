public import SignetBase
public import SignetNames

/// What a host's `Modfile` says: sources, and the modules that the host wants (docs/modfile.md).
public struct Modfile: Sendable {
  /// The registries, in the order of the file.
  public let sources: [ModuleSource]
  /// The modules outside of all targets. Each target has them, too.
  public let modules: [RequestedModule]
  /// The groups, in the order of the file.
  public let targets: [ModuleTarget]

  /// The host's version; nil if the file does not say. Releases that do not support it are not chosen.
  public private(set) var host: SemanticVersion?
  /// How long ago a release must have come before it is chosen; nil if the file does not say.
  public let minimumAge: MinimumAge?

  let scopes: SourceScopes
  let layout: ModfileLayout

  /// A line of a Modfile that asks for a module.
  public struct RequestedModule: Sendable {
    /// The module's identifier.
    public let identifier: ModuleIdentifier
    /// What replaces the offers of the module's source, or the versions that the line accepts.
    public let choice: Choice
    /// The numbers of the lines, from 1: a statement may go on in the next line.
    public let lines: ClosedRange<Int>

    /// The number of the first line.
    public var line: Int { lines.lowerBound }

    /// The versions that the line accepts; any with an override.
    public var versions: VersionRequirement {
      if case .versions(let versions) = choice { return versions }
      return .any
    }

    /// What replaces the offers of the module's source.
    public var override: ModuleOverride? {
      if case .override(let override) = choice { return override }
      return nil
    }
  }

  /// A line has versions or an override, and never both.
  public enum Choice: Hashable, Sendable {
    /// Versions from the module's source.
    case versions(VersionRequirement)
    /// A folder or a commit.
    case override(ModuleOverride)
  }

  /// A group: the modules of one host.
  public struct ModuleTarget: Sendable {
    /// The group's name.
    public let name: ModfileName
    /// The modules that the group has beside those outside of all groups.
    public let modules: [RequestedModule]
  }

  /// The most bytes of a Modfile. A person writes it.
  public static let sizeLimit = 1 << 20

  /// Reads a Modfile.
  ///
  /// - Throws: `modfile.…` with line and column.
  public init(_ bytes: [UInt8]) throws(SignetError) {
    var reader = try ModfileReader(bytes)
    self = try reader.read()
  }

  init(
    host: SemanticVersion?, minimumAge: MinimumAge?, sources: [ModuleSource], modules: [RequestedModule],
    targets: [ModuleTarget],
    scopes: SourceScopes, layout: ModfileLayout
  ) {
    self.host = host
    self.minimumAge = minimumAge
    self.sources = sources
    self.modules = modules
    self.targets = targets
    self.scopes = scopes
    self.layout = layout
  }

  /// The same Modfile for a host of another version.
  public func with(host: SemanticVersion) -> Modfile {
    var copy = self
    copy.host = host
    return copy
  }

  /// Whether the host's version is in a range. A host whose version is unknown is in each.
  package func supports(_ range: VersionRange?) -> Bool {
    guard let host, let range else { return true }
    return range.contains(host)
  }

  /// All lines that ask for modules: those outside of targets, then target by target.
  public var requests: [RequestedModule] { modules + targets.flatMap(\.modules) }

  /// The source that may serve a module: that of the most specific pattern; nil if no pattern covers it.
  public func source(of module: ModuleIdentifier) -> ModuleSource? { scopes.source(of: module) }

  /// The override of a module, if a line has one.
  public func override(of module: ModuleIdentifier) -> ModuleOverride? {
    for request in requests where request.identifier == module {
      if let override = request.override { return override }
    }
    return nil
  }

  /// The text that says the same without comments: first the host, then the sources, then the modules, then the targets.
  public var text: String {
    var blocks: [String] = []
    if let host { blocks.append("host '\(host)'\n") }
    if !sources.isEmpty { blocks.append(sources.map(Self.line).joined()) }
    if !modules.isEmpty { blocks.append(modules.map(Self.line).joined()) }
    for target in targets {
      let lines = target.modules.map { "  " + Self.line($0) }.joined()
      blocks.append("target '\(target.name)' do\n\(lines)end\n")
    }
    return blocks.joined(separator: "\n")
  }

  /// The line of a source, with its end.
  package static func line(_ source: ModuleSource) -> String {
    let patterns = source.modules.map { "'\($0)'" }
    let list = patterns.count == 1 ? patterns[0] : "[\(patterns.joined(separator: ", "))]"
    let specs = source.kind == .specs ? "specs: " : ""
    return "source '\(source.name)', \(specs)'\(source.url)', modules: \(list)\n"
  }

  static func line(_ module: RequestedModule) -> String {
    let rest =
      switch module.choice {
      case .versions(let versions): versions.comparators.map { ", '\($0)'" }.joined()
      case .override(.path(let path)): ", path: '\(path)'"
      case .override(.commit(let commit)): ", git: '\(commit.repository)', commit: '\(commit.id)'"
      }
    return "module '\(module.identifier)'\(rest)\n"
  }
}

/// Where the statements of a Modfile stand, for changes of its text.
struct ModfileLayout: Sendable {
  /// The patterns of a source.
  struct Patterns: Sendable {
    /// The place of the first pattern, or of the bracket before it.
    let start: ModfileText.Place
    /// The place behind the last pattern.
    let end: ModfileText.Place
    /// Whether the patterns stand in brackets.
    let isList: Bool
  }

  /// The last line of the host and the sources; 0 if there are none.
  var introduction = 0
  /// The patterns of each source that has some in the text.
  var patterns: [ModfileName: Patterns] = [:]
  /// The line with which each target begins.
  var targets: [ModfileName: Int] = [:]
}
