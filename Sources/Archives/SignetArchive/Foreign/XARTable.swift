internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The table of contents of a xar, in XML, as far as it says how damage is detected.
///
/// libarchive checks SHA-1 and MD5 sums, and accepts every other file unchecked. So each file must have such sums.
enum XARTable {
  private static let headerSize = 28
  private static let sizeLimit = 64 << 20
  private static let sums = ["sha1", "md5"]

  /// Checks that libarchive detects damage anywhere in the archive.
  ///
  /// - Throws: `archive.filter` for sums that libarchive does not check, `archive.truncated`, `archive.data`,
  ///   `archive.size`, and what reading throws.
  static func check(_ source: any ByteSource) throws(SignetError) {
    guard source.size >= headerSize else { throw truncated(source) }
    let header = try source.bytes(in: 0..<headerSize)
    let start = number(header[4..<6])
    let compressed = number(header[8..<16])
    // 1 is SHA-1 and 2 is MD5: the kind of the table's own checksum.
    guard [1, 2].contains(number(header[24..<28])) else { throw unchecked(source, "its table of contents") }
    guard compressed <= sizeLimit, number(header[16..<24]) <= sizeLimit else {
      throw SignetError(
        .archiveSize, source.path, "has a table of contents that is too large",
        expected: "at most \(sizeLimit) bytes",
        hint: "unpack it, and pack the directory")
    }
    // The two bytes before the compressed data are zlib's header (RFC 1950).
    guard start >= headerSize, compressed > 2, start + compressed <= source.size else { throw truncated(source) }
    let inflater = try Inflater()
    let bytes = try inflater.inflated(
      source.bytes(in: start + 2..<start + compressed), atMost: sizeLimit, source.path)
    // Only tags and their attributes are of interest. A combining mark behind `<` must not hide it, nor a line break a name.
    let table = String(
      decoding: bytes.map { $0 >= 0x80 ? UInt8(ascii: "?") : [9, 10, 13].contains($0) ? UInt8(ascii: " ") : $0 },
      as: UTF8.self)
    guard !table.contains("<!") else {
      throw SignetError(.archiveData, source.path, "has a table of contents with declarations or comments")
    }
    let tags = table.split(separator: "<").map { $0.prefix { $0 != ">" } }
    let files = tags.count { $0 == "data" || $0.hasPrefix("data ") }
    for name in ["archived-checksum", "extracted-checksum"] {
      let found = tags.filter { $0 == name || $0.hasPrefix(name + " ") }
      let isChecked = found.allSatisfy { tag in sums.contains { tag == "\(name) style=\"\($0)\"" } }
      guard isChecked, found.count >= files else { throw unchecked(source, "a file in it") }
    }
  }

  /// A big-endian number; a value that does not fit becomes the largest `Int`.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private static func truncated(_ source: any ByteSource) -> SignetError {
    SignetError(
      .archiveTruncated, source.path, "is truncated", hint: "get the archive again from its publisher")
  }

  private static func unchecked(_ source: any ByteSource, _ what: String) -> SignetError {
    SignetError(
      .archiveFilter, source.path, "has no checksum that the installed libarchive checks, for \(what)",
      expected: sums.joined(separator: " or "), hint: "unpack it, and pack the directory")
  }
}
