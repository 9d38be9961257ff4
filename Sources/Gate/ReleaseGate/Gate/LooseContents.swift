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
          guard Container.isRefusal(error), !budget.isSpent else { throw error }
          if isCertain { try files.notes.note(unsearched: error, of: place.entry) }
        }
        return (taken, isWhole)
      }
    } catch {
      guard Container.isRefusal(error), !budget.isSpent else { throw error }
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
      guard Container.isRefusal(error), !budget.isSpent else { throw error }
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
