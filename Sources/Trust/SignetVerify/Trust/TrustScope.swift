internal import SignetBase

/// The artifacts that the signers of a policy's entry are trusted for. An empty scope covers nothing.
public struct TrustScope: Hashable, Sendable, CustomStringConvertible {
  /// Patterns for modules.
  public let modules: [ModulePattern]
  /// Patterns for URIs.
  public let uris: [URIPattern]
  /// Patterns for files and directories that are neither modules nor serve a URI.
  public let files: [FilePattern]

  /// Every module, every URI, and every other artifact.
  public static let everything = TrustScope(modules: [.any], uris: [.any])

  /// Creates a scope from patterns.
  public init(modules: [ModulePattern] = [], uris: [URIPattern] = [], files: [FilePattern] = []) {
    self.modules = modules
    self.uris = uris
    self.files = files
  }

  /// All patterns, for people.
  public var description: String {
    let patterns = modules.map { "module \($0)" } + uris.map { "URI \($0)" } + files.map { "file \($0)" }
    return patterns.isEmpty ? "nothing" : patterns.joined(separator: ", ")
  }

  /// Whether the scope covers an artifact with this role.
  ///
  /// If the role is neither a module nor a URI, the scope needs a file pattern for its name, or the pattern `**` for
  /// modules or URIs.
  public func covers(_ role: ArtifactRole) -> Bool {
    if let module = role.module, !modules.contains(where: { $0.covers(module) }) { return false }
    if let uri = role.uri, !uris.contains(where: { $0.covers(uri) }) { return false }
    if role.isNamed || modules.contains(.any) || uris.contains(.any) { return true }
    return role.file.map { name in files.contains { $0.covers(name) } } ?? false
  }
}

/// The role that an artifact has for a policy: a module, a URI that it serves, both, or neither.
///
/// The role comes from the caller, or from a statement that a trusted signer made. It never comes from what an
/// artifact says about itself.
public struct ArtifactRole: Hashable, Sendable, CustomStringConvertible {
  /// The module that the artifact is taken for.
  public let module: ModuleIdentifier?
  /// The URI that the artifact is to serve.
  public let uri: ModuleURI?
  /// The name of a file or directory that is taken for neither.
  public let file: String?

  /// The role of an artifact that is taken for nothing in particular.
  public static let unnamed = ArtifactRole()

  /// Creates the role of a module, of a URI, or of both. A scope must cover both.
  public init(module: ModuleIdentifier? = nil, uri: ModuleURI? = nil) {
    self.module = module
    self.uri = uri
    file = nil
  }

  /// Creates the role of a file or directory that is taken for neither a module nor a URI.
  public init(file name: String) {
    module = nil
    uri = nil
    file = name
  }

  /// The same role, with this name if the artifact is taken for neither a module nor a URI.
  package func named(_ name: String) -> ArtifactRole { isNamed ? self : ArtifactRole(file: name) }

  var isNamed: Bool { module != nil || uri != nil }

  /// The role, for messages.
  public var description: String {
    switch (module, uri) {
    case (let module?, let uri?): "module \(module) at \(uri)"
    case (let module?, nil): "module \(module)"
    case (nil, let uri?): "\(uri)"
    case (nil, nil): "\(file ?? "an artifact"), which is taken for no module and no URI"
    }
  }
}

/// A pattern for names of files that are neither modules nor serve a URI, such as `tool-*.deb`.
///
/// An entry's scope uses patterns to say which files its signers are trusted for. `*` matches any characters, or
/// none. Everything else matches itself, byte for byte.
public struct FilePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  private let pattern: StarPattern<UInt8>

  /// The pattern that covers every file and directory that is neither a module nor serves a URI.
  public static let any = FilePattern(unchecked: "*")

  /// Reads a pattern of 1 to 255 bytes, without slashes and control characters; nil if the text is not one.
  public init?(_ text: String) {
    guard (1...255).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") })
    else { return nil }
    self.init(unchecked: text)
  }

  private init(unchecked text: String) {
    description = text
    pattern = StarPattern(text.utf8, star: UInt8(ascii: "*"))
  }

  /// Patterns are equal if their bytes are.
  public static func == (left: FilePattern, right: FilePattern) -> Bool {
    left.description.isExactly(right.description)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(Array(description.utf8)) }

  /// Whether the pattern covers a name.
  public func covers(_ name: String) -> Bool { pattern.covers(Array(name.utf8)) }
}
