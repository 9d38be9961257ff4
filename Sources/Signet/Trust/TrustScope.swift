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

/// Which modules an entry may speak for: identifiers, label by label.
///
/// `com.example.player` is that module alone; `*` stands for exactly one label; `**`, which may only come last, for one
/// label or more. No regular expressions: what a pattern covers has to be seen at a glance.
public struct ModulePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  private let labels: [Substring]

  /// Every module there is.
  public static let any = ModulePattern(unchecked: "**")

  /// Reads a pattern; nil when it is none.
  public init?(_ text: String) {
    self.init(unchecked: text)
    guard text.utf8.count <= ModuleIdentifier.lengthLimit, !labels.isEmpty else { return nil }
    for (index, label) in labels.enumerated() {
      let isLast = index == labels.count - 1
      guard label == "*" || (isLast && label == "**") || ModuleIdentifier.isLabel(label) else { return nil }
    }
  }

  private init(unchecked text: String) {
    description = text
    labels = text.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Whether a module's identifier is one the pattern covers.
  public func covers(_ module: ModuleIdentifier) -> Bool {
    let names = module.description.split(separator: ".")
    for (index, label) in labels.enumerated() {
      guard index < names.count else { return false }
      if label == "**" { return true }
      guard label == "*" || label == names[index] else { return false }
    }
    return names.count == labels.count
  }
}

/// Which files an entry may speak for that are neither modules nor serve a URI, by their names: `tool-*.deb`.
///
/// `*` stands for any characters, also for none; everything else stands for itself, byte for byte.
public struct FilePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  private let parts: [[UInt8]]

  /// Every file and directory that is neither a module nor serves a URI.
  public static let any = FilePattern(unchecked: "*")

  /// Reads a pattern; nil when it is none: 1 to 255 bytes, without slashes and control characters.
  public init?(_ text: String) {
    guard (1...255).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") })
    else { return nil }
    self.init(unchecked: text)
  }

  private init(unchecked text: String) {
    description = text
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Patterns are the same when their bytes are.
  public static func == (left: FilePattern, right: FilePattern) -> Bool { left.parts == right.parts }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  /// Whether a name is one the pattern covers.
  public func covers(_ name: String) -> Bool {
    var rest = Array(name.utf8)[...]
    guard parts.count > 1 else { return rest.elementsEqual(parts[0]) }
    let (first, last) = (parts[0], parts[parts.count - 1])
    guard rest.count >= first.count + last.count, rest.starts(with: first),
      rest.suffix(last.count).elementsEqual(last)
    else { return false }
    rest = rest.dropFirst(first.count).dropLast(last.count)
    // What stands between two stars is taken as early as it comes: that leaves the most for what follows.
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let place = Self.place(of: part, in: rest) else { return false }
      rest = rest[(place + part.count)...]
    }
    return true
  }

  private static func place(of part: [UInt8], in rest: ArraySlice<UInt8>) -> Int? {
    guard rest.count >= part.count else { return nil }
    return (rest.startIndex...(rest.endIndex - part.count)).first { rest[$0...].starts(with: part) }
  }
}
