/// The fields of a header in POSIX's ustar format (POSIX.1-2017, pax, "ustar Interchange Format"): where each is in the
/// 512 bytes.
enum TarField {
  static let blockSize = 512
  /// The number of bytes that programs write and read at once: a tar is padded to a multiple of it (pax, "-b").
  static let recordSize = 10240

  static let name = 0..<100
  static let mode = 100..<108
  static let uid = 108..<116
  static let gid = 116..<124
  static let size = 124..<136
  static let mtime = 136..<148
  static let checksum = 148..<156
  static let type = 156
  static let linkName = 157..<257
  /// `ustar`, NUL, and the version `00`.
  static let magic = 257..<265
  static let userName = 265..<297
  static let groupName = 297..<329
  static let deviceMajor = 329..<337
  static let deviceMinor = 337..<345
  static let prefix = 345..<500
  static let padding = 500..<512

  static let magicText = Array("ustar\u{0}00".utf8)

  /// The largest number that eleven octal digits can hold: 8 GiB less one byte.
  static let largestNumber = 0o777_7777_7777

  /// The sum of a header's bytes, with spaces in place of its checksum field.
  static func sum(of block: [UInt8]) -> Int {
    func sum(_ range: Range<Int>) -> Int { block[range.clamped(to: 0..<block.count)].reduce(0) { $0 + Int($1) } }
    return sum(0..<block.count) - sum(checksum) + 0x20 * checksum.clamped(to: 0..<block.count).count
  }

  /// The number of bytes between data of this size and the next block.
  static func padding(behind size: Int) -> Int { (blockSize - size % blockSize) % blockSize }
}

/// The hint for tars that are not as strict as they must be.
enum TarHint {
  static let repack = "make a module of it: signet pack --from ARCHIVE --out NEW.zip"
}
