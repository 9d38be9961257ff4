internal import CLibArchive
internal import SignetBase
internal import SignetSystem

/// libarchive's reader with one format and no filter: it returns entries one after another, as they are in the archive.
///
/// Anything that libarchive warns about is an error: the archive is packed again faithfully, or not at all.
@safe final class ForeignReader {
  /// What an archive says about one entry.
  struct Header {
    let path: [UInt8]
    let kind: Kind
    /// The entry's mode, without its type.
    let permissions: UInt32
    /// The number of bytes that the archive says the entry has; nil if it does not say.
    let size: Int?
    /// The number of the file's bytes that are in the archive, if it has holes; the bytes that the archive leaves out
    /// are zeros. Nil for a file without holes.
    let sparseSize: Int?

    /// Whether it is a hard link, whose bytes may be with the file that it leads to.
    var isLink: Bool { if case .hardLink = kind { true } else { false } }
  }

  /// The kind of an entry.
  enum Kind: Equatable {
    case file
    case directory
    case symbolicLink(target: [UInt8])
    case hardLink(to: [UInt8])
    case other
  }

  private static let emptyPieceLimit = 1000

  private let functions: LibarchiveFunctions
  private let archive: OpaquePointer
  private let format: ForeignFormat
  private let input: LibarchiveInput

  /// - Throws: `archive.filter` if the installed libarchive does not read the format, or does not check it,
  ///   `archive.data`.
  init(_ source: any ByteSource, _ format: ForeignFormat) throws(SignetError) {
    if format == .xar { try XARTable.check(source) }
    if format == .cpio { try CPIOArchive.check(source) }
    let functions = try LibarchiveFunctions.shared()
    self.functions = functions
    self.format = format
    guard let archive = unsafe functions.readNew() else {
      throw SignetError(.archiveFilter, source.path, "cannot be read: libarchive cannot be set up")
    }
    unsafe self.archive = archive
    input = LibarchiveInput(source)
    let enabled = unsafe functions.enable(format, archive)
    guard enabled == ARCHIVE_OK else {
      throw SignetError(
        .archiveFilter, source.path, "has a format that the installed libarchive does not read", found: format.name,
        cause: unsafe LibarchiveFailure("enable", status: Int(enabled), of: archive, functions: functions),
        hint: "unpack it, and pack the directory")
    }
    try unsafe checkStatus("open", input.open(archive, functions, canSeek: true))
  }

  deinit { _ = unsafe functions.readFree(archive) }

  /// The next entry; nil at the end.
  ///
  /// - Throws: `archive.data`, `archive.encrypted`, `archive.truncated` and `archive.trailing-data` at the end, and
  ///   what reading throws.
  func next() throws(SignetError) -> Header? {
    var found: OpaquePointer?
    let status = unsafe functions.readNextHeader(archive, &found)
    if status == ARCHIVE_EOF, input.failure == nil {
      try unsafe ForeignEnd(
        lastHeader: Int(functions.readHeaderPosition(archive)), readUpTo: Int(functions.filterBytes(archive, -1))
      ).check(format, input.source)
      return nil
    }
    // If a link in a 7z does not match its checksum, libarchive reports that, and continues.
    let isWarning = unsafe status == ARCHIVE_OK && functions.errorString(archive) != nil
    try checkStatus("header", isWarning ? ARCHIVE_WARN : status)
    guard let entry = unsafe found, let path = unsafe text(functions.entryPathname(entry)) else {
      throw damaged(nil)
    }
    guard unsafe functions.entryIsEncrypted(entry) == 0 else {
      throw SignetError(
        .archiveEncrypted, String(decoding: path, as: UTF8.self), "is encrypted",
        hint: "unpack the archive, and pack the directory")
    }
    let hasSize = unsafe functions.entrySizeIsSet(entry) != 0
    return unsafe Header(
      path: path, kind: kind(entry), permissions: functions.entryPermissions(entry) & 0o7777,
      size: hasSize ? Int(functions.entrySize(entry)) : nil, sparseSize: sparseSize(entry))
  }

  private func sparseSize(_ entry: OpaquePointer) -> Int? {
    guard unsafe functions.entrySparseReset(entry) > 0 else { return nil }
    var total = 0
    var (offset, count): (Int64, Int64) = (0, 0)
    while unsafe functions.entrySparseNext(entry, &offset, &count) == ARCHIVE_OK {
      total = total.addingReportingOverflow(Int(count)).partialValue
    }
    return total
  }

  private func kind(_ entry: OpaquePointer) -> Kind {
    if let target = unsafe text(functions.entryHardlink(entry)) { return .hardLink(to: target) }
    switch unsafe functions.entryFileType(entry) & 0o170000 {
    case 0o100000: return .file
    case 0o040000: return .directory
    case 0o120000: return unsafe .symbolicLink(target: text(functions.entrySymlink(entry)) ?? [])
    default: return .other
    }
  }

  private func text(_ start: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let start = unsafe start else { return nil }
    var count = 0
    while unsafe start[count] != 0 { count += 1 }
    return unsafe UnsafeBufferPointer(start: start, count: count).map { UInt8(bitPattern: $0) }
  }

  /// Reads the bytes of the entry that ``next()`` returned last, up to its end.
  ///
  /// - Parameter sink: takes each run of bytes with its offset in the file; the bytes between runs are zeros.
  /// - Throws: `archive.data`, what the sink throws, and what reading throws.
  func readData(_ sink: (UnsafeRawBufferPointer, _ offset: Int) throws(SignetError) -> Void) throws(SignetError) {
    var emptyPieces = 0
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let status = unsafe functions.readDataBlock(archive, &start, &count, &offset)
      if status == ARCHIVE_EOF, input.failure == nil { return }
      try checkStatus("data", status)
      // From a damaged xar, libarchive returns empty pieces without end.
      emptyPieces = count == 0 ? emptyPieces + 1 : 0
      guard emptyPieces <= Self.emptyPieceLimit else { throw damaged(nil) }
      try unsafe sink(UnsafeRawBufferPointer(start: start, count: count), Int(offset))
    }
  }

  private func checkStatus(_ operation: String, _ status: Int32) throws(SignetError) {
    if let failure = input.failure { throw failure }
    guard status == ARCHIVE_OK else {
      let cause = unsafe LibarchiveFailure(operation, status: Int(status), of: archive, functions: functions)
      guard status == ARCHIVE_WARN else { throw damaged(cause) }
      throw SignetError(
        .archiveData, input.source.path, "has content that cannot be converted faithfully",
        cause: cause, hint: "unpack it with the program that made it, and pack the directory")
    }
  }

  private func damaged(_ cause: LibarchiveFailure?) -> SignetError {
    SignetError(
      .archiveData, input.source.path,
      "is damaged or truncated, or the installed libarchive cannot read this form of \(format.name)", cause: cause,
      hint: "get the archive again; if another program unpacks it, pack the directory")
  }
}
