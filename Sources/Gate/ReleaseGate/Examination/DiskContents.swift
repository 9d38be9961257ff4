internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The entries of a cpio, or of several with what follows them in an initial RAM disk, with what is wrong with them.
package struct DiskContents {
  /// The entries, as far as they could be listed.
  let entries: [ArtifactContents.Entry]
  /// The files among them, with their bytes.
  let archive: OpenedArchive
  /// Why two programs could see two archives in it, or why it leads out of its folder.
  let danger: SignetError?
  /// Why not all entries are known.
  let incomplete: SignetError?
  /// What is behind the archives and belongs to them.
  let behind: NextPart?

  /// The next part of a RAM disk, which is compressed.
  package struct NextPart {
    let source: any ByteSource
    let format: ContainerFormat
    /// The links of all parts before it.
    let links: RootLinks
  }

  /// Lists the entries.
  ///
  /// - Parameters:
  ///   - isPackage: whether it has the files of a package of Linux.
  ///   - links: those of the parts of a RAM disk that are before it, or nil.
  /// - Throws: what keeps it from finding out.
  init(
    _ source: any ByteSource, isPackage: Bool, after links: RootLinks?, _ budget: inout SearchBudget
  ) throws(SignetError) {
    var found: [CPIOArchive.Entry] = []
    var excess: SignetError?
    let archive = try CPIOArchive(source) { (entry) throws(SignetError) in
      guard excess == nil else { return }
      do throws(SignetError) {
        try budget.spendEntry(entry.name.count + entry.target.count, of: source.path)
        guard found.count < SearchBudget.entriesOfOne else { throw SearchBudget.tooManyEntries(source.path) }
        found.append(entry)
      } catch { excess = error }
    }
    self.archive = OpenedArchive(source: source, format: .tar, entries: found.compactMap(\.file))
    entries = found.map(\.listed).filter { !$0.path.utf8.isEmpty }.map { ArtifactContents.Entry($0) }
    incomplete = archive.fault ?? excess
    var danger = archive.fault ?? found.lazy.compactMap(\.danger).first
    let next = try archive.rest.flatMap { (rest) throws(SignetError) in try Self.part(of: source, from: rest) }
    if next == nil, let rest = archive.rest { danger = danger ?? Self.trailing(source, rest) }
    // Nothing else has several parts, in a package, too.
    let isPart = archive.count > 1 || next != nil || links != nil
    let isDisk = isPart || !isPackage && found.contains(where: \.isFirstProgram)
    var links = links ?? RootLinks()
    danger = danger ?? Self.danger(of: found, isDisk ? .disk : isPackage ? .package : .ordinary, &links)
    // A link of this part may lead into the next one.
    if isDisk { danger = danger ?? (next == nil ? links.danger : links.behind) }
    self.danger = danger
    behind = next.map { NextPart(source: $0.source, format: $0.format, links: links.forNextPart) }
  }

  private enum Kind { case ordinary, package, disk }

  /// The first danger of names and links, but for those that lead out of a disk.
  ///
  /// - Parameter links: gets the links of a disk.
  private static func danger(
    of entries: [CPIOArchive.Entry], _ kind: Kind, _ links: inout RootLinks
  ) -> SignetError? {
    var dangers = ListingDangers(kind == .ordinary ? .unpacked : .root)
    var first: SignetError?
    for (index, entry) in entries.enumerated() {
      // Each part of a disk is unpacked over those before it.
      if index > 0, entry.archive != entries[index - 1].archive {
        first = first ?? dangers.danger
        dangers = ListingDangers(.root)
      }
      dangers.note(entry.listed)
      if kind == .disk { links.note(entry.listed) }
    }
    return first ?? dangers.danger
  }

  /// The part of a RAM disk that begins behind its archives; nil if something else does.
  private static func part(
    of source: any ByteSource, from start: Int
  ) throws(SignetError) -> (source: any ByteSource, format: ContainerFormat)? {
    let head = try source.bytes(in: start..<min(source.size, start + ContainerFormat.headSize))
    guard let format = ContainerFormat(head), case .compressed = format else { return nil }
    return (source.part(start..<source.size, called: source.path), format)
  }

  private static func trailing(_ source: any ByteSource, _ end: Int) -> SignetError {
    SignetError(
      .archiveTrailingData, source.path, "has bytes after the archive's end", expected: "zeros, or nothing",
      found: "other bytes from offset \(end) on",
      hint: "unpack it with the program that made it, and pack the directory")
  }
}

extension CPIOArchive.Entry {
  /// Whether Linux starts it: a program, or a link to one, which is called `init`. The parts of a disk before the last one
  /// have what the processor is given first.
  fileprivate var isFirstProgram: Bool {
    guard listed.path.isExactly("init") else { return false }
    return switch listed.kind {
    case .file: mode & 0o111 != 0
    case .symbolicLink: true
    case .directory, .hardLink, .special: false
    }
  }
}
