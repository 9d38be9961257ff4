/// The records of a ZIP as they are written (APPNOTE 4.3.7 and 4.3.12 to 4.3.16).
enum ZIPRecords {
  private static let version = 20
  /// What readers must know for ZIP64 (APPNOTE 4.4.3.2).
  private static let zip64Version = 45
  private static let unix = 3

  /// What both headers of an entry say.
  struct Header {
    let name: [UInt8]
    let size: Int
    var storedSize = 0
    var crc = 0
    var isDeflated = false

    init(name: [UInt8], size: Int) {
      self.name = name
      self.size = size
    }

    /// By the size alone, which is known beforehand: what is stored is never larger.
    private var needsZIP64: Bool { size >= ZIPMarker.long }
    private var flags: Int { name.allSatisfy { $0 < 0x80 } ? 0 : 0x0800 }

    private func common(_ time: DOSTime, isLong: Bool) -> [UInt8] {
      u16(isLong ? zip64Version : version) + u16(flags) + u16(isDeflated ? 8 : 0) + u16(time.time) + u16(time.date)
        + u32(crc) + u32(needsZIP64 ? ZIPMarker.long : storedSize) + u32(needsZIP64 ? ZIPMarker.long : size)
        + u16(name.count)
    }

    func local(_ time: DOSTime) -> [UInt8] {
      let extra = field(needsZIP64 ? [size, storedSize] : [])
      return u32(ZIPSignature.localHeader.rawValue) + common(time, isLong: needsZIP64) + u16(extra.count) + name
        + extra
    }

    func central(_ time: DOSTime, attributes: Int, offset: Int) -> [UInt8] {
      let isFar = offset >= ZIPMarker.long
      let extra = field((needsZIP64 ? [size, storedSize] : []) + (isFar ? [offset] : []))
      return u32(ZIPSignature.centralHeader.rawValue) + u16(unix << 8 | version)
        + common(time, isLong: needsZIP64 || isFar) + u16(extra.count)
        // No comment, disk 0, no internal attributes.
        + u16(0) + u16(0) + u16(0) + u32(attributes) + u32(isFar ? ZIPMarker.long : offset) + name + extra
    }

    private func field(_ values: [Int]) -> [UInt8] {
      guard !values.isEmpty else { return [] }
      return u16(ZIPExtraFields.zip64) + u16(8 * values.count) + values.flatMap { u64($0) }
    }
  }

  /// The end records; those of ZIP64 only where a field of the classic one is too small.
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
