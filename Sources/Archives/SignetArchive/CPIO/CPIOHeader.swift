internal import SignetBase

/// The header of an entry of a cpio, in any of the five forms that are in use (cpio(5)).
struct CPIOHeader {
  /// The file's mode, with its type.
  let mode: UInt32
  /// The number of bytes of its content.
  let size: Int
  /// The number of bytes of its name, with the NUL at the end.
  let nameSize: Int
  let form: Form

  /// A form of headers.
  enum Form: CaseIterable {
    /// SVR4's form in hexadecimal digits, and the same with a sum of each file.
    case newc, crc
    /// POSIX's old form, in octal digits.
    case odc
    /// The oldest form, in words of two bytes. GNU's program still writes it unless it is told otherwise.
    case littleEndian, bigEndian

    /// What every header begins with.
    var magic: [UInt8] {
      switch self {
      case .newc: Array("070701".utf8)
      case .crc: Array("070702".utf8)
      case .odc: Array("070707".utf8)
      case .littleEndian: [0xc7, 0x71]
      case .bigEndian: [0x71, 0xc7]
      }
    }

    /// The size of a header.
    var size: Int {
      switch self {
      case .newc, .crc: 110
      case .odc: 76
      case .littleEndian, .bigEndian: 26
      }
    }

    /// To a multiple of how many bytes header and name together, and content, are filled up.
    var alignment: Int {
      switch self {
      case .newc, .crc: 4
      case .odc: 1
      case .littleEndian, .bigEndian: 2
      }
    }

    /// The form of the header that begins with these bytes; nil if none does.
    init?(_ start: ArraySlice<UInt8>) {
      let known = Self.allCases.first { start.starts(with: $0.magic) }
      guard let known else { return nil }
      self = known
    }
  }

  /// The size of the largest header.
  static let largestSize = 110

  /// The number of bytes of header and name, with what fills them up.
  var headSize: Int { Self.filled(form.size + nameSize, form.alignment) }

  /// The number of bytes of the content, with what fills it up.
  var contentSize: Int { Self.filled(size, form.alignment) }

  private static func filled(_ count: Int, _ alignment: Int) -> Int {
    (count + alignment - 1) / alignment * alignment
  }

  /// Reads a header.
  ///
  /// - Parameter bytes: begin with the header.
  /// - Returns: nil if no header begins there, or one with something else than digits.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let form = Form(bytes), bytes.count >= form.size else { return nil }
    let header = Array(bytes.prefix(form.size))
    self.form = form
    switch form {
    case .newc, .crc:
      guard header[6...].allSatisfy({ Self.digit($0, 16) != nil }) else { return nil }
      mode = UInt32(Self.number(header[14..<22], 16))
      size = Self.number(header[54..<62], 16)
      nameSize = Self.number(header[94..<102], 16)
    case .odc:
      guard header[6...].allSatisfy({ Self.digit($0, 8) != nil }) else { return nil }
      mode = UInt32(Self.number(header[18..<24], 8))
      size = Self.number(header[65..<76], 8)
      nameSize = Self.number(header[59..<65], 8)
    case .littleEndian, .bigEndian:
      func word(_ index: Int) -> Int {
        let pair = (Int(header[2 * index]), Int(header[2 * index + 1]))
        return form == .littleEndian ? pair.1 << 8 | pair.0 : pair.0 << 8 | pair.1
      }
      mode = UInt32(word(3))
      // The higher word comes first, whatever the order of the bytes in it.
      size = word(11) << 16 | word(12)
      nameSize = word(10)
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ radix: Int) -> Int {
    digits.reduce(0) { $0 * radix + (digit($1, radix) ?? 0) }
  }

  private static func digit(_ byte: UInt8, _ radix: Int) -> Int? {
    let value: Int
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): value = Int(byte - UInt8(ascii: "A")) + 10
    default: return nil
    }
    return value < radix ? value : nil
  }

  // MARK: The first header of a file

  /// Whether a file is a cpio, by its first bytes.
  ///
  /// A header in text is one even if some of its characters are no digits: GNU's program reads on. A header in words has
  /// no more than its first two bytes that say so; its type and its name must be there. A name may have a NUL in it, where
  /// some programs end it: what is before that NUL must be a text.
  ///
  /// - Parameter head: the first bytes, some thousand if the file has as many.
  static func begins(_ head: [UInt8]) -> Bool {
    guard let form = Form(head[...]), head.count >= form.size else { return false }
    switch form {
    case .newc, .crc, .odc:
      guard CPIOHeader(head[...]) == nil else { return true }
      let radix = form == .odc ? 8 : 16
      let digits = head[6..<form.size].count { digit($0, radix) != nil }
      return digits * 4 >= (form.size - 6) * 3 && head[form.size...].contains(0)
    case .littleEndian, .bigEndian:
      guard let header = CPIOHeader(head[...]), header.nameSize > 1,
        [0o01, 0o02, 0o04, 0o06, 0o10, 0o12, 0o14].contains(header.mode >> 12)
      else { return false }
      let name = head[form.size...].prefix(header.nameSize)
      let text = name.prefix { $0 != 0 }
      guard name.count < header.nameSize || name.last == 0 else { return false }
      let isWhole = text.count >= name.count - (name.count < header.nameSize ? 0 : 1)
      return isWhole || !text.isEmpty && text.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
  }
}
