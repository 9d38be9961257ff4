internal import SignetBase
internal import SignetSystem

/// A table of symbols in an archive of `ar`: it says in which members a linker finds them.
///
/// A table that leads into the middle of a member would give a linker an object that no other program sees.
struct ArIndex {
  private let content: Range<Int>
  /// Whether offsets have 64 bits (`/SYM64/`).
  let isWide: Bool
  /// Whether it is the second table of Microsoft's linker, which begins with the number of members, in little-endian
  /// order (PE Format, "Second Linker Member").
  private let isSecond: Bool

  private static let pieceCount = 8192

  init(_ content: Range<Int>, isWide: Bool, isSecond: Bool) {
    self.content = content
    self.isWide = isWide
    self.isSecond = isSecond
  }

  /// The first offset at which no member begins, or nil.
  ///
  /// - Parameter headers: where the members begin.
  /// - Throws: what reading throws.
  func firstStray(in source: any ByteSource, _ headers: Set<Int>) throws(SignetError) -> UInt64? {
    let width = isWide ? 8 : 4
    guard content.count >= width else { return nil }
    let count = number(try source.bytes(in: content.lowerBound..<content.lowerBound + width)[...])
    let room = (content.count - width) / width
    let end = content.lowerBound + width + Int(clamping: min(count, UInt64(room))) * width
    for start in stride(from: content.lowerBound + width, to: end, by: Self.pieceCount * width) {
      let piece = try source.bytes(in: start..<min(start + Self.pieceCount * width, end))
      for place in stride(from: 0, to: piece.count, by: width) {
        let offset = number(piece[place..<place + width])
        // Microsoft's linker leaves places empty. Where an archive begins, no linker finds a member.
        guard offset == 0 || Int(exactly: offset).map(headers.contains) ?? false else { return offset }
      }
    }
    return nil
  }

  private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    isSecond ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
