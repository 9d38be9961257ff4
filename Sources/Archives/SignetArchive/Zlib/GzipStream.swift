internal import SignetBase
internal import SignetSystem

/// Decompresses a gzip file (RFC 1952), piece by piece: one member, or several if the caller accepts them.
///
/// It uses zlib and not libarchive. The gzip reader of libarchive 3.6.2 checks neither the checksum nor the size at the
/// end, decompresses several members as if they were one, and ignores anything else that follows. Before it knows whether
/// a file is gzip, it reads the names in the header without end. zlib checks both, and the header's checksum, keeps no
/// names, and says where the member ends. It also decompresses zlib's own format (RFC 1950), in which nothing follows.
@safe final class GzipStream: DecompressedStream {
  private static let inputSize = 64 << 10
  private static let outputSize = 256 << 10

  private let source: any ByteSource
  private let joinsMembers: Bool
  private let wrapping: Inflater.Wrapping
  private let inflater: Inflater
  private let input: UnsafeMutableRawBufferPointer
  private let output: UnsafeMutableRawBufferPointer
  /// How many bytes of the source were read.
  private var taken = 0
  private var isAtEnd = false
  /// The number of members so far.
  private(set) var members = 1
  /// Whether zeros follow the last member, and nothing else: tapes and block devices are filled up with them.
  private(set) var isPadded = false
  /// Where the members' headers have texts, as far as they were reached.
  private(set) var fields: [Range<Int>] = []
  /// What follows a member and is not a member, if members are joined: programs differ in what they make of it.
  private(set) var trailing: SignetError?

  /// - Parameter joinsMembers: whether other members may follow the first one, as `gzip` accepts them.
  /// - Throws: `archive.data` if zlib cannot be set up.
  init(
    _ source: any ByteSource, joinsMembers: Bool, _ wrapping: Inflater.Wrapping = .gzip
  ) throws(SignetError) {
    self.wrapping = wrapping
    self.source = source
    self.joinsMembers = joinsMembers
    inflater = try Inflater(wrapping)
    unsafe input = .allocate(byteCount: Self.inputSize, alignment: 4096)
    unsafe output = .allocate(byteCount: Self.outputSize, alignment: 4096)
    try passHeader(at: 0)
  }

  deinit {
    unsafe input.deallocate()
    unsafe output.deallocate()
  }

  /// The next bytes; empty at the end.
  ///
  /// - Throws: `archive.data`, `archive.truncated`; `archive.trailing-data` if members are not joined; and what reading
  ///   throws. The bytes before a fault have been returned before.
  func next() throws(SignetError) -> UnsafeRawBufferPointer {
    while !isAtEnd {
      if inflater.isHungry, taken < source.size {
        let piece = unsafe UnsafeMutableRawBufferPointer(
          rebasing: input[..<min(Self.inputSize, source.size - taken)])
        try unsafe source.read(into: piece, at: taken)
        unsafe inflater.feed(UnsafeRawBufferPointer(piece))
        taken += piece.count
      }
      let (count, state) = try unsafe inflater.inflate(into: output, source.path)
      if state == .ended {
        try endMember()
      } else {
        guard count > 0 || taken < source.size || !inflater.isHungry else { throw SourceCursor(source).truncated() }
      }
      if count > 0 { return unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count]) }
    }
    return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Goes on to the next member if there is one.
  private func endMember() throws(SignetError) {
    let end = taken - inflater.unused
    guard end < source.size else {
      isAtEnd = true
      return
    }
    let rest = SourceCursor.trailing(source.path, source.size - end)
    guard joinsMembers else { throw rest }
    guard try !isMember(at: end) else {
      members += 1
      try passHeader(at: end)
      return try inflater.beginNext()
    }
    // Most of what follows is at hand. Of many small members with zeros between them, each byte is read but once.
    let passed = end + inflater.passZeros()
    let isAtHand = !inflater.isHungry
    guard let next = isAtHand ? passed : try source.firstNonzero(from: passed) else {
      (isAtEnd, isPadded) = (true, true)
      return
    }
    trailing = trailing ?? rest
    guard next > end, try isMember(at: next) else {
      isAtEnd = true
      return
    }
    // Some programs pass zeros and go on, and others end here.
    members += 1
    try passHeader(at: next)
    guard !isAtHand else { return try inflater.beginNext() }
    try inflater.reset()
    taken = next
  }

  private func passHeader(at start: Int) throws(SignetError) {
    // A few too many are enough to know that there are many.
    guard wrapping == .gzip, fields.count <= CompressedPieces.othersLimit else { return }
    fields += try GzipHeader.fields(in: source, at: start)
  }

  /// Whether a member begins here: its magic, and deflate as the method.
  private func isMember(at offset: Int) throws(SignetError) -> Bool {
    guard wrapping == .gzip, source.size - offset >= 3 else { return false }
    return try source.bytes(in: offset..<offset + 3) == [0x1f, 0x8b, 8]
  }
}
