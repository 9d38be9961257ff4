internal import SignetBase
internal import SignetSystem

/// The numbers in a ZIP's records: little-endian, unsigned (APPNOTE 4.4.1.1). The caller must check that they are
/// there.
struct ZIPBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func u16(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  func u32(_ offset: Int) -> Int { u16(offset) | u16(offset + 2) << 16 }
  func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) | UInt64(u32(offset + 4)) << 32 }

  /// A size or offset; nil if it is more than any file can have.
  func size(_ offset: Int) -> Int? { Int(exactly: u64(offset)) }

  /// A number as records store it, in `count` bytes.
  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Whether a record of this kind begins here.
  func has(_ signature: ZIPSignature, at offset: Int) -> Bool {
    offset >= 0 && offset + 4 <= bytes.count && u32(offset) == signature.rawValue
  }
}

/// The signatures that the records of a ZIP begin with (APPNOTE 4.3).
enum ZIPSignature: Int, CaseIterable {
  case localHeader = 0x0403_4b50
  case dataDescriptor = 0x0807_4b50
  case centralHeader = 0x0201_4b50
  case endRecord = 0x0605_4b50
  case zip64EndRecord = 0x0606_4b50
  case zip64Locator = 0x0706_4b50

  /// The offset of the first record signature of any kind, or nil.
  static func first(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let signatures = Set(allCases.map(\.rawValue))
    return (bytes.startIndex...(bytes.endIndex - 4)).first { index in
      guard bytes[index] == UInt8(ascii: "P"), bytes[index + 1] == UInt8(ascii: "K") else { return false }
      return signatures.contains(0x4b50 | Int(bytes[index + 2]) << 16 | Int(bytes[index + 3]) << 24)
    }
  }

  /// Whether four bytes, the first of them lowest, are the signature of an end record.
  static func isOfEnd(_ value: UInt32) -> Bool {
    value == UInt32(endRecord.rawValue) || value == UInt32(zip64EndRecord.rawValue)
      || value == UInt32(zip64Locator.rawValue)
  }

  /// The offsets of all signatures of end records in these bytes.
  static func ends(in bytes: [UInt8]) -> [Int] {
    places(of: [endRecord, zip64EndRecord, zip64Locator], in: ZIPBytes(bytes))
  }

  /// The offsets of all signatures of some kinds in these bytes, in rising order.
  static func places(of kinds: [ZIPSignature], in bytes: ZIPBytes) -> [Int] {
    // The end of each archive that is opened is searched, so it is not searched byte by byte.
    ByteSearch.places(of: UInt8(ascii: "P"), in: bytes.bytes).filter { place in
      kinds.contains { bytes.has($0, at: place) }
    }
  }
}

/// The largest values of a ZIP's fields, which are also the values that refer to a ZIP64 field (APPNOTE 4.3.9.2).
enum ZIPMarker {
  static let short = 0xffff
  static let long = 0xffff_ffff
}

/// The comments of a ZIP and of its entries. They are not used, but some programs refuse an archive with a comment that
/// they cannot read: Java if it is not UTF-8, libzip if it has control characters.
enum ZIPComment {
  /// Checks that every program can read a comment.
  ///
  /// - Throws: `archive.comment`.
  static func check(_ comment: ArraySlice<UInt8>, of object: String) throws(SignetError) {
    let isText = comment.allSatisfy { $0 >= 0x20 || [0x09, 0x0a, 0x0d].contains($0) }
    guard isText, UTF8Check.firstFault(in: Array(comment)) == nil else {
      throw SignetError(
        .archiveComment, object, "has a comment that is not UTF-8, or has control characters in it",
        expected: "a text in UTF-8", hint: ZIPHint.repack)
    }
  }
}
