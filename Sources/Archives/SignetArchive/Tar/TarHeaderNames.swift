internal import SignetBase
internal import SignetNames

/// What programs without support for extended headers see in a tar: the names and targets in the headers themselves,
/// and the extended headers as files. Perl's Archive::Tar and PHP's PharData are such programs.
///
/// What they see must be harmless, too. The same rules hold for it as for the entries. Each name is the entry's own, as
/// far as the fields have room for it, or one that is known to be written in its place.
struct TarHeaderNames {
  /// The headers of an entry.
  struct Headers {
    /// The extended header, and whether it has a path or target in place of the header's.
    let extended: (header: TarHeader, hasPath: Bool, hasTarget: Bool)?
    let header: TarHeader
    /// The offset where they begin.
    let start: Int
  }

  /// Checks the names.
  ///
  /// - Parameter headers: the headers of the entries, in their order; the entries have been found sound.
  /// - Throws: `archive.tar-header`, `archive.duplicate-path`, `archive.path-conflict`, `path.…`.
  static func check(
    _ headers: [Headers], of entries: [ArchiveEntry], _ limits: ArchiveLimits
  ) throws(SignetError) {
    try checkFolder(entries)
    // Without extended headers, there is nothing to see except the entries.
    guard headers.contains(where: { $0.extended != nil }) else { return }
    var seen: [(String, EntryContent)] = []
    var hasPython = false
    for (headers, entry) in zip(headers, entries) {
      if let extended = headers.extended {
        let name = try Self.name(ofExtended: extended.header, entry, headers.start)
        // All extended headers of Python have the same name, which no entry has.
        if !name.isExactly(python) || !hasPython { seen.append((name, .file(size: 0))) }
        if name.isExactly(python) { hasPython = true }
      }
      seen.append(try Self.entry(headers, entry))
    }
    // There may be an extended header for every entry, and the directories that they lie in.
    var limits = limits
    limits.entries *= 4
    do throws(SignetError) {
      try ArchiveRules.check(seen, limits)
    } catch {
      var error = error
      error.hint = "this is what programs see that know no extended headers; \(TarHint.repack)"
      throw error
    }
  }

  /// Checks that no entry has the name of a stand-in, so that everything that is read can be written again.
  private static func checkFolder(_ entries: [ArchiveEntry]) throws(SignetError) {
    var folding = PathFolding()
    let reserved = folding.folded(TarWriter.folder)
    for entry in entries {
      // Almost no path begins with this letter.
      guard let first = entry.path.utf8.first, first | 0x20 == UInt8(ascii: "p") else { continue }
      let name = entry.path.utf8.prefix { $0 != slash }
      guard folding.folded(String(decoding: name, as: UTF8.self)) != reserved else {
        throw SignetError(
          .archiveTarHeader, entry.path, "has a name that programs use for extended headers",
          expected: "another name at the root",
          hint: "rename it, or pack it as a ZIP")
      }
    }
  }

  /// The minimum length of a file name that was cut: bsdtar leaves up to three of the name's 100 bytes empty.
  private static let cutLength = 97

  private static func isCut(_ header: TarHeader) -> Bool { header.nameFieldLength >= cutLength }

  // MARK: Entries

  private static func entry(
    _ headers: Headers, _ entry: ArchiveEntry
  ) throws(SignetError) -> (String, EntryContent) {
    let header = headers.header
    var name = try text(header.name, headers.start)
    if entry.content == .directory, name.utf8.last == slash { name = String(name.unicodeScalars.dropLast()) }
    if headers.extended?.hasPath == true {
      let isOwn = name.isExactly(entry.path) || (isCut(header) && entry.path.begins(with: name))
      guard isOwn || isOurs(name, "entries") else {
        throw other("name", headers.start, expected: entry.path, found: name)
      }
    }
    guard case .symbolicLink(let target) = entry.content else { return (name, entry.content) }
    let found = try text(header.linkName, headers.start)
    if headers.extended?.hasTarget == true {
      let isOwn =
        found.isExactly(target) || (header.linkName.count == TarField.linkName.count && target.begins(with: found))
      guard isOwn || isOurs(found, "links") || found.isExactly(libarchiveTarget) else {
        throw other("link name", headers.start, expected: target, found: found)
      }
    }
    return (name, .symbolicLink(target: found))
  }

  /// What libarchive writes if it has no room for a target.
  private static let libarchiveTarget = "././@LongSymLink"

  // MARK: Extended headers

  /// Python's name for every extended header.
  private static let python = "@PaxHeader"

  /// The path of an extended header, for a program that takes it for a file.
  private static func name(
    ofExtended header: TarHeader, _ entry: ArchiveEntry, _ start: Int
  ) throws(SignetError) -> String {
    let text = try text(header.name, start)
    if text.isExactly("././" + python) { return python }
    // GNU's tar puts the headers of top-level entries into "./PaxHeaders".
    let name = text.begins(with: "./") ? String(text.unicodeScalars.dropFirst(2)) : text
    if isOurs(name, "headers") { return name }
    let folder = EntryPath.parent(of: entry.path).map { $0 + "/" } ?? ""
    let base = String(entry.path.unicodeScalars.dropFirst(folder.unicodeScalars.count))
    let expected = folders(in: name, behind: folder).map { "\(folder)\($0)/\(base)" }
    guard expected.contains(where: { name.isExactly($0) || (isCut(header) && $0.begins(with: name)) }) else {
      throw other("name", start, expected: expected[0], found: text)
    }
    return name
  }

  /// What programs call the directory of extended headers: GNU's tar, perhaps with its process ID; libarchive; Go.
  private static func folders(in name: String, behind folder: String) -> [String] {
    let numbered = "PaxHeaders."
    let digits = name.utf8.dropFirst(folder.utf8.count + numbered.utf8.count).prefix { isDigit($0) }
    return ["PaxHeaders", "PaxHeader", numbered + String(decoding: digits, as: UTF8.self)]
  }

  // MARK: Texts

  /// Whether a text is one that ``TarWriter`` writes in place of another.
  private static func isOurs(_ text: String, _ what: String) -> Bool {
    let start = TarWriter.standIn(what)
    let number = text.utf8.dropFirst(start.utf8.count)
    return text.begins(with: start) && (1...5).contains(number.count) && number.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static let slash = UInt8(ascii: "/")

  private static func text(_ bytes: [UInt8], _ start: Int) throws(SignetError) -> String {
    guard UTF8Check.firstFault(in: bytes) == nil else {
      throw SignetError(
        .pathNotUTF8, String(decoding: bytes, as: UTF8.self),
        "is not UTF-8 in the header at \(start), which programs without extended headers read",
        hint: TarHint.repack)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func other(
    _ what: String, _ start: Int, expected: String, found: String
  ) -> SignetError {
    SignetError(
      .archiveTarHeader, "header at \(start)",
      "has a \(what) of its own beside the extended header's, which only some programs see", expected: expected,
      found: found, hint: TarHint.repack)
  }
}

extension String {
  /// Whether the text begins with these bytes.
  fileprivate func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }
}
