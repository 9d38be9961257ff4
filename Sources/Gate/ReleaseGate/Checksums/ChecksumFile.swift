internal import SignetBase
internal import SignetSystem

/// A file of a release that states checksums of others, by its name.
enum ChecksumFile {
  /// A list such as `SHA256SUMS`, or `tool_1.0_checksums.txt`.
  case list(Naming)
  /// A file such as `setup.exe.sha256`, which is about the file in whose name it begins.
  case beside(String, Naming)
  /// A control file of Debian, such as `tool_1.0.dsc` or `Release`.
  case control
  /// The file by which an application finds its updates, such as `latest.yml`.
  case feed
  /// The manifest of a package of SwiftPM.
  case manifest

  /// What a name says about the function with which digests were made.
  enum Naming {
    /// It is one of SHA-2.
    case sha2
    /// It is BLAKE3, whose digests can have any length.
    case blake3
    /// Nothing, or less than which one of several.
    case none

    /// - Parameter word: the word of the name that says what the file is.
    init(_ word: String) {
      self =
        word.utf8.starts(with: "sha".utf8)
        ? .sha2 : ["b3", "blake3"].contains { word.utf8.starts(with: $0.utf8) } ? .blake3 : .none
    }
  }

  private static let functions = ["sha256", "sha384", "sha512"]
  private static let lists: Set<String> = [
    "checksum", "checksums", "shasums", "shasums256", "shasums384", "shasums512", "sha256sums", "sha384sums",
    "sha512sums",
    "sha256sum", "sha384sum", "sha512sum", "digests", "b2sum", "b2sums", "b3sum", "b3sums",
  ]

  /// The endings of files about one other, whose programs do not say how long their digests are.
  private static let others = ["b2", "b3", "blake2b", "blake3"]

  /// - Parameter path: the path in the release.
  /// - Returns: nil for any other file.
  init?(_ path: String) {
    let name = ReleasePath.baseName(of: path)
    if name.isExactly("Package.swift") {
      self = .manifest
      return
    }
    var lower = Array(name.utf8).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    if [".yml", ".yaml"].contains(where: { lower.reversed().starts(with: $0.utf8.reversed()) }) {
      self = .feed
      return
    }
    if ["release", "inrelease"].contains(where: { lower.elementsEqual($0.utf8) })
      || [".dsc", ".changes", ".buildinfo"].contains(where: { lower.reversed().starts(with: $0.utf8.reversed()) })
    {
      self = .control
      return
    }
    // A list may be a text, or have a signature around it, such as SHASUMS256.txt.asc, or before it, as signify writes it.
    for ending in [".asc", ".sig", ".txt", ".md", ".csv", ".asc"]
    where lower.reversed().starts(with: ending.utf8.reversed()) {
      lower.removeLast(ending.utf8.count)
    }
    let word = lower.reversed().prefix { !".-_".utf8.contains($0) }.reversed()
    let text = String(decoding: Array(word), as: UTF8.self)
    let rest = lower.count - text.utf8.count
    let isOther = rest > 1 && lower[rest - 1] == UInt8(ascii: ".") && Self.others.contains { text.isExactly($0) }
    let isFunction = isOther || Self.functions.contains { text.isExactly($0) }
    if isFunction || text.hasSuffix("sum"), Self.lists.contains(text) || isFunction, rest > 1,
      lower[rest - 1] == UInt8(ascii: ".")
    {
      let folder = path.utf8.dropLast(name.utf8.count)
      self = .beside(
        String(decoding: Array(folder) + Array(name.utf8.prefix(rest - 1)), as: UTF8.self), Naming(text))
    } else if text.isExactly("sum"), rest > 0,
      Self.functions.contains(where: { lower[..<(rest - 1)].reversed().starts(with: $0.utf8.reversed()) })
    {
      // Such as sha256.sum, which cargo-dist writes.
      self = .list(.sha2)
    } else if isFunction || Self.lists.contains(text) {
      self = .list(Naming(text))
    } else if case let first = String(decoding: lower.prefix { !".-_".utf8.contains($0) }, as: UTF8.self),
      first.utf8.starts(with: "sha".utf8), Self.lists.contains(first)
    {
      // Such as SHA256SUMS-linux.
      self = .list(.sha2)
    } else {
      return nil
    }
  }

  /// What its name says about the function with which its digests were made.
  var naming: Naming {
    switch self {
    case .list(let naming), .beside(_, let naming): naming
    case .control, .feed, .manifest: .sha2
    }
  }

  /// Whether such a file may state checksums, if it is too large to be read as a whole. Any text in YAML has the name of a feed.
  func mayState(_ file: RegularFile) throws(SignetError) -> Bool {
    let word: [UInt8]
    switch self {
    case .list, .beside, .control: return true
    case .feed: word = Array("sha512".utf8)
    case .manifest: word = Array("checksum".utf8)
    }
    var last: ArraySlice<UInt8> = []
    for start in stride(from: 0, to: file.size, by: 1 << 20) {
      let bytes = last + (try file.bytes(in: start..<min(start + 1 << 20, file.size)))
      if bytes.indices.dropLast(word.count - 1).contains(where: {
        bytes[$0] == word[0] && bytes[$0...].starts(with: word)
      }) {
        return true
      }
      last = bytes.suffix(word.count - 1)
    }
    return false
  }
}
