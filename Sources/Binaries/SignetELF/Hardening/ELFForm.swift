internal import SignetBase

/// The class and the byte order of an ELF file (gABI, "ELF Identification", EI_CLASS and EI_DATA).
struct ELFForm: Hashable, Sendable {
  /// Whether addresses and offsets have 64 bits, and not 32.
  let is64Bit: Bool
  let isBigEndian: Bool

  /// The size of an address or offset in bytes.
  var wordSize: Int { is64Bit ? 8 : 4 }
  /// The size of the file's header in bytes.
  var headerSize: Int { is64Bit ? 64 : 52 }
  /// The size of a program header in bytes.
  var segmentSize: Int { is64Bit ? 56 : 32 }
  /// The size of a section header in bytes.
  var sectionSize: Int { is64Bit ? 64 : 40 }
  /// The size of a symbol in bytes.
  var symbolSize: Int { is64Bit ? 24 : 16 }

  /// - Returns: nil for values that ELF files do not have.
  init?(class number: UInt8, order: UInt8) {
    guard (1...2).contains(number), (1...2).contains(order) else { return nil }
    is64Bit = number == 2
    isBigEndian = order == 2
  }
}

/// Numbers of an ELF file of either class and byte order (gABI, "Data Representation").
///
/// The caller has checked that the bytes are present.
struct ELFNumbers {
  let bytes: [UInt8]
  let form: ELFForm

  init(_ bytes: [UInt8], _ form: ELFForm) {
    self.bytes = bytes
    self.form = form
  }

  var count: Int { bytes.count }

  func u16(_ offset: Int) -> UInt16 {
    let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
    return form.isBigEndian ? first << 8 | second : second << 8 | first
  }

  func u32(_ offset: Int) -> UInt32 {
    let (first, second) = (UInt32(u16(offset)), UInt32(u16(offset + 2)))
    return form.isBigEndian ? first << 16 | second : second << 16 | first
  }

  func u64(_ offset: Int) -> UInt64 {
    let (first, second) = (UInt64(u32(offset)), UInt64(u32(offset + 4)))
    return form.isBigEndian ? first << 32 | second : second << 32 | first
  }

  /// An address, an offset or a size, which has the size of the class.
  func word(_ offset: Int) -> UInt64 { form.is64Bit ? u64(offset) : UInt64(u32(offset)) }
}

extension ELFFile {
  /// The size in bytes of the pieces in which long tables are read.
  static let pieceSize = 64 << 10

  /// Reads numbers of the file.
  ///
  /// - Throws: what ``bytes(at:_:)`` throws.
  func numbers(at offset: Int, _ count: Int, _ form: ELFForm) throws(SignetError) -> ELFNumbers {
    ELFNumbers(try bytes(at: offset, count).bytes, form)
  }

  /// The range of some bytes; nil unless all of them are in the file.
  func range(_ offset: UInt64, _ count: UInt64) -> Range<Int>? {
    guard let start = Int(exactly: offset), let count = Int(exactly: count), start <= size, count <= size - start
    else { return nil }
    return start..<start + count
  }
}
