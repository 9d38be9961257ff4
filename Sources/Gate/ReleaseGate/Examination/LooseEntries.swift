internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The entries of ZIPs that are somewhere in another file: before a ZIP, in the middle, or without an end record that leads
/// to them. Programs that repair, such as 7-Zip, unpack them by their local headers.
package struct LooseEntries: Sendable, Equatable {
  private struct Place: Equatable {
    let offset: Int
    /// The header as far as it came along with the mark.
    let header: LooseHeader
  }

  /// The maximum number of headers of one file that are looked at.
  private static let limit = 1 << 16

  private var places: [Place] = []
  private var isFull = false

  var isEmpty: Bool { places.isEmpty }

  /// Takes a mark, if it may be that of an entry.
  mutating func take(_ match: ContentMatch) {
    guard let header = LooseHeader(match.after[...]) else { return }
    guard places.count < Self.limit else {
      isFull = true
      return
    }
    places.append(Place(offset: match.offset, header: header))
  }

  /// Whether one of them is there for certain, in a file of this size.
  func isCertain(within size: Int) -> Bool {
    places.contains { $0.header.isCertain(within: size - $0.offset) }
  }

  /// Those whose contents begin before a place in the file.
  func before(_ end: Int) -> LooseEntries {
    var rest = self
    rest.places.removeAll { $0.offset + $0.header.dataOffset >= end }
    return rest
  }

  /// Reads the entries one by one.
  ///
  /// - Parameter body: gets what begins with the header of an entry, and says how many bytes it has read of that, and
  ///   whether it could read all that the entry has.
  /// - Throws: `archive.entry-count` and `archive.overlap` if not all were read, and what reading and `body` throw.
  func read(
    _ source: any ByteSource,
    _ body: (_ entry: any ByteSource, _ isCertain: Bool) throws(SignetError) -> (taken: Int, isWhole: Bool)
  ) throws(SignetError) {
    var (end, room) = (0, Self.passes * source.size + Self.passGrace)
    for place in places where place.offset >= end {
      let rest = source.part(place.offset..<source.size, called: source.path)
      let start = try rest.bytes(in: 0..<min(rest.size, LooseHeader.mostWithName))
      guard let header = LooseHeader(start[...]), case let isCertain = header.isCertain(within: rest.size),
        isCertain || !header.isStored
      else { continue }
      let entry = SplicedFile(rest, upTo: rest.size, followedBy: Self.padding)
      let (taken, isWhole) = try body(entry, isCertain)
      // What was read as the content of an entry may hold other ones.
      if isWhole, let size = header.end { end = place.offset + size }
      room -= max(0, taken - Self.pieceSize)
      guard room >= 0 else {
        throw SignetError(
          .archiveOverlap, source.path, "has entries of ZIPs that share their bytes, again and again",
          expected: "at most \(Self.passes) times the bytes of the file")
      }
    }
    guard !isFull else {
      throw SignetError(
        .archiveEntryCount, source.path, "has too many entries of ZIPs in it to be searched",
        expected: "at most \(Self.limit)")
    }
  }

  /// libarchive gives nothing of an entry that ends so near the end of the file that the longest data descriptor would have no
  /// room behind it.
  private static let padding = [UInt8](repeating: 0, count: 24)
  /// How many times all bytes may be read, as the bytes of an archive. Of each entry some are read ahead.
  private static let passes = 4
  private static let passGrace = 64 << 20
  private static let pieceSize = 128 << 10
}
