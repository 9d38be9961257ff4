internal import SignetBase

/// Finds literals in one file, whose bytes come in pieces.
///
/// A match comes with the bytes around it, so a place is searched only when the bytes after it are there: at the end of
/// a piece, that is in the next one. What was not searched yet is kept, with the bytes before it.
struct LiteralScan: ~Copyable {
  /// Takes a match, and says whether it wants to be called again, with more bytes around the place.
  typealias Found = (ContentMatch) throws(SignetError) -> ContentMatch.Answer

  /// How many bytes around each literal a match has; empty if all literals have the usual number.
  private let reaches: [ContentMatch.Reach]
  /// The longest of them: how many bytes before a place are kept, and how many must follow its first byte before it is
  /// searched.
  private let before: Int
  private let ahead: Int
  /// The size from which on a piece is searched where it is. Smaller ones are collected first.
  private let directSize: Int

  /// The number of bytes of a file for each place that rules may look at, and how many more they may look at in any file.
  ///
  /// A file of marks, one behind the other, would otherwise take hundreds of times as long as any other. What honest
  /// files are full of, such as sets of public keys, has fewer.
  private static let bytesOfPlace = 16
  private static let placeGrace = 4096
  /// How many places one counts for if the rule may ask for more bytes around it. The shortest public key that has such a
  /// place has more than 64 bytes.
  private static let wideCost = 4

  /// How many bytes more rules may ask for, for each byte of the file, and how many more in any file. A rule that asks for
  /// 24 KiB has 2 KiB of a structure before the place or 4 KiB behind it, one that asks for 64 KiB besides has 8 KiB or
  /// 16 KiB, and its next place is in another one. So honest files ask for fewer.
  private static let farOfByte = 12
  private static let farGrace = 1 << 20

  private let search: LiteralSearch
  /// The number of literals that belong to rules. The others come behind them, and their places are only counted.
  private let ruleLiterals: Int
  /// How many more places rules may look at.
  private var places = Self.placeGrace
  /// How many bytes more they may ask for.
  private var far = Self.farGrace
  /// Whether rules could not look at all places, or not at as much as they may have.
  private(set) var isCrowded = false
  /// Whether a rule wanted more bytes around a place than any place has.
  private(set) var isTooFar = false
  private let file: File
  /// The last bytes: those from ``searched`` on were not searched yet, and those before are the context.
  private var held: [UInt8] = []
  /// The offset of the first held byte in the file.
  private var offset = 0
  private var searched = 0
  /// The bytes that were not yet exchanged for places.
  private var unspent = 0

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - reaches: how many bytes around each literal a match has; empty for the usual number.
  ///   - ruleLiterals: how many of the literals, the first ones, belong to rules: their places are bounded.
  ///   - reading: the number of the reading of the file.
  init(
    _ search: LiteralSearch, _ reaches: [ContentMatch.Reach] = [], ruleLiterals: Int = 0, isELF: Bool,
    entry: String?, reading: Int
  ) {
    file = File(entry: entry, isELF: isELF, reading: reading)
    self.search = search
    self.ruleLiterals = ruleLiterals
    self.reaches = reaches
    let usual = ContentMatch.Reach.usual
    before = reaches.map(\.most.before).max() ?? usual.near.before
    ahead = (reaches.map(\.most.after).max() ?? usual.near.after) - 1
    directSize = max(4096, before + ahead)
  }

  /// Searches the next bytes of the file.
  ///
  /// - Parameters:
  ///   - piece: any number of bytes. They are used only until this returns.
  ///   - found: gets the matches in the order of their offsets. ``ContentMatch/literal`` is the index into the
  ///     literals of the search.
  /// - Throws: what `found` throws.
  mutating func scan(
    _ piece: UnsafeRawBufferPointer, _ found: Found
  ) throws(SignetError) {
    guard !search.literals.isEmpty else { return }
    far += piece.count * Self.farOfByte
    unspent += piece.count
    places += unspent / Self.bytesOfPlace
    unspent %= Self.bytesOfPlace
    guard piece.count >= directSize else {
      unsafe held.append(contentsOf: piece)
      if held.count >= 2 * directSize {
        try searchHeld(upTo: held.count - ahead, found)
        drop(held.count - before - ahead)
      }
      return
    }
    let start = offset + held.count
    unsafe held.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<(before + ahead)]))
    try searchHeld(upTo: held.count - ahead, found)
    for place in unsafe search.places(in: piece, beginningIn: before..<(piece.count - ahead)) where takes(place) {
      let file = file
      try look(at: place) { (size, extent) throws(SignetError) in
        try found(unsafe file.match(place, in: piece, at: start, size, extent))
      }
    }
    let kept = piece.count - before - ahead
    held = unsafe Array(UnsafeRawBufferPointer(rebasing: piece[kept...]))
    offset = start + kept
    searched = before
  }

  /// Searches what is left, at the end of the file.
  ///
  /// - Throws: what `found` throws.
  mutating func finish(_ found: Found) throws(SignetError) {
    try searchHeld(upTo: held.count, found)
    drop(held.count)
  }

  /// Searches the held bytes for literals that begin before an index.
  private mutating func searchHeld(upTo end: Int, _ found: Found) throws(SignetError) {
    guard searched < end else { return }
    let (search, held, starts) = (self.search, self.held, searched..<end)
    let places = unsafe held.withUnsafeBytes { bytes in unsafe search.places(in: bytes, beginningIn: starts) }
    searched = end
    for place in places where takes(place) {
      let (file, offset) = (file, offset)
      try look(at: place) { (size, extent) throws(SignetError) in
        try found(unsafe held.withUnsafeBytes { unsafe file.match(place, in: $0, at: offset, size, extent) })
      }
    }
  }

  /// Forgets held bytes that are not needed any more.
  private mutating func drop(_ count: Int) {
    held.removeFirst(count)
    offset += count
    searched -= count
  }

  /// Counts a place.
  ///
  /// - Returns: whether it is looked at.
  private mutating func takes(_ place: LiteralSearch.Place) -> Bool {
    guard place.literal < ruleLiterals else { return true }
    let cost = reach(of: place).more.isEmpty ? 1 : Self.wideCost
    guard places >= cost else {
      isCrowded = true
      return false
    }
    places -= cost
    return true
  }

  /// Lets a rule look at a place, again with more bytes as long as it asks for them and some are left for it.
  private mutating func look(
    at place: LiteralSearch.Place,
    _ found: (ContentMatch.Reach.Size, ContentMatch.Extent) throws(SignetError) -> ContentMatch.Answer
  ) throws(SignetError) {
    let reach = reach(of: place)
    guard case .wants(var wanted) = try found(reach.near, .near) else { return }
    for (extent, size) in reach.further where extent >= wanted {
      guard far >= size.before + size.after else {
        isCrowded = true
        return
      }
      far -= size.before + size.after
      guard case .wants(let next) = try found(size, extent) else { return }
      wanted = next
    }
    isTooFar = true
  }

  private func reach(of place: LiteralSearch.Place) -> ContentMatch.Reach {
    reaches.isEmpty ? .usual : reaches[place.literal]
  }

  /// What all matches in a file have.
  private struct File {
    let entry: String?
    let isELF: Bool
    let reading: Int

    /// A match with the bytes around it, as far as they are in the piece.
    ///
    /// - Parameter start: the offset of the piece in the file.
    func match(
      _ place: LiteralSearch.Place, in piece: UnsafeRawBufferPointer, at start: Int, _ size: ContentMatch.Reach.Size,
      _ extent: ContentMatch.Extent
    ) -> ContentMatch {
      let range = max(0, place.offset - size.before)..<min(piece.count, place.offset + size.after)
      let first = unsafe UnsafeRawBufferPointer(rebasing: piece[range.lowerBound..<place.offset])
      let last = unsafe UnsafeRawBufferPointer(rebasing: piece[place.offset..<range.upperBound])
      return ContentMatch(
        entry: entry, isELF: isELF, literal: place.literal, position: start + place.offset,
        before: unsafe Array(first),
        after: unsafe Array(last), extent: extent, reading: reading)
    }
  }
}
