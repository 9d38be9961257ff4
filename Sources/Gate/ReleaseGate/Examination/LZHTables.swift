/// The tables before the first block of a stream of LZH, as SCO's `compress -H` writes it and gzip reads it (`unlzh.c`): the
/// number of codes in the block, and the lengths of three sets of Huffman codes.
///
/// Each set must be complete. Nothing else begins like that by chance, however short the stream is.
struct LZHTables {
  /// How many codes each set can have: for lengths, for characters and matches, and for distances.
  private static let lengthCount = 19
  private static let characterCount = 510
  private static let distanceCount = 14
  private static let longest = 16

  private let bytes: ArraySlice<UInt8>
  private var bit = 0

  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Whether a stream begins with these bytes.
  static func begin(_ bytes: ArraySlice<UInt8>) -> Bool {
    var reader = LZHTables(bytes)
    guard let count = reader.number(16), count > 0, let lengths = reader.lengths(lengthCount, 5, gapBehind: 3),
      let characters = reader.characters(lengths), reader.lengths(distanceCount, 4, gapBehind: nil) != nil
    else { return false }
    // One character alone takes no bits. Zeros would look like that.
    if case .one = characters { return bytes.count - (reader.bit + 7) / 8 <= 4 }
    return true
  }

  /// A set of codes.
  private enum Codes {
    /// Only one value, without any bits.
    case one(Int)
    /// The value of each code, by its length and its bits.
    case many([Int: Int])
  }

  /// The next bits as a number; nil behind the end.
  private mutating func number(_ count: Int) -> Int? {
    guard bit + count <= 8 * bytes.count else { return nil }
    var value = 0
    for place in bit..<bit + count {
      value = value << 1 | Int(bytes[bytes.startIndex + place / 8] >> (7 - place % 8)) & 1
    }
    bit += count
    return value
  }

  /// The codes with these lengths, in the order of their values; nil if they are not all that there can be.
  private static func codes(_ lengths: [Int]) -> Codes? {
    var (codes, next): ([Int: Int], Int) = ([:], 0)
    for length in 1...longest {
      for value in lengths.indices where lengths[value] == length {
        guard next < 1 << length else { return nil }
        codes[1 << length | next] = value
        next += 1
      }
      next <<= 1
    }
    return next == 2 << longest ? .many(codes) : nil
  }

  private mutating func value(_ codes: Codes) -> Int? {
    guard case .many(let known) = codes else { return if case .one(let value) = codes { value } else { nil } }
    var code = 1
    for _ in 1...Self.longest {
      guard let next = number(1) else { return nil }
      code = code << 1 | next
      if let value = known[code] { return value }
    }
    return nil
  }

  /// Codes whose lengths are there as they are.
  ///
  /// - Parameter gap: behind how many lengths the number of those that are zero follows.
  private mutating func lengths(_ most: Int, _ bits: Int, gapBehind gap: Int?) -> Codes? {
    guard let count = number(bits), count <= most else { return nil }
    guard count > 0 else { return number(bits).flatMap { $0 < most ? .one($0) : nil } }
    var lengths: [Int] = []
    while lengths.count < count {
      guard var length = number(3) else { return nil }
      while length >= 7, let more = number(1), more == 1 { length += 1 }
      guard length <= Self.longest else { return nil }
      lengths.append(length)
      if lengths.count == gap {
        guard let zeros = number(2) else { return nil }
        lengths += [Int](repeating: 0, count: zeros)
      }
    }
    return lengths.count <= most ? Self.codes(lengths) : nil
  }

  /// The codes of characters and matches, whose lengths are in codes themselves.
  private mutating func characters(_ codes: Codes) -> Codes? {
    guard let count = number(9), count <= Self.characterCount else { return nil }
    guard count > 0 else { return number(9).flatMap { $0 < Self.characterCount ? .one($0) : nil } }
    var lengths: [Int] = []
    while lengths.count < count {
      guard let length = value(codes) else { return nil }
      switch length {
      case 0: lengths.append(0)
      case 1, 2:
        guard let zeros = number(length == 1 ? 4 : 9) else { return nil }
        lengths += [Int](repeating: 0, count: zeros + (length == 1 ? 3 : 20))
      default: lengths.append(length - 2)
      }
    }
    return lengths.count <= Self.characterCount ? Self.codes(lengths) : nil
  }
}
