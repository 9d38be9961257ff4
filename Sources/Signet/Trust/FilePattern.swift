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
