internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// The differences between what two statements list of an archive or a directory.
enum EntryComparison {
  /// Adds a line for each entry that is new, gone or different.
  ///
  /// - Parameters:
  ///   - old: the entries of the last release, sorted by the bytes of their paths.
  ///   - new: the entries of this release, sorted alike.
  static func add(_ old: [DirectoryListing.Entry], _ new: [DirectoryListing.Entry], to lines: inout DetailLines) {
    forEachPair(old, new, by: \.path) { old, new in
      switch (old, new) {
      case (let old?, let new?): add(old, new, to: &lines)
      case (let old?, nil): lines.add("- \(old.path.word) \(words(old.content))")
      case (nil, let new?): lines.add("+ \(new.path.word) \(words(new.content))")
      case (nil, nil): break
      }
    }
  }

  /// Adds one line for all entries of an artifact that only one release has.
  static func addCount(_ sign: String, _ entries: [DirectoryListing.Entry], to lines: inout DetailLines) {
    lines.add("\(sign) \(Amount.of(entries.count, "entry", "entries"))")
  }

  private static func add(
    _ old: DirectoryListing.Entry, _ new: DirectoryListing.Entry, to lines: inout DetailLines
  ) {
    let name = new.path.word
    switch (old.content, new.content) {
    case (.file(let oldMode, let oldSize, let oldDigest), .file(let mode, let size, let digest)):
      if oldSize != size {
        lines.add("~ \(name) \(Amount.number(oldSize)) to \(Amount.number(size)) bytes")
      } else if oldDigest != digest {
        lines.add("~ \(name) \(Amount.of(size, "other byte", "other bytes"))")
      }
      addModes(name, oldMode, mode, to: &lines)
    case (.directory(let oldMode), .directory(let mode)): addModes(name, oldMode, mode, to: &lines)
    case (.symbolicLink(let oldTarget), .symbolicLink(let target)):
      if !oldTarget.isExactly(target) { lines.add("~ \(name) link to \(oldTarget.word), now to \(target.word)") }
    default: lines.add("~ \(name) \(words(old.content)), now \(words(new.content))")
    }
  }

  private static func addModes(_ name: String, _ old: FileMode, _ new: FileMode, to lines: inout DetailLines) {
    if old != new { lines.add("~ \(name) mode \(old) to \(new)") }
  }

  private static func words(_ content: DirectoryListing.Content) -> String {
    switch content {
    case .file(_, let size, _): Amount.of(size, "byte", "bytes")
    case .directory: "folder"
    case .symbolicLink(let target): "link to \(target.word)"
    }
  }
}
