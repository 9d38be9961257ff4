internal import SignetBase
internal import SignetSystem

/// The block before the central directory of an Android package that holds Android's own signatures (APK Signature
/// Scheme v2, "APK Signing Block").
///
/// It consists of u64 size; pairs of u64 length, u32 number and value; u64 size; magic. All numbers are little-endian,
/// and both sizes count what follows the first one. Android refuses a package in which the block is not right before the
/// central directory, or is changed. So such a file is signed as it is, and its signature stays beside it.
package struct AndroidSigningBlock: Sendable, Hashable {
  /// Where the block is in the file.
  package let range: Range<Int>

  private static let magic = Array("APK Sig Block 42".utf8)
  private static let foot = 8 + 16
  /// The maximum number of zeros before it: some of Android's tools leave more than one page of 4096 bytes, and pages may
  /// have up to 64 KiB.
  private static let paddingLimit = 64 << 10
  /// The maximum number of pairs: packages have about five.
  private static let pairLimit = 1000

  /// Looks for a block before the central directory.
  ///
  /// - Parameters:
  ///   - end: where the central directory begins.
  ///   - entriesEnd: where the last entry ends, if that is known. The block begins there, or after the zeros with which
  ///     Android's tools let it begin at a page.
  /// - Returns: nil if there is no whole one.
  /// - Throws: what reading throws.
  init?(in source: some ByteSource, before end: Int, entriesEnd: Int?) throws(SignetError) {
    let footer = ZIPBytes(try source.bytes(in: max(0, end - Self.foot)..<end))
    guard footer.count == Self.foot, footer.bytes.suffix(Self.magic.count) == Self.magic[...],
      let size = footer.size(0), size >= Self.foot, size <= end - 8
    else { return nil }
    let start = end - 8 - size
    guard ZIPBytes(try source.bytes(in: start..<start + 8)).size(0) == size else { return nil }
    if let entriesEnd {
      guard entriesEnd <= start, start - entriesEnd < Self.paddingLimit,
        try source.bytes(in: entriesEnd..<start).allSatisfy({ $0 == 0 })
      else { return nil }
    }
    var position = start + 8
    var count = 0
    while position < end - Self.foot {
      count += 1
      guard count <= Self.pairLimit, end - Self.foot - position >= 8 + 4 else { return nil }
      // The number is part of the length.
      let length = ZIPBytes(try source.bytes(in: position..<position + 8)).size(0)
      guard let length, length >= 4, length <= end - Self.foot - position - 8 else { return nil }
      position += 8 + length
    }
    range = start..<end
  }

  /// Whether the bytes before a central directory end as such a block does.
  static func ends(_ footer: [UInt8]) -> Bool { footer.suffix(magic.count) == magic[...] }
}
