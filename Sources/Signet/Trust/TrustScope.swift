/// What an entry of a policy may speak for. An empty scope speaks for nothing.
public struct TrustScope: Hashable, Sendable, CustomStringConvertible {
  /// The modules.
  public let modules: [ModulePattern]
  /// The URIs.
  public let uris: [URIPattern]
  /// Files and directories that are taken for neither.
  public let files: [FilePattern]

  /// Everything: every module, every URI, and what is neither.
  public static let everything = TrustScope(modules: [.any], uris: [.any])

  /// A scope of these patterns.
  public init(modules: [ModulePattern] = [], uris: [URIPattern] = [], files: [FilePattern] = []) {
    self.modules = modules
    self.uris = uris
    self.files = files
  }

  /// Every pattern, for people.
  public var description: String {
    let patterns = modules.map { "module \($0)" } + uris.map { "URI \($0)" } + files.map { "file \($0)" }
    return patterns.isEmpty ? "nothing" : patterns.joined(separator: ", ")
  }

  /// Whether an entry with this scope may speak for an artifact that is taken for this. What is taken for no module and no
  /// URI needs an entry for files of its name, or one that speaks for every module or every URI.
  public func covers(_ role: ArtifactRole) -> Bool {
    if let module = role.module, !modules.contains(where: { $0.covers(module) }) { return false }
    if let uri = role.uri, !uris.contains(where: { $0.covers(uri) }) { return false }
    if role.isNamed || modules.contains(.any) || uris.contains(.any) { return true }
    return role.file.map { name in files.contains { $0.covers(name) } } ?? false
  }
}

/// What a caller takes an artifact for: which module it is, which URI it serves, or neither.
///
/// It comes from the caller, or from a statement that a trusted signer made, never from what an artifact says of
/// itself.
public struct ArtifactRole: Hashable, Sendable, CustomStringConvertible {
  /// The module it is taken for.
  public let module: ModuleIdentifier?
  /// The URI it is to serve.
  public let uri: ModuleURI?
  /// The name of a file or directory that is taken for neither.
  public let file: String?

  /// Nothing in particular.
  public static let unnamed = ArtifactRole()

  /// A module, a URI, or both: then an entry must speak for both.
  public init(module: ModuleIdentifier? = nil, uri: ModuleURI? = nil) {
    self.module = module
    self.uri = uri
    file = nil
  }

  /// A file or directory that is taken for no module and no URI.
  public init(file name: String) {
    module = nil
    uri = nil
    file = name
  }

  /// The same about an artifact of this name.
  func named(_ name: String) -> ArtifactRole { isNamed ? self : ArtifactRole(file: name) }

  var isNamed: Bool { module != nil || uri != nil }

  /// For messages.
  public var description: String {
    switch (module, uri) {
    case (let module?, let uri?): "module \(module) at \(uri)"
    case (let module?, nil): "module \(module)"
    case (nil, let uri?): "\(uri)"
    case (nil, nil): "\(file ?? "an artifact"), which is taken for no module and no URI"
    }
  }
}
