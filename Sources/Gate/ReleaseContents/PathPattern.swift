internal import SignetBase

/// A pattern for relative paths, such as `*.md`, `docs/**` or `linux/tool-*.deb`.
///
/// `*` stands for any characters in one name, and `**` as a whole name for any number of names. A pattern without a
/// slash is for the last name of a path, wherever it is. A pattern for a folder is for everything in it.
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  private let names: [[UInt8]]
  private let patterns: [StarPattern<UInt8>]
  private static let lengthLimit = 4096
  private static let anyNames = Array("**".utf8)

  /// Reads a pattern; nil if the text is empty, begins or ends with a slash, or has an empty name, `.` or `..`.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.lengthLimit, !text.utf8.contains(0) else { return nil }
    var names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
    let dot = UInt8(ascii: ".")
    guard !names.contains(where: { $0.isEmpty || $0 == [dot] || $0 == [dot, dot] }) else { return nil }
    if names.count == 1 { names.insert(Self.anyNames, at: 0) }
    description = text
    self.names = names
    patterns = names.map { StarPattern($0, star: UInt8(ascii: "*")) }
  }

  /// Patterns are equal if their bytes are.
  public static func == (left: PathPattern, right: PathPattern) -> Bool {
    left.description.isExactly(right.description)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(Array(description.utf8)) }

  /// Whether the pattern can be for a folder, and thereby for everything in it.
  ///
  /// Its last name must be that of the folder, or `**`. `*.md` is for files alone. Otherwise, a folder called `more.md`
  /// would be left out with everything in it.
  var isForFolders: Bool {
    guard let last = names.last else { return false }
    return last == Self.anyNames || !last.contains(UInt8(ascii: "*"))
  }

  /// The last name that the pattern is for, wherever it is; nil if it is for a path, or has a star.
  var literalName: [UInt8]? {
    guard names.count == 2, names[0] == Self.anyNames, !names[1].contains(UInt8(ascii: "*")) else { return nil }
    return names[1]
  }

  /// The names between the slashes of a path.
  package static func names(of path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
  }

  /// Whether the pattern is for a path.
  package func covers(_ path: String) -> Bool { covers(Self.names(of: path)) }

  /// Whether the pattern is for the path with these names.
  ///
  /// - Parameter mayBeginLater: whether the pattern may leave out the path's first names.
  package func covers(_ path: [[UInt8]], mayBeginLater: Bool = false) -> Bool {
    if names.count == 2, names[0] == Self.anyNames, names[1] != Self.anyNames {
      return path.last.map { patterns[1].covers($0) } ?? false
    }
    // Row by row: which of the path's beginnings the first patterns can stand for. It takes the product of the two
    // lengths, whatever the pattern.
    var reached = [Bool](repeating: mayBeginLater, count: path.count + 1)
    reached[0] = true
    if mayBeginLater { reached[path.count] = false }
    for (name, pattern) in zip(names, patterns) {
      var next = [Bool](repeating: false, count: path.count + 1)
      if name == Self.anyNames {
        var isReached = false
        for place in reached.indices {
          isReached = isReached || reached[place]
          next[place] = isReached
        }
      } else {
        for place in path.indices where reached[place] && pattern.covers(path[place]) { next[place + 1] = true }
      }
      reached = next
    }
    return reached[path.count]
  }
}
