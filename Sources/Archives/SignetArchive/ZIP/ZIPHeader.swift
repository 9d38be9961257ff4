internal import SignetBase
internal import SignetNames

/// The values of an entry that are in both its local header and the central directory (APPNOTE 4.3.7 and 4.3.12).
struct ZIPHeader: Equatable {
  /// The version that is needed to extract the entry.
  let version: Int
  let flags: Int
  let method: Int
  /// MS-DOS's time and date, two numbers of 16 bits.
  let time: Int
  let date: Int
  let crc: UInt32
  let storedSize: Int
  let size: Int
  let name: [UInt8]

  static let localSize = 30
  static let centralSize = 46

  /// The name, for messages.
  var path: String { String(decoding: name, as: UTF8.self) }

  /// Bits that may be set: how hard the compressor tried, and that the name is UTF-8.
  private static let hints = 0x0006
  private static let utf8 = 0x0800
  private static let encryption = 0x2041
  /// The flag for sizes and a checksum after the data.
  static let dataDescriptor = 0x0008

  /// Checks that the header means the same to every reader.
  ///
  /// - Parameter isLenient: whether a data descriptor is accepted, and a UTF-8 name that is not marked as such.
  /// - Throws: `archive.…`, `path.not-utf8`.
  func checkFields(isLenient: Bool = false) throws(SignetError) {
    try Self.checkEncryption(flags, path)
    guard isLenient || flags & Self.dataDescriptor == 0 else {
      throw SignetError(
        .archiveDataDescriptor, path, "has its sizes after its data, where only some readers look",
        expected: "sizes in the local header", hint: ZIPHint.repack)
    }
    guard method == 0 || method == 8 else {
      throw SignetError(
        .archiveMethod, path, "has a compression method that is not supported",
        expected: "stored (0) or deflated (8)",
        found: "\(method)", hint: ZIPHint.repack)
    }
    let allowed = Self.utf8 | (method == 8 || isLenient ? Self.hints : 0) | (isLenient ? Self.dataDescriptor : 0)
    guard flags & ~allowed == 0 else {
      throw SignetError(
        .archiveFlags, path, "has flags that change its meaning", expected: "none but UTF-8",
        found: "0x" + String(flags, radix: 16), hint: ZIPHint.repack)
    }
    guard method == 8 || storedSize == size else {
      throw SignetError(
        .archiveRecord, path, "is stored, with two different sizes", expected: "\(size) bytes",
        found: "\(storedSize) bytes")
    }
    guard UTF8Check.firstFault(in: name) == nil else {
      throw SignetError(.pathNotUTF8, path, "has a name that is not UTF-8", hint: "rename it")
    }
    // Without the flag, a name is in the code page of the IBM PC, or in whatever encoding the reader assumes.
    guard isLenient || flags & Self.utf8 != 0 || isASCII else {
      throw SignetError(
        .archiveNameEncoding, path, "has a name that is not ASCII, and not marked as UTF-8", hint: ZIPHint.repack)
    }
  }

  var isASCII: Bool { name.allSatisfy { $0 < 0x80 } }
}

extension ZIPHeader {
  /// Checks that no reader translates the name. Info-ZIP reads a name from MS-DOS, OS/2 or Windows as one in the code
  /// page of the IBM PC, even if it is marked as UTF-8.
  ///
  /// - Parameter host: the upper byte of "version made by" in the central directory.
  /// - Throws: `archive.name-encoding`.
  func checkName(host: Int) throws(SignetError) {
    guard host == ZIPAttributes.unix || isASCII else {
      throw SignetError(
        .archiveNameEncoding, path,
        "has a name that is not ASCII, from a system whose names some programs translate",
        expected: "3, which is Unix",
        found: "\(host)", hint: ZIPHint.repack)
    }
  }
}

extension ZIPHeader {
  /// Checks that an entry is not encrypted.
  ///
  /// - Throws: `archive.encrypted`.
  static func checkEncryption(_ flags: Int, _ path: String) throws(SignetError) {
    guard flags & encryption == 0 else {
      throw SignetError(.archiveEncrypted, path, "is encrypted", expected: "entries that everybody can read")
    }
  }
}

extension ZIPHeader {
  /// The version that ZIP64 needs (APPNOTE 4.4.3.2). Nothing else that may be in a strict ZIP needs a higher one.
  private static let latestVersion = 45

  /// Checks that a header does not ask for more than a strict ZIP needs. Info-ZIP skips entries from version 4.7 on,
  /// and Python refuses the archive from 6.4 on. The other programs ignore the version.
  ///
  /// - Throws: `archive.method`.
  static func check(neededVersion version: Int, _ path: String) throws(SignetError) {
    guard version <= latestVersion else {
      throw SignetError(
        .archiveMethod, path, "needs a later version of ZIP, so some programs skip it",
        expected: "at most \(latestVersion)", found: "\(version)", hint: ZIPHint.repack)
    }
  }
}

/// The values that may be in a ZIP64 field instead of the header (APPNOTE 4.5.3).
struct ZIP64Values {
  private let bytes: ZIPBytes
  private var field: Range<Int>?
  /// Whether a value was taken from the field.
  private var isUsed = false
  private let path: String

  init(_ bytes: ZIPBytes, _ field: Range<Int>?, _ path: String) {
    self.bytes = bytes
    self.field = field
    self.path = path
  }

  /// A header's value, or the next value in the field if the header refers to it.
  ///
  /// - Throws: `archive.zip64`.
  mutating func take(_ value: Int) throws(SignetError) -> Int {
    guard value == ZIPMarker.long else { return value }
    guard let rest = field, rest.count >= 8, let full = bytes.size(rest.lowerBound) else {
      throw wrong("refers to a ZIP64 value that is missing")
    }
    field = rest.lowerBound + 8..<rest.upperBound
    isUsed = true
    return full
  }

  /// Checks that a header refers to its field only where it must. Programs that do not know ZIP64, such as PHP's
  /// PharData, take the entry for one of 4 GiB and read on after its data.
  ///
  /// - Parameters:
  ///   - isMarked: whether a value of the header refers to the field.
  ///   - value: the value in the field; the largest one if the header has to refer to it for several at once.
  /// - Throws: `archive.zip64`.
  func checkNeeded(_ isMarked: Bool, _ value: Int) throws(SignetError) {
    guard isMarked, value < ZIPMarker.long else { return }
    throw wrong("has a ZIP64 value that its header has room for")
  }

  /// Checks that there is no field that the header does not refer to, and that nothing is left in the field.
  ///
  /// - Throws: `archive.zip64`.
  func finish() throws(SignetError) {
    guard let field, !field.isEmpty || !isUsed else { return }
    throw wrong("has ZIP64 values that its header does not refer to")
  }

  private func wrong(_ message: String) -> SignetError {
    SignetError(.archiveZIP64, path, message, hint: ZIPHint.repack)
  }
}
