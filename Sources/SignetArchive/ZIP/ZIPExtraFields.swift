internal import SignetCrypto

/// The extra fields of a header (APPNOTE 4.5): only those that cannot change what an entry is.
enum ZIPExtraFields {
  static let zip64 = 0x0001
  private static let unicodePath = 0x7075
  /// ZIP64 sizes, times (0x5455), owners (0x7875), and the mark of Java archives (0xCAFE). A Unicode path (0x7075), for
  /// one, would give the entry a second name that only some readers see.
  private static let allowed: Set<Int> = [zip64, times, 0x7875, 0xcafe]
  private static let times = 0x5455

  /// Reads the fields.
  ///
  /// - Parameters:
  ///   - range: where they are in `bytes`.
  ///   - isSloppy: whether other fields are tolerated, but for those that change the entry.
  /// - Returns: where the contents of the ZIP64 field are; nil where there is none.
  /// - Throws: `archive.extra-field`.
  static func zip64(
    in bytes: ZIPBytes, _ range: Range<Int>, _ path: String, isSloppy: Bool = false
  ) throws(SignetError) -> Range<Int>? {
    var seen: Set<Int> = []
    var zip64: Range<Int>?
    var offset = range.lowerBound
    while offset < range.upperBound {
      // Some programs pad the field with a few zeros.
      if isSloppy, range.upperBound - offset < 4 { break }
      guard range.upperBound - offset >= 4, bytes.u16(offset + 2) <= range.upperBound - offset - 4 else {
        throw wrong(path, "has an extra field that ends too late", nil)
      }
      let id = bytes.u16(offset)
      let end = offset + 4 + bytes.u16(offset + 2)
      if isSloppy, id == unicodePath { try check(unicodePath: bytes.bytes[(offset + 4)..<end], path) }
      guard isSloppy || allowed.contains(id) else { throw wrong(path, "has an extra field that is not allowed", id) }
      // They begin with a byte of flags; libarchive takes no archive where it is missing.
      guard isSloppy || id != times || end > offset + 4 else {
        throw wrong(path, "has a field of times that is empty", id)
      }
      guard seen.insert(id).inserted || (isSloppy && id != self.zip64) else {
        throw wrong(path, "has an extra field twice", id)
      }
      if id == self.zip64 { zip64 = offset + 4..<end }
      offset = end
    }
    return zip64
  }

  /// A second name for the entry (APPNOTE 4.6.9) must be the one it has.
  private static func check(unicodePath field: ArraySlice<UInt8>, _ path: String) throws(SignetError) {
    guard field.dropFirst(5).elementsEqual(path.utf8) else {
      throw SignetError(
        .archiveExtraField, path, "has a second name that only some readers see", expected: path,
        found: String(decoding: field.dropFirst(5), as: UTF8.self))
    }
  }

  private static func wrong(_ path: String, _ message: String, _ id: Int?) -> SignetError {
    SignetError(
      .archiveExtraField, path, message, expected: "ZIP64, times, owners or the mark of Java archives",
      found: id.map { "0x" + String($0, radix: 16) }, hint: ZIPHint.repack)
  }
}

/// What to do with a ZIP that is not strict.
enum ZIPHint {
  static let repack = "make a strict ZIP of it before it is signed: signet pack --from ARCHIVE --out NEW.zip"
}
