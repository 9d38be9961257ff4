internal import SignetBase
internal import SignetSystem

/// The lengths of names that a cpio of SVR4's form states, before libarchive believes them.
///
/// libarchive asks for as much memory as a header says that its name has, up to 4 GiB, before it knows whether the file
/// has so many bytes. The other forms of cpio state at most 256 KiB, and libarchive itself bounds the names of an ar.
struct CPIONames {
  /// The maximum length of a name: what libarchive allows a link's target in a cpio, and a name in an ar.
  static let limit = 1 << 20

  private static let headerSize = 110
  private static let sizeField = 54..<62
  private static let nameSizeField = 94..<102
  private static let trailer = Array("TRAILER!!!".utf8) + [0]
  private static let windowSize = 64 << 10

  private let source: any ByteSource
  private var position = 0
  /// A piece of the file and its offset. Each byte is read once, or twice at the end of a piece.
  private var window: [UInt8] = []
  private var windowStart = 0

  /// Checks each header that libarchive would find, where it would find it. What has no such header passes.
  ///
  /// - Throws: `archive.data` for a name that is too long, and what reading throws.
  static func check(_ source: any ByteSource) throws(SignetError) {
    var names = CPIONames(source: source)
    // By these bytes libarchive knows the form. It looks for a header then, even for the first one.
    let magic = try names.bytes(6, at: 0)
    guard magic.map({ ["070701", "070702"].contains(String(decoding: $0, as: UTF8.self)) }) ?? false else { return }
    while try names.findHeader() {
      guard try names.passEntry() else { return }
    }
  }

  private init(source: any ByteSource) { self.source = source }

  /// - Returns: false at the end of the archive.
  private mutating func passEntry() throws(SignetError) -> Bool {
    guard let header = try bytes(Self.headerSize, at: position) else { return false }
    let (size, nameSize) = (Self.number(header, Self.sizeField), Self.number(header, Self.nameSizeField))
    guard nameSize <= Self.limit else {
      throw SignetError(
        .archiveData, source.path, "has a header at offset \(position) whose name is too long",
        expected: "a name of at most \(Self.limit) bytes", found: "\(nameSize) bytes",
        hint: "get the archive again, or pack it anew")
    }
    let name = position + Self.headerSize
    if nameSize == Self.trailer.count, try bytes(nameSize, at: name) == Self.trailer { return false }
    // Header and name together, and the content, are padded to four bytes (cpio(5), "New ASCII Format").
    position = name + nameSize + (2 - nameSize) & 3 + size + -size & 3
    return true
  }

  /// Goes on to the next header. libarchive passes what stands before it, by these steps: it finds what they find, and misses
  /// what they miss.
  private mutating func findHeader() throws(SignetError) -> Bool {
    while position <= source.size - Self.headerSize {
      if try isAtHeader() { return true }
      switch try bytes(1, at: position + 5)?.first {
      case UInt8(ascii: "1"), UInt8(ascii: "2"): position += 2
      case UInt8(ascii: "0"): position += 1
      default: position += 6
      }
    }
    return false
  }

  private mutating func isAtHeader() throws(SignetError) -> Bool {
    guard let start = try index(of: Self.headerSize, at: position) else { return false }
    guard window[start + 5] == UInt8(ascii: "1") || window[start + 5] == UInt8(ascii: "2") else { return false }
    let header = window[start..<start + Self.headerSize]
    return header.starts(with: "07070".utf8) && header.allSatisfy { Self.digit($0) != nil }
  }

  private mutating func bytes(_ count: Int, at offset: Int) throws(SignetError) -> [UInt8]? {
    guard let start = try index(of: count, at: offset) else { return nil }
    return Array(window[start..<start + count])
  }

  /// Where bytes are in the window, which moves if it must; nil if the file ends before.
  private mutating func index(of count: Int, at offset: Int) throws(SignetError) -> Int? {
    guard offset <= source.size - count else { return nil }
    if offset < windowStart || offset + count > windowStart + window.count {
      window = try source.bytes(in: offset..<min(source.size, offset + Self.windowSize))
      windowStart = offset
    }
    return offset - windowStart
  }

  private static func number(_ header: [UInt8], _ field: Range<Int>) -> Int {
    header[field].reduce(0) { $0 << 4 | (digit($1) ?? 0) }
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
