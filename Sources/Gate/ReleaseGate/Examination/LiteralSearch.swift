/// Finds many short texts at once in a run of bytes. ``LiteralScan`` uses it for files that come in pieces.
///
/// This is the hot loop of the gate: every byte of a release passes through it, beside SHA-256 and zlib. So it looks at
/// as few bytes as it can, and does as little as it can with each:
///
/// - Four bytes of each literal in a row are its *anchor*: those four that are the rarest in text and in programs.
///   An anchor has three pairs of neighbouring bytes, so one of every three positions in a row begins such a pair,
///   wherever the anchor is. Only every third position is looked at.
/// - There, a table of all 65,536 pairs says in which of its three places an anchor may have the pair. In a binary,
///   one pair in some thousand is in an anchor; in English, one in thirty.
/// - Twelve entries of the table are joined before the one branch. None of them depends on another, so the processor
///   reads several at a time.
/// - Where an anchor may be, a table of hashes of four bytes says whether one is. Only then are literals compared.
///
/// Wu and Manber's search, which skips by a table, must have an entry before it knows where the next one is: with
/// literals of four bytes it skips three bytes at most, and waits each time. Searches that compare 16 bytes at once
/// (Hyperscan, Teddy) need a shuffle, which neither the baseline of x86-64 nor Swift's vectors have. Without it, each
/// pair of bytes takes five instructions for every 16 bytes, and forty literals are too many for that. A look at three
/// bytes instead of two, and therefore at every second position, takes twice the time in binaries, and no less in text.
struct LiteralSearch: Sendable {
  /// A literal, and the offset at which it begins.
  struct Place: Equatable {
    let offset: Int
    let literal: Int
  }

  /// Four bytes of a literal.
  private struct Anchor {
    let word: UInt32
    let literal: Int
    /// Where it is in the literal.
    let offset: Int
    /// The next anchor with the same hash; -1 after the last one.
    let next: Int
  }

  /// The lengths that a literal can have.
  static let lengths = 4...32

  private static let anchorSize = 4
  /// How many bytes one round of the search covers: four words, each with three pairs at 0, 3 and 6.
  private static let round = 36
  /// How many bytes one round reads: the last word has eight bytes.
  private static let reach = 35

  /// The literals, in the order of their indices.
  let literals: [[UInt8]]
  /// For each pair of bytes, the first one being the lower half of the index: bit 2, 1 or 0 is set if an anchor has the
  /// pair at its offset 0, 1 or 2. So the lower bits are for anchors that begin earlier.
  private let pairs: [UInt8]
  /// For each hash of four bytes, whether an anchor has it.
  private let hashes: [Bool]
  /// For the first bits of each hash, the first anchor, or -1.
  private let first: [Int]
  private let anchors: [Anchor]

  /// Prepares the search. It takes some microseconds, so one value serves all files.
  ///
  /// - Parameter literals: what to look for: each has 4 to 32 bytes. Two may be equal; both are found.
  init(_ literals: [[UInt8]]) {
    var pairs = [UInt8](repeating: 0, count: 1 << 16)
    var hashes = [Bool](repeating: false, count: 1 << Self.hashBits)
    var first = [Int](repeating: -1, count: 1 << Self.chainBits)
    var anchors: [Anchor] = []
    for (index, literal) in literals.enumerated() {
      precondition(Self.lengths.contains(literal.count), "a literal has 4 to 32 bytes")
      let offset = Self.rarest(in: literal)
      let bytes = literal[offset..<offset + Self.anchorSize]
      for (place, (low, high)) in zip(bytes, bytes.dropFirst()).enumerated() {
        pairs[Int(low) | Int(high) << 8] |= 4 >> UInt8(place)
      }
      let word = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      hashes[Self.hash(word, Self.hashBits)] = true
      let chain = Self.hash(word, Self.chainBits)
      anchors.append(Anchor(word: word, literal: index, offset: offset, next: first[chain]))
      first[chain] = anchors.count - 1
    }
    self.literals = literals
    self.pairs = pairs
    self.hashes = hashes
    self.first = first
    self.anchors = anchors
  }

  /// The literals that begin in a range of the bytes and end in them, in the order of offsets, then of indices.
  ///
  /// - Parameter starts: the offsets at which a literal may begin.
  func places(in bytes: UnsafeRawBufferPointer, beginningIn starts: Range<Int>) -> [Place] {
    guard !literals.isEmpty, !starts.isEmpty, let base = bytes.baseAddress else { return [] }
    var found: [Place] = []
    // An anchor ends before its literal does.
    let end = min(bytes.count, starts.upperBound + Self.lengths.upperBound)
    unsafe pairs.withUnsafeBufferPointer { pairs in
      unsafe hashes.withUnsafeBufferPointer { hashes in
        guard let pairs = pairs.baseAddress, let hashes = hashes.baseAddress else { return }
        let tables = unsafe Tables(pairs: pairs, hashes: hashes, base: base, lower: starts.lowerBound, upper: end)
        var position = starts.lowerBound
        while position <= end - Self.reach {
          let one = unsafe tables.entries(at: position)
          let two = unsafe tables.entries(at: position &+ 9)
          let three = unsafe tables.entries(at: position &+ 18)
          let four = unsafe tables.entries(at: position &+ 27)
          if one | two | three | four != 0 {
            unsafe tables.anchors(inRoundAt: position) {
              unsafe compare(at: $0, in: bytes, within: starts, into: &found)
            }
          }
          position &+= Self.round
        }
        while position <= end - 2 {
          unsafe tables.anchors(tables.entry(at: position), at: position) {
            unsafe compare(at: $0, in: bytes, within: starts, into: &found)
          }
          position &+= 3
        }
      }
    }
    // The anchors come in order, but not the beginnings of their literals.
    found.sort { ($0.offset, $0.literal) < ($1.offset, $1.literal) }
    return found
  }

  /// The tables and the bytes, as the inner loop needs them.
  @unsafe private struct Tables {
    let pairs: UnsafePointer<UInt8>
    let hashes: UnsafePointer<Bool>
    let base: UnsafeRawPointer
    /// Where anchors can begin and end.
    let lower: Int
    let upper: Int

    /// The entries of the pairs at a position, and three and six bytes after it, joined.
    @inline(__always)
    func entries(at position: Int) -> UInt8 {
      let word = unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      return unsafe pairs[Int(truncatingIfNeeded: word & 0xffff)]
        | pairs[Int(truncatingIfNeeded: (word >> 24) & 0xffff)] | pairs[Int(truncatingIfNeeded: word >> 48)]
    }

    /// The entry of the pair at a position.
    @inline(__always)
    func entry(at position: Int) -> UInt64 {
      let pair = unsafe UInt16(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt16.self))
      return unsafe UInt64(pairs[Int(pair)])
    }

    /// Finds where anchors may begin that have one of the pairs in a round.
    @inline(__always)
    func anchors(inRoundAt position: Int, _ body: (Int) -> Void) {
      var entries: UInt64 = 0
      for number in 0..<12 { unsafe entries |= entry(at: position &+ 3 &* number) &<< UInt64(4 &* number) }
      unsafe anchors(entries, at: position, body)
    }

    /// Finds where anchors may begin, in order.
    ///
    /// - Parameter entries: those of the pairs at a position and at every third one after it, with four bits each.
    @inline(__always)
    func anchors(_ entries: UInt64, at position: Int, _ body: (Int) -> Void) {
      var entries = entries
      // There is mostly one bit, so that the processor foresees the end of this loop.
      while entries != 0 {
        let bit = entries.trailingZeroBitCount
        entries &= entries &- 1
        let start = position &+ 3 &* (bit &>> 2) &+ (bit & 3) &- 2
        guard unsafe start >= lower, unsafe start <= upper &- LiteralSearch.anchorSize else { continue }
        let word = unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        if unsafe hashes[LiteralSearch.hash(word, LiteralSearch.hashBits)] { body(start) }
      }
    }
  }

  /// Finds the literals whose anchors begin at a position.
  @inline(never)
  private func compare(
    at start: Int, in bytes: UnsafeRawBufferPointer, within starts: Range<Int>, into found: inout [Place]
  ) {
    let word = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    var index = first[Self.hash(word, Self.chainBits)]
    while index >= 0 {
      let anchor = anchors[index]
      index = anchor.next
      guard anchor.word == word else { continue }
      let (offset, literal) = (start - anchor.offset, literals[anchor.literal])
      guard starts.contains(offset), literal.count <= bytes.count - offset,
        unsafe literal.elementsEqual(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + literal.count]))
      else { continue }
      found.append(Place(offset: offset, literal: anchor.literal))
    }
  }

  private static let hashBits: UInt32 = 12
  private static let chainBits: UInt32 = 8

  @inline(__always)
  private static func hash(_ word: UInt32, _ bits: UInt32) -> Int {
    Int(truncatingIfNeeded: (word &* 0x9e37_79b1) &>> (32 &- bits))
  }

  // MARK: Rarity

  /// The bytes that are frequent in English, in source code and in programs, the most frequent first.
  private static let frequent = Array("\u{0} etaoinsrhldcumfpgwyb-v_/".utf8)

  private static func frequency(_ byte: UInt8) -> Int {
    frequent.firstIndex(of: byte).map { frequent.count + 4 - $0 } ?? 2
  }

  /// The offset of the four bytes whose pairs are the rarest.
  private static func rarest(in literal: [UInt8]) -> Int {
    let frequencies = literal.map(frequency)
    var best = (offset: 0, sum: Int.max)
    for offset in 0...literal.count - anchorSize {
      let sum = (offset..<offset + anchorSize - 1).reduce(0) { $0 + frequencies[$1] * frequencies[$1 + 1] }
      if sum < best.sum { best = (offset, sum) }
    }
    return best.offset
  }
}
