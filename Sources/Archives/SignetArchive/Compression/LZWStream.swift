internal import SignetBase
internal import SignetSystem

/// Decompresses a file of `compress`, `.Z`: Lempel, Ziv and Welch's method with codes of 9 to 16 bits.
///
/// libarchive reads such files, too, but only after all its filters have bid for what comes out, again and again.
///
/// A code stands for a byte, or for the text of an older code and one byte more. Each code but the first adds one. Codes
/// are written in groups of eight, the lowest bit first. Where their length changes, the rest of a group is empty. In
/// block mode the code 256 clears the table.
@safe final class LZWStream: DecompressedStream {
  private static let headerSize = 3
  private static let clear = 256
  private static let firstLength = 9
  private static let lastLength = 16
  private static let outputSize = 64 << 10
  /// The longest text of one code.
  private static let textLimit = 1 << lastLength

  private let path: String
  private var cursor: SourceCursor
  private let output: UnsafeMutableRawBufferPointer
  private let isInBlocks: Bool
  private let longest: Int

  private var prefixes = [UInt16](repeating: 0, count: 1 << lastLength)
  private var suffixes = [UInt8](repeating: 0, count: 1 << lastLength)
  /// The text of the last code, backwards.
  private var text: [UInt8] = []
  private var length = firstLength
  private var free: Int
  private var old: Int?
  private var first: UInt8 = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  /// The number of bytes that were read since the length changed.
  private var sectionBytes = 0

  /// - Parameter source: begins with the mark of such a file.
  /// - Throws: what reading throws.
  init(_ source: any ByteSource) throws(SignetError) {
    path = source.path
    cursor = SourceCursor(source)
    let header = try source.bytes(in: 0..<min(Self.headerSize, source.size))
    longest = Int(header.last ?? 0) & 0x1f
    isInBlocks = (header.last ?? 0) & 0x80 != 0
    free = isInBlocks ? 257 : 256
    unsafe output = .allocate(byteCount: Self.outputSize + Self.textLimit, alignment: 4096)
    guard header.count == Self.headerSize, (Self.firstLength...Self.lastLength).contains(longest) else {
      throw SourceCursor(source).truncated()
    }
    try cursor.skip(Self.headerSize)
  }

  deinit { unsafe output.deallocate() }

  /// The next bytes; empty at the end.
  func next() throws(SignetError) -> UnsafeRawBufferPointer {
    var count = 0
    while count < Self.outputSize {
      // The bytes before a fault are passed on. The next call finds the fault again.
      guard let code = try nextCode(), isKnown(code) else {
        guard count == 0, let fault else { break }
        throw fault
      }
      take(code)
      for byte in text.reversed() {
        unsafe output[count] = byte
        count += 1
      }
    }
    return unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count])
  }

  private var fault: SignetError?

  /// Whether a code stands for something; the fault is kept.
  private func isKnown(_ code: Int) -> Bool {
    let isKnown = if old != nil { code <= free && (code < free || free < 1 << longest) } else { code < 256 }
    if !isKnown || isInBlocks && code == Self.clear {
      fault = SignetError(.archiveData, path, "has damaged compressed data", hint: "get it again from its publisher")
    }
    return fault == nil
  }

  /// Takes the text of a code, and adds the next code.
  private func take(_ code: Int) {
    text.removeAll(keepingCapacity: true)
    var rest = code
    // The code that is only about to be added: the last text, and its first byte again.
    if code == free, let old {
      text.append(first)
      rest = old
    }
    while rest >= 256 {
      text.append(suffixes[rest])
      rest = Int(prefixes[rest])
    }
    first = UInt8(rest)
    text.append(first)
    if let old, free < 1 << longest {
      (prefixes[free], suffixes[free]) = (UInt16(old), first)
      free += 1
    }
    old = code
  }

  /// The next code that is not to clear the table; nil at the end.
  private func nextCode() throws(SignetError) -> Int? {
    guard fault == nil else { return nil }
    while true {
      if free > 1 << length - 1, length < longest {
        guard try passGroup() else { return nil }
        length += 1
      }
      while bitCount < length {
        guard cursor.remaining > 0 else { return nil }
        bits |= UInt32(try cursor.byte()) << UInt32(bitCount)
        bitCount += 8
        sectionBytes += 1
      }
      let code = Int(bits & (1 << UInt32(length) - 1))
      bits >>= UInt32(length)
      bitCount -= length
      guard isInBlocks, code == Self.clear else { return code }
      guard try passGroup() else { return nil }
      (length, free, old) = (Self.firstLength, 257, nil)
    }
  }

  /// Passes the rest of a group of eight codes, which is empty.
  ///
  /// - Returns: false at the end.
  private func passGroup() throws(SignetError) -> Bool {
    let rest = (length - sectionBytes % length) % length
    guard rest <= cursor.remaining else { return false }
    try cursor.skip(rest)
    (bits, bitCount, sectionBytes) = (0, 0, 0)
    return true
  }
}
