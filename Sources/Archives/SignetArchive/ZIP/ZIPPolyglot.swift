internal import SignetBase
internal import SignetSystem

/// Archives of other formats that a ZIP could be at the same time. libarchive tries all formats that it knows, and uses
/// the one that it is most certain of. Formats that are not recognized by their first bytes can begin like a ZIP.
enum ZIPPolyglot {
  /// Where the descriptors of a disk image begin (ECMA-119, 7.2.1), and the bytes after the type in each of them.
  private static let imageOffset = 32768
  private static let imageMark = Array("CD001".utf8)

  /// Checks that a ZIP is nothing else.
  ///
  /// - Throws: `archive.format`, and what reading throws.
  static func check(_ source: some ByteSource) throws(SignetError) {
    guard source.size >= TarField.blockSize else { return }
    guard !isTarHeader(try source.bytes(in: 0..<TarField.blockSize)) else { throw polyglot("a tar") }
    let mark = imageOffset + 1..<imageOffset + 1 + imageMark.count
    guard source.size >= mark.upperBound else { return }
    guard try source.bytes(in: mark) != imageMark else { throw polyglot("the image of a disk") }
  }

  /// Whether a block has a tar's checksum, in any form that some program reads.
  static func isTarHeader(_ block: [UInt8]) -> Bool {
    let field = block[TarField.checksum]
    let sum = TarField.sum(of: block)
    // The earliest programs read bytes as signed.
    let signedSum = sum - 256 * block.indices.count { block[$0] >= 0x80 && !TarField.checksum.contains($0) }
    return [octal(field), binary(field)].compactMap(\.self).contains { $0 == sum || $0 == signedSum }
  }

  /// The octal digits after spaces and NULs, whatever follows them.
  private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
    let rest = field.drop { $0 == 0 || $0 == 0x20 || $0 == 0x09 }
    let isNegative = rest.first == UInt8(ascii: "-")
    let digits = rest.dropFirst(isNegative ? 1 : 0).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    guard !digits.isEmpty else { return nil }
    // Eight digits at most: no overflow.
    let number = digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
    return isNegative ? -number : number
  }

  /// The number in GNU's binary form, as far as a checksum can reach.
  private static func binary(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first, first & 0x80 != 0 else { return nil }
    return Int(field.suffix(4).reduce(Int32(0)) { $0 << 8 | Int32($1) })
  }

  private static func polyglot(_ other: String) -> SignetError {
    SignetError(
      .archiveFormat, "archive", "is \(other), too, and programs differ in how they read it",
      expected: "a ZIP alone",
      hint: ZIPHint.repack)
  }
}
