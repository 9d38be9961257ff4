internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// The entries of a cpio, or of several with what follows them in an initial RAM disk, with what is wrong with them.
struct DiskContents {
  /// The entries, as far as they could be listed.
  let entries: [ArtifactContents.Entry]
  /// The files among them, with their bytes.
  let archive: OpenedArchive
  /// Why two programs could see two archives in it, or why it leads out of its folder.
  let danger: SignetError?
  /// Why not all entries are known.
  let incomplete: SignetError?
  /// What is behind the archives and belongs to them: the next part of a RAM disk.
  let behind: (source: any ByteSource, format: ContainerFormat)?

  /// Lists the entries.
  ///
  /// - Parameter isPackage: whether it has the files of a package of Linux.
  /// - Throws: what keeps it from finding out.
  init(_ source: any ByteSource, isPackage: Bool, _ budget: inout SearchBudget) throws(SignetError) {
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
    behind = try archive.rest.flatMap { (rest) throws(SignetError) in try Self.part(of: source, from: rest) }
    if behind == nil, let rest = archive.rest { danger = danger ?? Self.trailing(source, rest) }
    let isDisk = archive.count > 1 || behind != nil || found.contains(where: \.isFirstProgram)
    self.danger = danger ?? Self.danger(of: found, isPackage ? .package : isDisk ? .disk : .ordinary)
  }

  private enum Kind { case ordinary, package, disk }

  /// The first danger of names and links.
  private static func danger(of entries: [CPIOArchive.Entry], _ kind: Kind) -> SignetError? {
    var dangers = ListingDangers(kind == .ordinary ? .unpacked : .root)
    var links = RootLinks()
    for (index, entry) in entries.enumerated() {
      // Each part of a disk is unpacked over those before it.
      if index > 0, entry.archive != entries[index - 1].archive {
        if let danger = dangers.danger { return danger }
        dangers = ListingDangers(.root)
      }
      dangers.note(entry.listed)
      if kind == .disk { links.note(entry.listed) }
    }
    return dangers.danger ?? links.danger
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
