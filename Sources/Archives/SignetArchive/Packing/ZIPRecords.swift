internal import SignetBase

/// The records of a ZIP as they are written (APPNOTE 4.3.7 and 4.3.12 to 4.3.16).
enum ZIPRecords {
  private static let version = 20
  /// The version that readers must know for ZIP64 (APPNOTE 4.4.3.2).
  private static let zip64Version = 45
  private static let unix = 3

  /// What both headers of an entry say.
  struct Header {
    let name: [UInt8]
    let size: Int
    var storedSize = 0
    var crc = 0
    var isDeflated = false

    /// Whether the sizes need ZIP64. The size alone decides: it is known beforehand, and the stored size is never
    /// larger.
    private var needsZIP64: Bool { size >= ZIPMarker.long }
    /// Whether either header needs ZIP64.
    private func isLong(at offset: Int) -> Bool { needsZIP64 || Self.isFar(offset) }
    private static func isFar(_ offset: Int) -> Bool { offset >= ZIPMarker.long }
    private var flags: Int { name.allSatisfy { $0 < 0x80 } ? 0 : 0x0800 }
    /// More bytes than a header has in addition to the name.
    private static let room = 80

    private func putCommon(_ time: DOSTime, isLong: Bool, into bytes: inout [UInt8]) {
      bytes.put(isLong ? zip64Version : version, 2)
      bytes.put(flags, 2)
      bytes.put(isDeflated ? 8 : 0, 2)
      bytes.put(time.time, 2)
      bytes.put(time.date, 2)
      bytes.put(crc, 4)
      bytes.put(needsZIP64 ? ZIPMarker.long : storedSize, 4)
      bytes.put(needsZIP64 ? ZIPMarker.long : size, 4)
      bytes.put(name.count, 2)
    }

    /// The local header. It requires the same version as the record of the central directory.
    func local(_ time: DOSTime, at offset: Int) -> [UInt8] {
      let long = needsZIP64 ? [size, storedSize] : []
      var bytes: [UInt8] = []
      bytes.reserveCapacity(name.count + Self.room)
      bytes.put(ZIPSignature.localHeader.rawValue, 4)
      putCommon(time, isLong: isLong(at: offset), into: &bytes)
      bytes.put(Self.fieldSize(long), 2)
      bytes += name
      Self.put(field: long, into: &bytes)
      return bytes
    }

    func central(_ time: DOSTime, attributes: Int, offset: Int) -> [UInt8] {
      let isFar = Self.isFar(offset)
      let long = (needsZIP64 ? [size, storedSize] : []) + (isFar ? [offset] : [])
      var bytes: [UInt8] = []
      bytes.reserveCapacity(name.count + Self.room)
      bytes.put(ZIPSignature.centralHeader.rawValue, 4)
      bytes.put(unix << 8 | version, 2)
      putCommon(time, isLong: isLong(at: offset), into: &bytes)
      bytes.put(Self.fieldSize(long), 2)
      // No comment, disk 0, no internal attributes.
      for _ in 0..<3 { bytes.put(0, 2) }
      bytes.put(attributes, 4)
      bytes.put(isFar ? ZIPMarker.long : offset, 4)
      bytes += name
      Self.put(field: long, into: &bytes)
      return bytes
    }

    private static func fieldSize(_ values: [Int]) -> Int { values.isEmpty ? 0 : 4 + 8 * values.count }

    private static func put(field values: [Int], into bytes: inout [UInt8]) {
      guard !values.isEmpty else { return }
      bytes.put(ZIPExtraFields.zip64ID, 2)
      bytes.put(8 * values.count, 2)
      for value in values { bytes.put(value, 8) }
    }
  }

  /// The end records. Those of ZIP64 are written only if a field of the classic one is too small.
  static func end(count: Int, directory: Range<Int>) -> [UInt8] {
    let isLong =
      count >= ZIPMarker.short || directory.count >= ZIPMarker.long || directory.lowerBound >= ZIPMarker.long
    var bytes: [UInt8] = []
    if isLong {
      bytes += u32(ZIPSignature.zip64EndRecord.rawValue) + u64(ZIPEndRecords.zip64RecordSize - 12)
      bytes += u16(unix << 8 | zip64Version) + u16(zip64Version) + u32(0) + u32(0)
      bytes += u64(count) + u64(count) + u64(directory.count) + u64(directory.lowerBound)
      bytes += u32(ZIPSignature.zip64Locator.rawValue) + u32(0) + u64(directory.upperBound) + u32(1)
    }
    bytes += u32(ZIPSignature.endRecord.rawValue) + u16(0) + u16(0)
    bytes += u16(min(count, ZIPMarker.short)) + u16(min(count, ZIPMarker.short))
    bytes += u32(min(directory.count, ZIPMarker.long)) + u32(min(directory.lowerBound, ZIPMarker.long))
    return bytes + u16(0)
  }

  private static func u16(_ value: Int) -> [UInt8] { ZIPBytes.little(value, 2) }
  private static func u32(_ value: Int) -> [UInt8] { ZIPBytes.little(value, 4) }
  private static func u64(_ value: Int) -> [UInt8] { ZIPBytes.little(value, 8) }
}

extension [UInt8] {
  /// Appends the low `count` bytes of a number, the lowest first.
  fileprivate mutating func put(_ value: Int, _ count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

/// A time as ZIPs store it: MS-DOS's date and time in two numbers of 16 bits, in steps of two seconds, from 1980 to
/// 2107 (APPNOTE 4.4.6). They have no time zone; here they are UTC.
struct DOSTime {
  let date: Int
  let time: Int

  /// The time, or the nearest one that can be written.
  init(_ time: UnixTime) {
    let first = Int64(315_532_800)
    let last = Int64(4_354_819_198)
    let seconds = min(max(time.seconds, first), last)
    let day = CivilDate(daysSince1970: seconds / 86400)
    let rest = seconds % 86400
    date = Int((day.year - 1980) << 9 | day.month << 5 | day.day)
    self.time = Int((rest / 3600) << 11 | (rest / 60 % 60) << 5 | (rest % 60) / 2)
  }
}
