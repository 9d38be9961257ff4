internal import SignetBase

/// Finds literals in one file, whose bytes come in pieces.
///
/// A match comes with the bytes around it, so a place is searched only when the bytes after it are there: at the end of
/// a piece, that is in the next one. What was not searched yet is kept, with the bytes before it.
struct LiteralScan: ~Copyable {
  /// How often a literal is reported for a file. Nobody reads more, and a file that consists of nothing else takes no
  /// more time than another.
  static let limit = 1000

  private static let before = ContentMatch.beforeSize
  /// How many bytes must follow the first byte of a place before it is searched.
  private static let ahead = ContentMatch.afterSize - 1
  /// The size from which on a piece is searched where it is. Smaller ones are collected first.
  private static let directSize = 4096

  private let search: LiteralSearch
  private let isELF: Bool
  private let entry: String?
  private var remaining: [Int]
  /// The last bytes: those from ``searched`` on were not searched yet, and those before are the context.
  private var held: [UInt8] = []
  /// The offset of the first held byte in the file.
  private var offset = 0
  private var searched = 0

  /// Begins a file.
  init(_ search: LiteralSearch, isELF: Bool, entry: String?) {
    self.search = search
    self.isELF = isELF
    self.entry = entry
    remaining = [Int](repeating: Self.limit, count: search.literals.count)
  }

  /// Searches the next bytes of the file.
  ///
  /// - Parameters:
  ///   - piece: any number of bytes. They are used only until this returns.
  ///   - found: gets the matches in the order of their offsets. ``ContentMatch/literal`` is the index into the
  ///     literals of the search.
  /// - Throws: what `found` throws.
  mutating func scan(
    _ piece: UnsafeRawBufferPointer, _ found: (ContentMatch) throws(SignetError) -> Void
  ) throws(SignetError) {
    guard !search.literals.isEmpty else { return }
    guard piece.count >= Self.directSize else {
      unsafe held.append(contentsOf: piece)
      if held.count >= 2 * Self.directSize {
        try searchHeld(upTo: held.count - Self.ahead, found)
        drop(held.count - Self.before - Self.ahead)
      }
      return
    }
    let start = offset + held.count
    unsafe held.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<(Self.before + Self.ahead)]))
    try searchHeld(upTo: held.count - Self.ahead, found)
    let starts = Self.before..<(piece.count - Self.ahead)
    for place in unsafe search.places(in: piece, beginningIn: starts, &remaining) {
      let before = place.offset - Self.before..<place.offset
      let after = place.offset...place.offset + Self.ahead
      try found(
        match(
          place, at: start, before: unsafe Array(UnsafeRawBufferPointer(rebasing: piece[before])),
          after: unsafe Array(UnsafeRawBufferPointer(rebasing: piece[after]))))
    }
    let kept = piece.count - Self.before - Self.ahead
    held = unsafe Array(UnsafeRawBufferPointer(rebasing: piece[kept...]))
    offset = start + kept
    searched = Self.before
  }

  /// Searches what is left, at the end of the file.
  ///
  /// - Throws: what `found` throws.
  mutating func finish(_ found: (ContentMatch) throws(SignetError) -> Void) throws(SignetError) {
    try searchHeld(upTo: held.count, found)
    drop(held.count)
  }

  /// Searches the held bytes for literals that begin before an index.
  private mutating func searchHeld(
    upTo end: Int, _ found: (ContentMatch) throws(SignetError) -> Void
  ) throws(SignetError) {
    guard searched < end else { return }
    let (search, held, starts) = (self.search, self.held, searched..<end)
    var remaining = self.remaining
    let places = unsafe held.withUnsafeBytes { bytes in
      unsafe search.places(in: bytes, beginningIn: starts, &remaining)
    }
    self.remaining = remaining
    searched = end
    for place in places {
      let before = held[max(0, place.offset - Self.before)..<place.offset]
      let after = held[place.offset...].prefix(ContentMatch.afterSize)
      try found(match(place, at: offset, before: Array(before), after: Array(after)))
    }
  }

  /// Forgets held bytes that are not needed any more.
  private mutating func drop(_ count: Int) {
    held.removeFirst(count)
    offset += count
    searched -= count
  }

  private func match(
    _ place: LiteralSearch.Place, at offset: Int, before: [UInt8], after: [UInt8]
  ) -> ContentMatch {
    ContentMatch(
      entry: entry, isELF: isELF, literal: place.literal, offset: offset + place.offset, before: before,
      after: after)
  }
}
