internal import SignetArchive
internal import SignetBase
internal import SignetSystem

extension ContentWalk {
  /// Reads entries of ZIPs that no central directory leads to, as far as each of them can be decompressed.
  mutating func read(
    _ entries: LooseEntries, in source: any ByteSource, at place: ContentPlace
  ) throws(SignetError) {
    do throws(SignetError) {
      try entries.read(source) { (part, isCertain) throws(SignetError) in
        var (taken, isWhole) = (0, false)
        do throws(SignetError) {
          try ArchiveListing.with(part, .looseZIP) { (listing) throws(SignetError) in
            defer { taken = listing.taken }
            guard let entry = try listing.next() else { return }
            try budget.spendEntry(entry.path)
            let place = place.inside(entry.path, mode: entry.mode)
            isWhole = try read(entry, of: listing, at: place, isCertain: isCertain)
          }
        } catch {
          guard ContainerFaults.isRefusal(error), !budget.isSpent else { throw error }
          if isCertain { try files.notes.note(unsearched: error, of: place.entry) }
        }
        return (taken, isWhole)
      }
    } catch {
      guard ContainerFaults.isRefusal(error), !budget.isSpent else { throw error }
      try files.notes.note(unsearched: error, of: place.entry)
    }
  }

  /// - Parameter isCertain: whether it is an entry even if nothing can be decompressed.
  /// - Returns: whether all of it could be read.
  private mutating func read(
    _ entry: ListedEntry, of listing: ArchiveListing, at place: ContentPlace, isCertain: Bool
  ) throws(SignetError) -> Bool {
    guard !entry.isEncrypted else {
      if isCertain { try files.notes.note(unsearched: .encrypted(entry), of: place.entry) }
      return false
    }
    var reading = files.begin(place, called: entry.path)
    var (isNothing, fault): (Bool, SignetError?) = (true, nil)
    do throws(SignetError) {
      try unsafe listing.read { (piece) throws(SignetError) in
        isNothing = false
        try budget.spend(piece.count, entry.path)
        try unsafe files.take(piece, &reading)
      }
    } catch {
      guard ContainerFaults.isRefusal(error), !budget.isSpent else { throw error }
      fault = error
    }
    // No program gets anything out of data that are damaged from their first byte on.
    if let fault, isCertain, !isNothing || fault.code == .archiveFilter {
      try files.notes.note(unsearched: fault, of: place.entry)
    }
    if !isNothing { try end(&reading, at: place) }
    return fault == nil
  }
}

extension LooseEntries {
  /// Those before a ZIP at the end of the file, whose own entries are read by its central directory. One that has a danger
  /// is refused with all that is in the file.
  ///
  /// - Parameters:
  ///   - besides: what the file is besides.
  ///   - head: the first bytes of the file.
  func without(
    zipsIn besides: [(source: any ByteSource, format: ContainerFormat)], _ head: [UInt8]
  ) throws(SignetError) -> LooseEntries {
    guard !isEmpty, let zip = besides.first(where: { $0.format == .zipBehind })?.source else { return self }
    var contents: [Range<Int>] = []
    let danger = try ContainerFaults.fault { () throws(SignetError) in
      contents = try ZIPSurvey.check(zip, in: ContainerFormat.surroundings(head)).files
    }
    guard danger == nil, let first = contents.map(\.lowerBound).min() else { return LooseEntries() }
    return before(first)
  }
}
