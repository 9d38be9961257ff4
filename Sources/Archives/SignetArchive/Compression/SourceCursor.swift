internal import SignetBase
internal import SignetSystem

/// Reads bytes in order through a window: small steps take no more system calls than copying does.
struct SourceCursor {
  private static let windowSize = 64 << 10

  private let source: any ByteSource
  private var window: [UInt8] = []
  private var start = 0
  /// The offset of the next byte.
  private(set) var position = 0

  init(_ source: any ByteSource) { self.source = source }

  /// The source's name in messages.
  var path: String { source.path }

  /// How many bytes are left.
  var remaining: Int { source.size - position }

  /// The next byte.
  ///
  /// - Throws: `archive.truncated`.
  mutating func byte() throws(SignetError) -> UInt8 {
    guard remaining > 0 else { throw truncated() }
    if position < start || position >= start + window.count {
      window = try source.bytes(in: position..<min(position + Self.windowSize, source.size))
      start = position
    }
    position += 1
    return window[position - 1 - start]
  }

  /// A little-endian number of `count` bytes, at most 8.
  mutating func littleEndian(_ count: Int) throws(SignetError) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<count { number |= UInt64(try byte()) << UInt64(8 * index) }
    return number
  }

  /// A big-endian number of two bytes.
  mutating func bigEndian16() throws(SignetError) -> Int {
    let high = Int(try byte())
    return high << 8 | Int(try byte())
  }

  /// Skips bytes that must be there.
  mutating func skip(_ count: Int) throws(SignetError) {
    guard count <= remaining else { throw truncated() }
    position += count
  }

  /// Checks that no bytes are left.
  ///
  /// - Throws: `archive.trailing-data`.
  func expectEnd() throws(SignetError) {
    guard remaining == 0 else { throw Self.trailing(path, remaining) }
  }

  static func trailing(_ path: String, _ count: Int) -> SignetError {
    SignetError(
      .archiveTrailingData, path, "has bytes after the end of its compressed data", expected: "nothing",
      found: "\(count) bytes", hint: "compress it as one piece")
  }

  func truncated() -> SignetError {
    SignetError(.archiveTruncated, path, "is truncated", hint: "get the archive again from its publisher")
  }
}
