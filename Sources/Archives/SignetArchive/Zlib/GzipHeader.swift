internal import SignetBase
internal import SignetSystem

/// The fields of a gzip member's header that have texts: extra fields, the file's name, and a comment (RFC 1952, section
/// 2.3). Programs pass them over, or use the name alone.
enum GzipHeader {
  private static let size = 10
  private static let extra: UInt8 = 0x04
  private static let name: UInt8 = 0x08
  private static let comment: UInt8 = 0x10
  private static let pieceSize = 1024

  /// Where the fields are: the content of each extra field, then the name, then the comment.
  ///
  /// - Parameter start: where the member begins.
  /// - Throws: what reading throws.
  static func fields(in source: any ByteSource, at start: Int) throws(SignetError) -> [Range<Int>] {
    let head = try source.bytes(in: start..<min(start + size + 2, source.size))
    guard head.count > size, head[3] & (extra | name | comment) != 0 else { return [] }
    var fields: [Range<Int>] = []
    var end = start + size
    if head[3] & extra != 0 {
      guard head.count == size + 2 else { return [end..<source.size] }
      let first = end + 2
      end = min(first + Int(head[size]) + Int(head[size + 1]) << 8, source.size)
      fields = try extraFields(in: source, first..<end)
    }
    for flag in [name, comment] where head[3] & flag != 0 {
      let first = end
      end = try self.end(ofTextAt: first, in: source)
      fields.append(first..<end)
    }
    return fields
  }

  /// The contents of extra fields, each with two letters and a size before it; all in one if they are not so divided.
  private static func extraFields(
    in source: any ByteSource, _ range: Range<Int>
  ) throws(SignetError) -> [Range<Int>] {
    let bytes = try source.bytes(in: range)
    var fields: [Range<Int>] = []
    var place = 0
    while bytes.count - place >= 4 {
      let first = place + 4
      place = first + Int(bytes[place + 2]) + Int(bytes[place + 3]) << 8
      guard place <= bytes.count else { return [range] }
      fields.append(range.lowerBound + first..<range.lowerBound + place)
    }
    return place == bytes.count ? fields : [range]
  }

  /// The offset behind the NUL at the end of a text.
  private static func end(ofTextAt start: Int, in source: any ByteSource) throws(SignetError) -> Int {
    for position in stride(from: start, to: source.size, by: pieceSize) {
      let piece = try source.bytes(in: position..<min(position + pieceSize, source.size))
      if let place = piece.firstIndex(of: 0) { return position + place + 1 }
    }
    return source.size
  }
}
