internal import CLibArchive
package import SignetBase
internal import SignetNames

/// Compresses a file as a whole, in constant memory: the same bytes and the same libraries give the same file.
///
/// The levels are the defaults of the tools. The output does not say when or where it was written, or who wrote it. A
/// gzip header has no time and no name. One thread compresses, so that the number of processors does not show.
@safe package final class CompressionFilter {
  private let functions: LibarchiveFunctions
  private let archive: OpaquePointer
  private let output: Output
  private var isOpen = true

  /// Takes compressed bytes. The memory is valid until the sink returns.
  package typealias Sink = (UnsafeRawBufferPointer) throws(SignetError) -> Void

  /// Starts a file.
  ///
  /// - Throws: `archive.filter` if libarchive would have to run a program for the compression, and what the sink
  ///   throws.
  package init(_ compression: TarCompression, _ sink: @escaping Sink) throws(SignetError) {
    let functions = try LibarchiveFunctions.shared()
    self.functions = functions
    guard let archive = unsafe functions.writeNew() else {
      throw SignetError(.archiveFilter, "archive", "cannot be compressed: libarchive cannot be set up")
    }
    unsafe self.archive = archive
    output = unsafe Output(sink)
    try checkStatus("format", unsafe functions.writeSetFormatRaw(archive))
    let added =
      switch compression {
      case .gzip: unsafe functions.writeAddFilterGzip(archive)
      case .xz: unsafe functions.writeAddFilterXZ(archive)
      case .zstandard: unsafe functions.writeAddFilterZstandard(archive)
      }
    guard added == ARCHIVE_OK else {
      throw SignetError(
        .archiveFilter, "archive", "cannot be compressed by the installed libarchive",
        found: compression.format.rawValue,
        cause: unsafe LibarchiveFailure("enable", status: Int(added), of: archive, functions: functions))
    }
    try set("compression-level", compression == .zstandard ? "3" : "6")
    if compression == .gzip { try set("timestamp", nil) }
    // The output is passed on as it comes, and is not padded at the end.
    try checkStatus("block", unsafe functions.writeSetBytesPerBlock(archive, 0))
    try checkStatus("block", unsafe functions.writeSetBytesInLastBlock(archive, 1))
    try open()
  }

  deinit {
    // The sink takes nothing more of an unfinished file. It is closed all the same: libarchive frees what a compressor
    // has allocated only when it closes it.
    output.abandon()
    if isOpen { _ = unsafe functions.writeClose(archive) }
    _ = unsafe functions.writeFree(archive)
  }

  private func set(_ option: String, _ value: String?) throws(SignetError) {
    try checkStatus(option, unsafe functions.writeSetFilterOption(archive, nil, option, value))
  }

  private func open() throws(SignetError) {
    try checkStatus(
      "open",
      unsafe functions.writeOpen(
        archive, Unmanaged.passUnretained(output).toOpaque(), nil,
        { _, output, bytes, count in
          guard let output = unsafe output else { return -1 }
          return unsafe Unmanaged<Output>.fromOpaque(output).takeUnretainedValue().write(
            UnsafeRawBufferPointer(start: bytes, count: count))
        }, nil))
    guard let entry = unsafe functions.entryNew() else {
      throw SignetError(.archiveFilter, "archive", "cannot be compressed: libarchive cannot be set up")
    }
    defer { unsafe functions.entryFree(entry) }
    // The raw format writes nothing of the entry, and refuses an entry that is not a regular file.
    unsafe functions.entrySetFileType(entry, 0o100000)
    unsafe functions.entrySetPathname(entry, "data")
    try checkStatus("header", unsafe functions.writeHeader(archive, entry))
  }

  /// Compresses more bytes.
  ///
  /// - Throws: what the sink throws, `archive.filter`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SignetError) {
    guard unsafe !bytes.isEmpty else { return }
    let count = unsafe functions.writeData(archive, bytes.baseAddress, bytes.count)
    guard count == bytes.count, output.failure == nil else {
      try checkStatus("data", count < 0 ? Int32(clamping: count) : ARCHIVE_FATAL)
      return
    }
  }

  /// Compresses more bytes.
  ///
  /// - Throws: what the sink throws, `archive.filter`.
  package func write(_ bytes: [UInt8]) throws(SignetError) {
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SignetError) { try unsafe write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Writes the end of the file. Nothing may be written afterwards.
  ///
  /// - Throws: what the sink throws, `archive.filter`.
  package func finish() throws(SignetError) {
    isOpen = false
    try checkStatus("close", unsafe functions.writeClose(archive))
  }

  private func checkStatus(_ operation: String, _ status: Int32) throws(SignetError) {
    if let failure = output.failure { throw failure }
    guard status == ARCHIVE_OK else {
      throw SignetError(
        .archiveFilter, "archive", "cannot be compressed",
        cause: unsafe LibarchiveFailure(operation, status: Int(status), of: archive, functions: functions))
    }
  }

  /// The output that libarchive writes to.
  @safe private final class Output {
    private let sink: Sink
    private(set) var failure: SignetError?
    private var isAbandoned = false

    init(_ sink: @escaping Sink) { unsafe self.sink = sink }

    /// Passes nothing more to the sink.
    func abandon() { isAbandoned = true }

    /// Passes bytes to the sink, unless it has failed. libarchive is never told of a failure: it could not be closed
    /// properly any more. The failure is thrown once libarchive returns.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
      guard failure == nil, !isAbandoned else { return bytes.count }
      do throws(SignetError) { try unsafe sink(bytes) } catch { failure = error }
      return bytes.count
    }
  }
}
