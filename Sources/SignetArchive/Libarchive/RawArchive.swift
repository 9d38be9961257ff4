internal import CLibArchive
internal import SignetBase
internal import SignetSystem

/// Decompresses with libarchive: its reader with the raw format and one filter.
@safe final class RawArchive {
  private static let bufferSize = 256 << 10

  private let functions: LibarchiveFunctions
  private let archive: OpaquePointer
  private let buffer: UnsafeMutableRawBufferPointer
  private let input: LibarchiveInput

  /// - Throws: `archive.filter` if the filter would run another program, or is not the one that the data need.
  init(_ source: any ByteSource, _ filter: LibarchiveFilter) throws(SignetError) {
    let functions = try LibarchiveFunctions.shared()
    self.functions = functions
    guard let archive = unsafe functions.readNew() else {
      throw SignetError(.archiveFilter, source.path, "cannot be decompressed: libarchive cannot be set up")
    }
    unsafe self.archive = archive
    unsafe buffer = .allocate(byteCount: Self.bufferSize, alignment: 4096)
    input = LibarchiveInput(source)
    let enabled = unsafe functions.enable(filter, archive)
    guard enabled == ARCHIVE_OK, unsafe functions.readSupportFormatRaw(archive) == ARCHIVE_OK else {
      throw SignetError(
        .archiveFilter, source.path, "has a compression that the installed libarchive cannot decompress",
        found: filter.name,
        cause: unsafe LibarchiveFailure("enable", Int(enabled), archive, functions))
    }
    try open(filter)
  }

  deinit {
    _ = unsafe functions.readFree(archive)
    unsafe buffer.deallocate()
  }

  private func open(_ filter: LibarchiveFilter) throws(SignetError) {
    try unsafe checkStatus("open", input.open(archive, functions, canSeek: false))
    var entry: OpaquePointer?
    try checkStatus("header", unsafe functions.readNextHeader(archive, &entry))
    // The second filter is no filter at all: the bytes as they are.
    guard unsafe functions.filterCount(archive) == 2,
      unsafe functions.filterCode(archive, 0) == filter.code
    else {
      throw SignetError(
        .archiveFilter, input.source.path, "is compressed more than once, or changes its compression",
        expected: filter.name)
    }
  }

  /// The next bytes; empty at the end.
  func next() throws(SignetError) -> UnsafeRawBufferPointer {
    let count = unsafe functions.readData(archive, buffer.baseAddress, buffer.count)
    guard count >= 0, unsafe count <= buffer.count else {
      try checkStatus("data", Int32(clamping: count))
      throw damaged(nil)
    }
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// Checks that nothing follows the compressed data.
  ///
  /// - Throws: `archive.trailing-data`.
  func checkAtEnd() throws(SignetError) {
    // The filter may not have used all the bytes that libarchive has read ahead.
    let left = input.source.size - Int(unsafe functions.filterBytes(archive, -1))
    guard left == 0, input.remaining == 0 else {
      throw SourceCursor.trailing(input.source.path, max(left, input.remaining))
    }
  }

  private func checkStatus(_ operation: String, _ status: Int32) throws(SignetError) {
    // The reason why nothing could be read matters more than libarchive's report of it.
    if let failure = input.failure { throw failure }
    guard status == ARCHIVE_OK else {
      throw damaged(unsafe LibarchiveFailure(operation, Int(status), archive, functions))
    }
  }

  private func damaged(_ cause: LibarchiveFailure?) -> SignetError {
    SignetError(
      .archiveData, input.source.path, "has damaged compressed data", cause: cause,
      hint: "get the archive again from its publisher")
  }
}
