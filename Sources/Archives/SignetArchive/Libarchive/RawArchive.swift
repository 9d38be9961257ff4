internal import CLibArchive
internal import SignetBase
internal import SignetSystem

/// Decompresses with libarchive: its reader with the raw format and one filter.
///
/// libarchive would find out itself what a file is: each filter that is enabled bids for it, then for what the first one
/// makes of it, up to 25 times. All that happens before a byte comes out, and no limit of ours holds. So the filter is set,
/// and nothing bids.
@safe final class RawArchive: DecompressedStream {
  private let functions: LibarchiveFunctions
  private let archive: OpaquePointer
  private let input: LibarchiveInput
  private var isEmpty = false

  /// - Throws: `archive.filter` if the filter would run another program, `archive.data` for data that the filter cannot
  ///   decompress from the first byte on, and what reading throws.
  init(_ source: any ByteSource, _ filter: LibarchiveFilter) throws(SignetError) {
    let functions = try LibarchiveFunctions.shared()
    self.functions = functions
    guard let archive = unsafe functions.readNew() else {
      throw SignetError(.archiveFilter, source.path, "cannot be decompressed: libarchive cannot be set up")
    }
    unsafe self.archive = archive
    input = LibarchiveInput(source)
    let enabled = unsafe functions.enable(filter, archive)
    guard enabled == ARCHIVE_OK, unsafe functions.readAppendFilter(archive, filter.code) == ARCHIVE_OK,
      unsafe functions.readSupportFormatRaw(archive) == ARCHIVE_OK,
      unsafe functions.readSupportFormatEmpty(archive) == ARCHIVE_OK
    else {
      throw SignetError(
        .archiveFilter, source.path, "has a compression that the installed libarchive cannot decompress",
        found: filter.name,
        cause: unsafe LibarchiveFailure("enable", status: Int(enabled), of: archive, functions: functions))
    }
    try open(filter)
  }

  deinit { _ = unsafe functions.readFree(archive) }

  private func open(_ filter: LibarchiveFilter) throws(SignetError) {
    try unsafe checkStatus("open", input.open(archive, functions, canSeek: false))
    // Of data that cannot be decompressed nothing comes out, as of those that are empty. But they leave a message.
    guard unsafe functions.errorString(archive) == nil else {
      throw damaged(unsafe LibarchiveFailure("open", status: Int(ARCHIVE_FATAL), of: archive, functions: functions))
    }
    var entry: OpaquePointer?
    let status = unsafe functions.readNextHeader(archive, &entry)
    isEmpty = status == ARCHIVE_EOF && input.failure == nil
    if !isEmpty { try checkStatus("header", status) }
    // The second filter is no filter at all: the bytes as they are.
    guard unsafe functions.filterCount(archive) == 2,
      unsafe functions.filterCode(archive, 0) == filter.code
    else {
      throw SignetError(
        .archiveFilter, input.source.path, "cannot be decompressed by the installed libarchive in one step",
        expected: filter.name)
    }
  }

  /// The next bytes; empty at the end.
  func next() throws(SignetError) -> UnsafeRawBufferPointer {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    let status = isEmpty ? ARCHIVE_EOF : unsafe functions.readDataBlock(archive, &start, &count, &offset)
    if status == ARCHIVE_EOF, input.failure == nil { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    try checkStatus("data", status)
    guard count > 0 else { throw damaged(nil) }
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Where the compressed data have ended, once all was read.
  ///
  /// The filter may not have used all the bytes that libarchive has read ahead.
  var end: Int { Int(unsafe functions.filterBytes(archive, -1)) }

  /// Checks that nothing follows the compressed data.
  ///
  /// - Throws: `archive.trailing-data`.
  func checkAtEnd() throws(SignetError) {
    let left = max(input.source.size - end, input.remaining)
    guard left == 0 else { throw SourceCursor.trailing(input.source.path, left) }
  }

  private func checkStatus(_ operation: String, _ status: Int32) throws(SignetError) {
    // The reason why nothing could be read matters more than libarchive's report of it.
    if let failure = input.failure { throw failure }
    guard status == ARCHIVE_OK else {
      throw damaged(unsafe LibarchiveFailure(operation, status: Int(status), of: archive, functions: functions))
    }
  }

  private func damaged(_ cause: LibarchiveFailure?) -> SignetError {
    SignetError(
      .archiveData, input.source.path, "has damaged compressed data", cause: cause,
      hint: "get the archive again from its publisher")
  }
}
