internal import SignetBase

/// A program header (gABI, "Program Header"; elf(5), Phdr).
struct ELFSegment: Hashable, Sendable {
  /// The size of a program header of the 64-bit class in bytes.
  static let size = 56

  /// The kinds that matter here; other kinds are not read by anything that loads a library.
  enum Kind: UInt32 {
    case load = 1
    case dynamic = 2
    /// A program's interpreter. Some libraries can also be run as programs; a loader ignores the interpreter.
    case interpreter = 3
    case note = 4
    case programHeaders = 6
    case threadLocal = 7
    case exceptions = 0x6474_e550
    case stack = 0x6474_e551
    case readOnly = 0x6474_e552
    case property = 0x6474_e553
  }

  package let kind: Kind?
  let flags: UInt32
  let offset: Int
  let address: UInt64
  let fileSize: Int
  let memorySize: UInt64
  let alignment: UInt64

  var isReadable: Bool { flags & 4 != 0 }
  var isWritable: Bool { flags & 2 != 0 }
  var isExecutable: Bool { flags & 1 != 0 }
  /// The range of the segment in the file.
  var range: Range<Int> { offset..<offset + fileSize }

  /// Reads all segments of a file.
  ///
  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  static func all(_ file: ELFFile, _ header: ELFHeader) throws(SignetError) -> [ELFSegment] {
    let table = try file.bytes(at: header.segmentTable.lowerBound, header.segmentTable.count)
    var segments: [ELFSegment] = []
    for start in stride(from: 0, to: table.count, by: size) {
      segments.append(try ELFSegment(table, start, file))
    }
    for kind in [Kind.dynamic, .interpreter, .programHeaders, .threadLocal, .stack, .readOnly] {
      guard segments.count(where: { $0.kind == kind }) <= 1 else {
        throw file.malformed("has two program headers of a kind that there is once", found: "\(kind)")
      }
    }
    let own = segments.first { $0.kind == .programHeaders }
    guard own == nil || own?.range == header.segmentTable else {
      throw file.malformed("has program headers in two places")
    }
    return segments
  }

  private init(_ table: ELFBytes, _ start: Int, _ file: ELFFile) throws(SignetError) {
    kind = Kind(rawValue: table.u32(start))
    flags = table.u32(start + 4)
    address = table.u64(start + 16)
    memorySize = table.u64(start + 40)
    alignment = table.u64(start + 48)
    guard kind != nil else {
      (offset, fileSize) = (0, 0)
      return
    }
    guard let offset = Int(exactly: table.u64(start + 8)), let fileSize = Int(exactly: table.u64(start + 32)),
      offset <= file.size, fileSize <= file.size - offset
    else { throw file.malformed("has a segment that is not in the file") }
    self.offset = offset
    self.fileSize = fileSize
    guard alignment & (alignment &- 1) == 0, UInt64(fileSize) <= memorySize || kind != .threadLocal else {
      throw file.malformed("has a segment with an alignment or size that no segment can have")
    }
  }
}
