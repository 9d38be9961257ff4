internal import SignetBase
package import SignetNames

/// The compression of a whole file: any that tar programs use. ``TarCompression`` has those that a module may have.
package enum FileCompression: String, Sendable, Hashable, CaseIterable {
  case gzip, bzip2, xz, zstandard = "Zstandard", lz4, lzma, lzip, compress, zlib

  /// The number of first bytes that tell the compression.
  package static let magicSize = 18

  /// The compression that a file's first bytes indicate; nil if they indicate none.
  ///
  /// It looks at more than the usual magics, which other files have by chance, too.
  package init?(_ start: [UInt8]) {
    let known = Self.allCases.first { $0.begins(start) }
    guard let known else { return nil }
    self = known
  }

  private func begins(_ start: [UInt8]) -> Bool {
    switch self {
    // RFC 1952, section 2.3.1: deflate is the only method. Three flags are reserved, but not every program looks at them.
    case .gzip: start.starts(with: [0x1f, 0x8b, 8]) && start.count >= 10
    // The level, and the digits of pi before a block, or those of its square root before the end.
    case .bzip2:
      start.starts(with: "BZh".utf8) && start.count >= 10 && (0x31...0x39).contains(start[3])
        && [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].contains(Array(start[4..<10]))
    case .xz: start.starts(with: TarCompression.xz.magic)
    case .zstandard: start.starts(with: TarCompression.zstandard.magic) || Self.isSkippable(start)
    case .lz4: start.starts(with: [0x04, 0x22, 0x4d, 0x18]) || start.starts(with: [0x02, 0x21, 0x4c, 0x18])
    case .lzma: Self.isLZMA(start)
    case .lzip: start.starts(with: "LZIP".utf8) && start.count >= 6 && start[4] <= 1
    // The number of bits, two flags that most programs pass over, and the first code of nine bits, which is a byte.
    case .compress:
      start.starts(with: [0x1f, 0x9d]) && start.count >= 5 && (9...16).contains(start[2] & 0x1f) && start[4] & 1 == 0
    case .zlib: ZlibHeader.begins(start)
    }
  }

  /// Whether a skippable frame of Zstandard begins here (RFC 8878, section 3.1.2), as pzstd writes it.
  static func isSkippable(_ start: [UInt8]) -> Bool {
    start.count >= 8 && start[0] & 0xf0 == 0x50 && start[1..<4].elementsEqual([0x2a, 0x4d, 0x18])
  }

  /// Whether the bytes are the header of `xz --format=lzma`, which has no magic: one of 225 properties, a dictionary, a
  /// size, and data that begin with a zero. If the size is known, it is below 256 GiB, the dictionary has 2^n or
  /// 2^n + 2^(n-1) bytes, and the data begin with a literal byte. A dictionary that is large for little data, or smaller
  /// than that of any program, is one only before data that look compressed, as is any other dictionary.
  private static func isLZMA(_ start: [UInt8]) -> Bool {
    guard start.count >= 15, start[0] < 225, start[13] == 0 else { return false }
    let size = start[5..<13].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard size != .max else { return true }
    let dictionary = start[1..<5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    // Without its lowest bit, it is nothing, or the bit above that one.
    let lowest = dictionary & (~dictionary &+ 1)
    let isRegular = dictionary == .max || dictionary > 0 && [lowest, lowest &* 3].contains(dictionary)
    let isUsual = isRegular && dictionary >= 1 << 12 && (dictionary <= 1 << 26 || UInt64(dictionary) / 2 <= size)
    return (1..<1 << 38).contains(size) && start[14] < 0x80 && (isUsual || isDense(start[14...]))
  }

  /// Whether what begins like this is compressed, whatever can be made of it. Only LZMA has no mark. But programs give it
  /// one of 225 properties unless they are told otherwise, a size that is not known has eight bytes 0xff, and tables of
  /// numbers, which begin like it by chance, do not look compressed.
  package func isCertain(_ start: [UInt8]) -> Bool {
    self != .lzma || start.first == 0x5d
      || start.count >= 14 && (start[5..<13].allSatisfy { $0 == 0xff } || Self.isDense(start[14...]))
  }

  /// How many bytes tell whether data look compressed, and how many there must be: fewer vary too much to tell, and have no
  /// room for a private key, compressed or not.
  private static let densitySize = 1024
  private static let leastDensitySize = 48

  /// Whether bytes look random, as compressed data do: one pair of them in 256 is equal. In base64 one in 64 is, and in
  /// tables of numbers one in 16 or more.
  package static func isDense(_ bytes: ArraySlice<UInt8>) -> Bool {
    let sample = bytes.prefix(densitySize)
    guard sample.count >= leastDensitySize else { return false }
    var counts = [Int](repeating: 0, count: 256)
    for byte in sample { counts[Int(byte)] += 1 }
    // Twice as many as the average, and some more: of few bytes, the number varies.
    return counts.reduce(0) { $0 + $1 * ($1 - 1) } <= sample.count * (sample.count - 1) / 128 + 16
  }

  /// The format of a tar with this compression; nil if a module cannot have it.
  package var moduleFormat: ArchiveFormat? {
    switch self {
    case .gzip: .tarGzip
    case .xz: .tarXZ
    case .zstandard: .tarZstandard
    case .bzip2, .lz4, .lzma, .lzip, .compress, .zlib: nil
    }
  }
}
