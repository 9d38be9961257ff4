internal import CLibArchive
package import SignetCrypto

/// Decompresses a file as a whole, in constant memory, through exactly one filter.
///
/// What libarchive 3.6.2 does, by experiment, and what answers it here:
/// - A filter that does not know the data, or is not built in and would run a program, is passed over in silence or with
///   ARCHIVE_WARN: the data come out as they went in. So enabling one must be ARCHIVE_OK, and it must be the filter that
///   is in use.
/// - Filters are stacked while one knows the data: a gzip in a gzip comes out of both. So one filter alone may be in use.
/// - What comes out of several gzip members, xz streams or Zstandard frames is put together: ``XZStructure`` and
///   ``ZstandardStructure`` let one pass. xz streams that are cut off and those with something behind them get the same
///   words; the structure tells them apart.
/// - Its gzip reader takes damaged data for good: ``GzipReader`` is zlib's.
/// - Nothing at all, compressed, has no format to it, not even that of raw data.
package enum DecompressionFilter {
  /// Decompresses.
  ///
  /// - Parameter sink: takes the bytes as they come; the memory holds until it returns.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.ratio`,
  ///   `archive.size`, what the sink throws, and what reading throws.
  package static func decompress(
    _ source: any ByteSource, _ compression: TarCompression, _ limits: ArchiveLimits, _ sink: EntryReader.Sink
  ) throws(SignetError) {
    switch compression {
    case .gzip: return try unsafe GzipReader.decompress(source, limits, sink)
    case .xz: try XZStructure.check(source)
    case .zstandard: try ZstandardStructure.check(source)
    }
    let archive = try RawArchive(source, compression)
    var budget = ExpansionBudget(source, limits)
    while true {
      let piece = try unsafe archive.next()
      guard unsafe !piece.isEmpty else { return }
      try budget.spend(piece.count)
      try unsafe sink(piece)
    }
  }
}

/// libarchive's reader with the raw format and one filter.
@safe private final class RawArchive {
  private static let bufferSize = 256 << 10

  private let functions: LibarchiveFunctions
  private let archive: OpaquePointer
  private let buffer: UnsafeMutableRawBufferPointer
  private let input: Input

  init(_ source: any ByteSource, _ compression: TarCompression) throws(SignetError) {
    let functions = try LibarchiveFunctions.shared()
    self.functions = functions
    guard let archive = unsafe functions.readNew() else {
      throw SignetError(.archiveFilter, source.path, "cannot be decompressed: libarchive cannot be set up")
    }
    unsafe self.archive = archive
    unsafe buffer = .allocate(byteCount: Self.bufferSize, alignment: 4096)
    input = Input(source)
    let enabled =
      switch compression {
      case .gzip: unsafe functions.readSupportFilterGzip(archive)
      case .xz: unsafe functions.readSupportFilterXZ(archive)
      case .zstandard: unsafe functions.readSupportFilterZstandard(archive)
      }
    guard enabled == ARCHIVE_OK, unsafe functions.readSupportFormatRaw(archive) == ARCHIVE_OK else {
      throw SignetError(
        .archiveFilter, source.path, "is compressed in a way that the libarchive here cannot undo by itself",
        found: compression.format.rawValue,
        cause: unsafe LibarchiveFailure("enable", Int(enabled), archive, functions))
    }
    try open(compression)
  }

  deinit {
    _ = unsafe functions.readFree(archive)
    unsafe buffer.deallocate()
  }

  private func open(_ compression: TarCompression) throws(SignetError) {
    let opened = unsafe functions.readOpen(
      archive, Unmanaged.passUnretained(input).toOpaque(), nil,
      { _, input, start in
        guard let input = unsafe input, let start = unsafe start else { return -1 }
        return unsafe Unmanaged<Input>.fromOpaque(input).takeUnretainedValue().read(start)
      }, nil)
    try check("open", opened)
    var entry: OpaquePointer?
    try check("header", unsafe functions.readNextHeader(archive, &entry))
    // The second is none at all: the bytes as they are.
    guard unsafe functions.filterCount(archive) == 2,
      unsafe functions.filterCode(archive, 0) == compression.filterCode
    else {
      throw SignetError(
        .archiveFilter, input.source.path, "is compressed more than once, or in another way than it begins",
        expected: compression.format.rawValue)
    }
  }

  /// The bytes that come next; none at the end.
  func next() throws(SignetError) -> UnsafeRawBufferPointer {
    let count = unsafe functions.readData(archive, buffer.baseAddress, buffer.count)
    guard count >= 0, unsafe count <= buffer.count else {
      try check("data", Int32(clamping: count))
      throw damaged(nil)
    }
    if count == 0 {
      guard input.isAtEnd else { throw SourceCursor.trailing(input.source.path, input.remaining) }
    }
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  private func check(_ operation: String, _ status: Int32) throws(SignetError) {
    // Why nothing could be read matters more than what libarchive makes of it.
    if let failure = input.failure { throw failure }
    guard status == ARCHIVE_OK else {
      throw damaged(unsafe LibarchiveFailure(operation, Int(status), archive, functions))
    }
  }

  private func damaged(_ cause: LibarchiveFailure?) -> SignetError {
    SignetError(
      .archiveData, input.source.path, "has compressed data that are damaged", cause: cause,
      hint: "get the archive anew from where it comes from")
  }

  /// What libarchive reads from.
  @safe private final class Input {
    private static let size = 64 << 10

    let source: any ByteSource
    private(set) var failure: SignetError?
    private let buffer: UnsafeMutableRawBufferPointer
    private var position = 0

    init(_ source: any ByteSource) {
      self.source = source
      unsafe buffer = .allocate(byteCount: Self.size, alignment: 4096)
    }

    deinit { unsafe buffer.deallocate() }

    var remaining: Int { source.size - position }
    var isAtEnd: Bool { remaining == 0 }

    func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(Self.size, remaining)])
      do throws(SignetError) {
        try unsafe source.read(into: piece, at: position)
      } catch {
        failure = error
        return -1
      }
      position += piece.count
      unsafe start.pointee = UnsafeRawPointer(piece.baseAddress)
      return piece.count
    }
  }
}
