internal import SignetArchive
internal import SignetBase
internal import SignetFiles
internal import SignetNames
internal import SignetSystem

/// The differences between two archives of the same format, entry by entry.
struct ArchiveDifference {
  private let made: OpenedArchive
  private let rebuilt: OpenedArchive

  /// - Parameters:
  ///   - made: the archive of the release.
  ///   - rebuilt: that of the rebuild.
  init(_ made: OpenedArchive, _ rebuilt: OpenedArchive) {
    self.made = made
    self.rebuilt = rebuilt
  }

  /// The first differences; empty if all bytes are equal once a compressed tar is decompressed.
  ///
  /// - Throws: what reading throws, and `extraction.failed`. Damaged entries are differences.
  func find() throws(SignetError) -> RebuildDifferences {
    var found = RebuildDifferences()
    var places: [[UInt8]: ArchiveEntry] = [:]
    for entry in rebuilt.entries { places[Array(entry.path.utf8)] = entry }
    for entry in made.entries where !found.isFull {
      guard let other = places.removeValue(forKey: Array(entry.path.utf8)) else {
        found.add(
          RebuildDifference(
            message: "has an entry that the rebuild's archive does not have", entry: entry.path, expected: "no entry",
            found: entry.words, hint: RebuildHint.files))
        continue
      }
      try compare(entry, other, &found)
    }
    for entry in rebuilt.entries where !found.isFull && places[Array(entry.path.utf8)] != nil {
      found.add(
        RebuildDifference(
          message: "does not have an entry of the rebuild's archive", entry: entry.path, expected: entry.words,
          found: "no entry", hint: RebuildHint.files))
    }
    if found.first.isEmpty { try compareContainers(&found) }
    return found
  }

  private func compare(
    _ entry: ArchiveEntry, _ other: ArchiveEntry, _ found: inout RebuildDifferences
  ) throws(SignetError) {
    guard case .file = entry.content, case .file = other.content else {
      return found.add(
        RebuildDifference.inProperty(
          "has another entry than the rebuild's archive", entry: entry.path, made: entry.words, rebuilt: other.words,
          hint: RebuildHint.files))
    }
    found.add(
      RebuildDifference.inProperty(
        "has an entry of another mode than the rebuild's archive", entry: entry.path, made: "\(entry.mode)",
        rebuilt: "\(other.mode)",
        hint: RebuildHint.packing))
    // The same stored bytes have the same content, and need not be decompressed.
    if entry.data.coding == other.data.coding, entry.data.storedSize == other.data.storedSize {
      let (one, another) = (made.storedContent(of: entry), rebuilt.storedContent(of: other))
      if try ByteComparison.firstDifference(one, another) == nil { return }
    }
    do throws(SignetError) {
      found.add(
        try RebuildDifference.inBytes(
          "has an entry with other bytes than the rebuild's archive", made.content(of: entry),
          rebuilt.content(of: other), entry: entry.path, hint: RebuildHint.content))
    } catch  where Set.aboutArchives.contains(error.code) {
      found.add(
        RebuildDifference(
          message: "has an entry that cannot be compared with the rebuild's archive: it \(error.message)",
          entry: entry.path, expected: error.expected ?? "an entry that can be read", found: error.found,
          code: error.code, hint: error.hint ?? RebuildHint.packing))
    }
  }

  /// The entries are the same, so the difference is in their order, or in what the archive says about them.
  private func compareContainers(_ found: inout RebuildDifferences) throws(SignetError) {
    for (entry, other) in zip(made.entries, rebuilt.entries) where !entry.path.isExactly(other.path) {
      found.add(
        RebuildDifference(
          message: "has the entries of the rebuild's archive in another order", expected: other.path.visible,
          found: entry.path.visible, hint: RebuildHint.packing))
      return
    }
    guard let offset = try ByteComparison.firstDifference(made.source, rebuilt.source) else { return }
    let place = made.place(at: offset)
    found.add(
      RebuildDifference(
        message: "has the entries of the rebuild's archive, and only the archive around them differs",
        entry: place.entry, place: "offset \(Amount.number(offset)), \(place.words)",
        expected: try RebuildDifference.bytes(of: rebuilt.source, at: offset),
        found: try RebuildDifference.bytes(of: made.source, at: offset), hint: RebuildHint.packing))
  }
}

extension ArchiveEntry {
  /// What the archive says of the entry, in words.
  fileprivate var words: String {
    switch content {
    case .file(let size): "file \(mode), \(Amount.of(size, "byte", "bytes"))"
    case .directory: "folder \(mode)"
    case .symbolicLink(let target): "link to \(target.word)"
    }
  }
}
