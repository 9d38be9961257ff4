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

  /// How many bytes more rules may ask for, for each byte of the file, and how many more in any file. A rule that asks for
  /// 24 KiB has 4 KiB of a structure behind the place, and its next place is in another one. So honest files ask for fewer.
  private static let farOfByte = 6
  private static let farGrace = 1 << 20

  private let search: LiteralSearch
  /// The number of literals that belong to rules. The others come behind them, and their places are only counted.
  private let ruleLiterals: Int
  /// How many more places rules may look at.
  private var places = Self.placeGrace
  /// How many bytes more they may ask for.
  private var far = Self.farGrace
  /// Whether rules could not look at all places, or not at as much as they wanted.
  private(set) var isCrowded = false
  private let isELF: Bool
  private let entry: String?
  private let reading: Int
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
    self.reading = reading
    self.search = search
    self.ruleLiterals = ruleLiterals
    self.reaches = reaches
    let usual = ContentMatch.Reach.usual
    before = reaches.map { max($0.before, $0.far?.before ?? 0) }.max() ?? usual.before
    ahead = (reaches.map { max($0.after, $0.far?.after ?? 0) }.max() ?? usual.after) - 1
    directSize = max(4096, before + ahead)
    self.isELF = isELF
    self.entry = entry
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
      let reach = reach(of: place)
      let answer = try found(unsafe match(place, in: piece, at: start, reach.before, reach.after, isFar: false))
      guard answer == .wantsMore, let far = takeFar(reach) else { continue }
      _ = try found(unsafe match(place, in: piece, at: start, far.before, far.after, isFar: true))
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
      let reach = reach(of: place)
      let answer = try found(match(place, in: held, reach.before, reach.after, isFar: false))
      guard answer == .wantsMore, let far = takeFar(reach) else { continue }
      _ = try found(match(place, in: held, far.before, far.after, isFar: true))
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
    guard places > 0 else {
      isCrowded = true
      return false
    }
    places -= 1
    return true
  }

  /// Counts the bytes that a rule asks for.
  ///
  /// - Returns: how many it gets; nil if none are left for it.
  private mutating func takeFar(_ reach: ContentMatch.Reach) -> (before: Int, after: Int)? {
    guard let wanted = reach.far else { return nil }
    guard far >= wanted.before + wanted.after else {
      isCrowded = true
      return nil
    }
    far -= wanted.before + wanted.after
    return wanted
  }

  private func reach(of place: LiteralSearch.Place) -> ContentMatch.Reach {
    reaches.isEmpty ? .usual : reaches[place.literal]
  }

  private func match(
    _ place: LiteralSearch.Place, in piece: UnsafeRawBufferPointer, at start: Int, _ before: Int, _ after: Int,
    isFar: Bool
  ) -> ContentMatch {
    let first = unsafe UnsafeRawBufferPointer(rebasing: piece[place.offset - before..<place.offset])
    let last = unsafe UnsafeRawBufferPointer(rebasing: piece[place.offset..<place.offset + after])
    return ContentMatch(
      entry: entry, isELF: isELF, literal: place.literal, position: start + place.offset, before: unsafe Array(first),
      after: unsafe Array(last), isFar: isFar, reading: reading)
  }

  private func match(
    _ place: LiteralSearch.Place, in held: [UInt8], _ before: Int, _ after: Int, isFar: Bool
  ) -> ContentMatch {
    ContentMatch(
      entry: entry, isELF: isELF, literal: place.literal, position: offset + place.offset,
      before: Array(held[max(0, place.offset - before)..<place.offset]),
      after: Array(held[place.offset...].prefix(after)), isFar: isFar, reading: reading)
  }
}
