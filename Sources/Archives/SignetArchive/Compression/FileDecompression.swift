package import SignetBase
package import SignetSystem

/// Decompresses a file with any compression, also one in several pieces and with faults, to look at what is in it.
///
/// ``DecompressionFilter`` is for modules, which must be compressed in one way. Here whatever other programs decompress
/// is decompressed, too, in constant memory: all that comes before a fault, and all before what does not belong to the
/// data. What was not decompressed is not silent: see ``unread``.
@safe package final class FileDecompression {
  /// Why a module could not be compressed in this way; nil if it could.
  package private(set) var form: SignetError?
  /// What follows the data, and is more than filling: programs differ in what they make of it.
  package private(set) var danger: SignetError?
  /// Why not everything was decompressed: damage, a missing end, or data that need too much memory.
  package private(set) var unread: SignetError?

  /// Where something is beside the data that no program gives out: frames that are skipped, and fields in the headers of
  /// a gzip. They are known at the end.
  package private(set) var texts: [Range<Int>] = []
  /// Whether there is more of that than ``texts`` has, or the data take any bytes: once the table of `compress` is full,
  /// each code stands for something.
  package private(set) var hasOtherTexts = false

  private let source: any ByteSource
  private let compression: FileCompression
  /// What is still to be decompressed, one after the other.
  private var parts: [any ByteSource] = []
  private var stream: (any DecompressedStream)?

  /// Decompresses a file.
  ///
  /// - Parameter sink: takes the bytes as they come. The memory is valid until the sink returns.
  /// - Returns: what is wrong with the compressed data.
  /// - Throws: what the sink throws, and what reading throws.
  package static func decompress(
    _ source: any ByteSource, _ compression: FileCompression, _ sink: EntryReader.Sink
  ) throws(SignetError) -> FileDecompression {
    let decompression = try FileDecompression(source, compression)
    while case let piece = try unsafe decompression.next(), unsafe !piece.isEmpty { try unsafe sink(piece) }
    return decompression
  }

  /// Where something is beside the data of a file that a module may be: fields in the only header of a gzip.
  ///
  /// - Throws: what reading throws.
  package static func texts(ofModule source: any ByteSource) throws(SignetError) -> [Range<Int>] {
    guard try TarCompression(of: source) == .gzip else { return [] }
    return try GzipHeader.fields(in: source, at: 0)
  }

  /// Prepares the decompression of a file that begins like one with this compression.
  ///
  /// - Throws: what reading throws.
  package init(_ source: any ByteSource, _ compression: FileCompression) throws(SignetError) {
    self.source = source
    self.compression = compression
    if compression.moduleFormat == nil {
      form = SignetError(
        .archiveFilter, source.path, "has a compression that modules cannot have", expected: "gzip, xz or Zstandard",
        found: compression.rawValue)
    }
    switch compression {
    case .xz: plan(try XZStructure.survey(source))
    case .zstandard: plan(try ZstandardStructure.survey(source))
    case .lz4:
      let pieces = try LZ4Structure.survey(source)
      plan(pieces)
      // A legacy frame of an empty file is its mark alone, which libarchive takes for damage.
      if pieces.end == LZ4Structure.markSize { parts.removeFirst() }
    case .lzma, .lzip:
      let start = try source.bytes(in: 0..<min(source.size, FileCompression.magicSize))
      do throws(SignetError) {
        try TarCompression.check(window: compression.window(start), source.path)
        parts = [source]
      } catch { unread = error }
    case .gzip, .bzip2, .compress, .zlib: parts = [source]
    }
    if compression == .compress { hasOtherTexts = true }
  }

  /// Plans what is decompressed: the complete pieces, then as much of the next one as there is.
  private func plan(_ pieces: CompressedPieces) {
    if pieces.end > 0 { parts.append(part(0..<pieces.end)) }
    if pieces.count > 1 || pieces.hasOthers {
      form = Self.severalPieces(source, pieces.count > 1 ? "\(pieces.count) pieces" : "one with filling")
    }
    note(texts: pieces.others)
    guard let fault = pieces.fault else { return }
    switch fault.code {
    case .archiveTrailingData: note(trailing: fault, isPadding: pieces.isPadding)
    // What needs too much memory is not begun.
    case .archiveFilter: unread = fault
    default:
      unread = fault
      if pieces.reached > pieces.end { parts.append(part(pieces.end..<pieces.reached)) }
    }
  }

  private func note(texts found: [Range<Int>]) {
    texts += found.prefix(CompressedPieces.othersLimit)
    hasOtherTexts = hasOtherTexts || found.count > CompressedPieces.othersLimit
  }

  private func part(_ range: Range<Int>) -> any ByteSource {
    range == 0..<source.size ? source : FilePart(source, range, path: source.path)
  }

  /// The next bytes, valid until the next call; empty at the end, and where no more can be decompressed.
  ///
  /// - Throws: what reading throws.
  package func next() throws(SignetError) -> UnsafeRawBufferPointer {
    while true {
      do throws(SignetError) {
        if stream == nil {
          guard let part = parts.first else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
          parts.removeFirst()
          stream = try open(part)
        }
        if let piece = try unsafe stream?.next(), unsafe !piece.isEmpty { return unsafe piece }
        try end()
      } catch {
        guard Set.aboutArchives.contains(error.code) else { throw error }
        unread = unread ?? error
      }
      stream = nil
    }
  }

  private func open(_ part: any ByteSource) throws(SignetError) -> any DecompressedStream {
    guard let filter = LibarchiveFilter(compression) else {
      return switch compression {
      case .gzip: try GzipStream(part, joinsMembers: true)
      case .zlib: try GzipStream(part, joinsMembers: true, .zlib)
      default: try LZWStream(part)
      }
    }
    return try RawArchive(part, filter)
  }

  /// Looks at what follows the data of the stream that has ended.
  private func end() throws(SignetError) {
    if let gzip = stream as? GzipStream {
      if gzip.members > 1 { form = Self.severalPieces(source, "\(gzip.members) members") }
      if gzip.isPadded { form = form ?? Self.padded(source) }
      // Programs have such data among their own, whatever follows. It is searched as it is.
      if compression == .zlib { unread = unread ?? gzip.trailing } else { danger = danger ?? gzip.trailing }
      note(texts: gzip.fields)
    } else if let archive = stream as? RawArchive, ![.xz, .zstandard, .lz4].contains(compression),
      case let end = try end(of: archive), end < source.size
    {
      let fault = SourceCursor.trailing(source.path, source.size - end)
      note(trailing: fault, isPadding: try source.firstNonzero(from: end) == nil)
    }
  }

  /// Where the data have ended. libarchive does not read the trailer of an empty member of lzip: a checksum and a size of
  /// nothing, and the size of the member.
  private func end(of archive: RawArchive) throws(SignetError) -> Int {
    let (end, size) = (archive.end, 20)
    guard compression == .lzip, source.size - end >= size else { return end }
    let trailer = try source.bytes(in: end..<end + size)
    let member = trailer[12...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return trailer[..<12].allSatisfy { $0 == 0 } && member == UInt64(end + size) ? end + size : end
  }

  private func note(trailing fault: SignetError, isPadding: Bool) {
    guard isPadding else {
      danger = danger ?? fault
      return
    }
    form = form ?? Self.padded(source)
  }

  private static func severalPieces(_ source: any ByteSource, _ found: String) -> SignetError {
    SignetError(
      .archiveTrailingData, source.path, "is compressed in several pieces", expected: "one", found: found,
      hint: "compress it as one piece")
  }

  private static func padded(_ source: any ByteSource) -> SignetError {
    SignetError(
      .archiveTrailingData, source.path, "has zeros after the end of its compressed data", expected: "nothing",
      hint: "compress it as one piece")
  }
}

extension FileCompression {
  /// The window that the first piece asks for, if it is one of lzma or lzip, which may ask for one of any size.
  fileprivate func window(_ start: [UInt8]) -> UInt64 {
    guard start.count >= 6 else { return 0 }
    return switch self {
    case .lzma: start[1..<5].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    case .lzip: 1 << UInt64(start[5] & 0x1f)
    default: 0
    }
  }
}
