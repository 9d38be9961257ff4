public import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The block before a ZIP's central directory that holds the signatures.
///
/// It consists of u64 size; one pair of u64 length, u32 number and value; u64 size; magic. All numbers are
/// little-endian, and both sizes count what follows the first one.
///
/// The form is that of Android's APK Signing Block, with a magic of our own: programs that know Android's block leave
/// ours alone.
package struct SigningBlock: Sendable, Hashable {
  /// Where the block is in the file.
  package let range: Range<Int>
  /// Where the bundles are in the file: one bundle a line, each line with its end.
  package let value: Range<Int>

  /// The last bytes of every block.
  static let magic = Array("SIGNET BUNDLE 01".utf8)
  /// The number of the only pair: "SGNT".
  static let pairID = 0x544e_4753
  /// The maximum number of bytes in a block. The first bytes of its sizes then cannot be the signature of a ZIP's
  /// record, which would be 33,639,248 or more. So a program that streams the archive finds no record in the block.
  package static let sizeLimit = 32 << 20

  private static let head = 8 + 8 + 4
  private static let foot = 8 + 16

  /// Looks for a block before the central directory.
  ///
  /// - Parameters:
  ///   - end: where the central directory begins.
  ///   - entriesEnd: where the last entry ends, if that is known: what lies between is a block or damaged.
  /// - Returns: nil if the file has no signing block.
  /// - Throws: `signature.malformed`.
  init?(in source: some ByteSource, before end: Int, entriesEnd: Int?) throws(SignetError) {
    let footer = try source.bytes(in: max(0, end - Self.foot)..<end)
    guard footer.suffix(Self.magic.count) == Self.magic[...] else {
      guard let entriesEnd, entriesEnd < end else { return nil }
      // Android's signing block is not Signet's.
      guard try AndroidSigningBlock(in: source, before: end, entriesEnd: entriesEnd) == nil else { return nil }
      throw Self.damaged(
        AndroidSigningBlock.ends(footer)
          ? "has a damaged signing block of Android"
          : "has unknown bytes before its central directory, or a damaged signing block")
    }
    let size = footer.count == Self.foot ? ZIPBytes(footer).size(0) : nil
    guard let size, size >= Self.head - 8 + Self.foot, size <= min(Self.sizeLimit, end) - 8 else {
      throw Self.damaged("has a signing block with an invalid size")
    }
    let start = end - 8 - size
    let header = ZIPBytes(try source.bytes(in: start..<start + Self.head))
    guard header.size(0) == size else { throw Self.damaged("has a signing block with two different sizes") }
    guard header.size(8) == size - 8 - Self.foot else {
      throw Self.damaged("has a signing block that does not hold exactly one pair")
    }
    guard header.u32(16) == Self.pairID else { throw Self.damaged("has a signing block with an unknown pair") }
    guard entriesEnd == nil || entriesEnd == start else {
      throw Self.damaged("has a signing block that does not begin where the entries end")
    }
    range = start..<end
    value = start + Self.head..<end - Self.foot
    guard !value.isEmpty else { throw Self.damaged("has a signing block without a signature") }
  }

  private static func damaged(_ message: String) -> SignetError {
    SignetError(
      .signatureMalformed, "archive", message, expected: "a complete signing block of Signet",
      hint: "get the archive again from its publisher")
  }

  /// Whether these bytes contain the magic of a block.
  package static func hasMagic(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0] == magic[0] && bytes[$0...].starts(with: magic) }
  }

  /// The bytes of a block with this value.
  ///
  /// - Throws: `signing.block-size`.
  static func bytes(holding value: [UInt8]) throws(SignetError) -> [UInt8] {
    let size = head - 8 + value.count + foot
    guard size + 8 <= sizeLimit else {
      throw SignetError(
        .signingBlockSize, "signing block", "would be too large", expected: "at most \(sizeLimit) bytes",
        found: "\(size + 8) bytes", hint: "keep the bundles beside the archive")
    }
    let whole = ZIPBytes.little(size, 8)
    return whole + ZIPBytes.little(value.count + 4, 8) + ZIPBytes.little(pairID, 4) + value + whole + magic
  }
}

extension SignetError.Code {
  /// More bundles than a signing block may hold.
  public static let signingBlockSize = Self("signing.block-size", .failure)
  /// A block that would move an offset in the archive's end records beyond what they can hold.
  public static let signingBlockOffset = Self("signing.block-offset", .failure)
  /// A block with which the data of an entry would pass for the archive's end.
  public static let signingBlockAmbiguous = Self("signing.block-ambiguous", .failure)
}
