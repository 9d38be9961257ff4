public import SignetBase

/// What replaces the offers of a module's source.
public enum ModuleOverride: Hashable, Sendable, CustomStringConvertible {
  /// A folder, relative to the Modfile.
  case path(FolderPath)
  /// A commit of a repository of git.
  case commit(GitCommit)

  /// The override, for messages.
  public var description: String {
    switch self {
    case .path(let path): "path \(path)"
    case .commit(let commit): "commit \(commit.id) of \(commit.repository)"
    }
  }
}

/// A relative path with `/` between its components. `..` may only come first, so that the text shows where it leads.
public struct FolderPath: Hashable, Sendable, CustomStringConvertible {
  /// The path's text.
  public let description: String

  /// The longest path: PATH_MAX of Linux without the NUL.
  private static let lengthLimit = 4095

  /// Reads a path.
  ///
  /// - Throws: `modfile.path`.
  public init(_ text: String) throws(SignetError) {
    let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    let isUp = { (component: [UInt8]) in component.elementsEqual("..".utf8) }
    let inside = components.drop(while: isUp)
    // Quotes end a text of a Modfile, and spaces at the ends of a line would be invisible in the lock.
    let isFit =
      text.utf8.count <= Self.lengthLimit && !text.utf8.contains(UInt8(ascii: "'"))
      && text.utf8.first != UInt8(ascii: " ") && text.utf8.last != UInt8(ascii: " ")
      && text.unicodeScalars.allSatisfy(ModfileText.isAllowed)
    let isPlain = inside.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !isUp($0) }
    guard isFit, isPlain, !components.isEmpty else {
      throw SignetError(
        .modfilePath, text.display, "is not a path that a Modfile can have",
        expected: "a relative path such as ../player, without empty components, . and .. behind a name",
        hint: "write the folder relative to the Modfile")
    }
    description = text
  }

  /// Paths are equal if their bytes are.
  public static func == (left: FolderPath, right: FolderPath) -> Bool {
    left.description.isExactly(right.description)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(Array(description.utf8)) }
}

/// A commit by its full ID. A branch, a tag or a short ID can come to mean something else.
public struct GitCommit: Hashable, Sendable {
  /// The repository's address: http or https without user name, password, query and fragment.
  public let repository: String
  /// The ID: 40 lower-case hexadecimal digits for SHA-1, or 64 for SHA-256.
  public let id: String

  /// Creates a commit.
  ///
  /// - Throws: `modfile.url`, `modfile.commit`.
  public init(repository: String, id: String) throws(SignetError) {
    self.repository = try ModuleSource.checked(repository, "git")
    guard [20, 32].contains(Hexadecimal.decode(id)?.count) else {
      throw SignetError(
        .modfileCommit, "commit", "is not the full ID of a commit",
        expected: "40 or 64 lower-case hexadecimal digits",
        found: id.display, hint: "git rev-parse NAME prints it")
    }
    self.id = id
  }
}
