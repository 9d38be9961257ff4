internal import SignetBase

/// The extra fields of a header (APPNOTE 4.5): only fields that cannot change an entry's meaning, each of them
/// well-formed.
struct ZIPExtraFields {
  /// Where the contents of the ZIP64 field are, or nil.
  private(set) var zip64: Range<Int>?
  private var times: ZIPTimes?
  private var owners: [UInt8]?

  /// Which of an entry's two headers has the fields.
  enum Place { case local, central }

  static let zip64ID = 0x0001
  private static let unicodePathID = 0x7075
  private static let timesID = 0x5455
  private static let ownersID = 0x7875
  private static let javaID = 0xcafe

  /// Reads the fields.
  ///
  /// - Parameters:
  ///   - range: where they are in `bytes`.
  ///   - isLenient: whether other fields are tolerated, except those that change the entry.
  /// - Throws: `archive.extra-field`.
  init(
    in bytes: ZIPBytes, _ range: Range<Int>, _ place: Place, _ path: String, isLenient: Bool = false
  ) throws(SignetError) {
    var seen: Set<Int> = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      // Some programs pad the field with a few zeros.
      if isLenient, range.upperBound - offset < 4 { break }
      guard range.upperBound - offset >= 4, bytes.u16(offset + 2) <= range.upperBound - offset - 4 else {
        throw Self.wrong(path, "has an extra field that is too long", nil)
      }
      let id = bytes.u16(offset)
      let content = offset + 4..<offset + 4 + bytes.u16(offset + 2)
      guard seen.insert(id).inserted || (isLenient && id != Self.zip64ID) else {
        throw Self.wrong(path, "has an extra field twice", id)
      }
      if id == Self.zip64ID {
        zip64 = content
      } else if isLenient {
        if id == Self.unicodePathID { try Self.check(unicodePath: bytes.bytes[content], path) }
      } else {
        try read(id, content: bytes.bytes[content], in: place, of: path)
      }
      offset = content.upperBound
    }
  }

  /// Reads a field that is not ZIP64's: times, owners, or the mark of Java archives. A Unicode path (0x7075), for
  /// example, would give the entry a second name that only some readers see.
  private mutating func read(
    _ id: Int, content: ArraySlice<UInt8>, in place: Place, of path: String
  ) throws(SignetError) {
    switch id {
    case Self.timesID:
      // libarchive refuses an archive in which the field is empty.
      guard let times = ZIPTimes(content, place) else { throw Self.wrong(path, "has a damaged field of times", id) }
      self.times = times
    case Self.ownersID:
      guard Self.isOwners(content) else { throw Self.wrong(path, "has a damaged field of owners", id) }
      owners = Array(content)
    case Self.javaID:
      guard content.isEmpty else { throw Self.wrong(path, "has a Java mark with content", id) }
    default: throw Self.wrong(path, "has an extra field that is not allowed", id)
    }
  }

  /// Checks that the fields of the local header and of the central directory agree, as far as both have them.
  ///
  /// - Throws: `archive.header-mismatch`.
  func checkAgrees(with central: ZIPExtraFields, _ path: String) throws(SignetError) {
    if let times, let others = central.times, !times.agrees(with: others) {
      throw Self.mismatch(path, "times (0x5455)")
    }
    if let owners, let others = central.owners, owners != others { throw Self.mismatch(path, "owners (0x7875)") }
  }

  /// Whether a field has Info-ZIP's owners (extrafld.txt, "Info-ZIP New Unix Extra Field"): version 1, then the number
  /// of the user and the number of the group, each after its length.
  private static func isOwners(_ content: ArraySlice<UInt8>) -> Bool {
    var rest = content
    guard rest.popFirst() == 1 else { return false }
    for _ in 0..<2 {
      guard let count = rest.popFirst(), Int(count) <= rest.count else { return false }
      rest = rest.dropFirst(Int(count))
    }
    return rest.isEmpty
  }

  /// Checks a second name of the entry (APPNOTE 4.6.9), which must equal its first.
  private static func check(unicodePath field: ArraySlice<UInt8>, _ path: String) throws(SignetError) {
    guard field.dropFirst(5).elementsEqual(path.utf8) else {
      throw SignetError(
        .archiveExtraField, path, "has a second name that only some readers use", expected: path,
        found: String(decoding: field.dropFirst(5), as: UTF8.self))
    }
  }

  private static func mismatch(_ path: String, _ what: String) -> SignetError {
    SignetError(
      .archiveHeaderMismatch, path, "has a local header with other \(what) than the central directory",
      hint: ZIPHint.repack)
  }

  private static func wrong(_ path: String, _ message: String, _ id: Int?) -> SignetError {
    SignetError(
      .archiveExtraField, path, message, expected: "ZIP64, times, owners or the mark of Java archives",
      found: id.map { "0x" + String($0, radix: 16) }, hint: ZIPHint.repack)
  }
}

/// Times in seconds since 1970 (extrafld.txt, "Extended Timestamp Extra Field"). A byte of flags comes first. The times
/// of the last change, the last access and the creation follow, each in four bytes if its flag is set. The central
/// directory may omit the last two whatever the flags say, because the flags describe the local header.
private struct ZIPTimes {
  /// The times by their flags' numbers; nil for those that are missing.
  private let values: [[UInt8]?]

  /// Reads the contents of a field; nil if they are not valid.
  init?(_ content: ArraySlice<UInt8>, _ place: ZIPExtraFields.Place) {
    guard let flags = content.first, flags & ~7 == 0 else { return nil }
    var rest = content.dropFirst()
    let isShort = place == .central && rest.count == 4 * Int(flags & 1)
    var values: [[UInt8]?] = []
    for number in 0..<3 {
      guard flags >> number & 1 != 0, number == 0 || !isShort else {
        values.append(nil)
        continue
      }
      guard rest.count >= 4 else { return nil }
      values.append(Array(rest.prefix(4)))
      rest = rest.dropFirst(4)
    }
    guard rest.isEmpty else { return nil }
    self.values = values
  }

  func agrees(with other: ZIPTimes) -> Bool {
    zip(values, other.values).allSatisfy { one, other in one == nil || other == nil || one == other }
  }
}

/// The hint for a ZIP that is not strict.
enum ZIPHint {
  static let repack = "make a strict ZIP of it before it is signed: signet pack --from ARCHIVE --out NEW.zip"
}
