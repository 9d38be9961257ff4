internal import CLibArchive
package import SignetBase
internal import SignetNames
package import SignetSystem

/// Lists the entries of an archive that another program made, and reads their bytes, to search them.
///
/// ``ForeignReader`` reads such archives to pack them again, and refuses whatever cannot be packed faithfully. This one
/// goes on as long as libarchive does: what it warns about does not keep anybody from looking. Nothing is written.
@safe package final class ArchiveListing {
  /// The formats that are listed. libarchive's readers of other formats are not used on what nobody trusts.
  package enum Format: Sendable, Hashable {
    case zip, tar
    /// A ZIP by its local headers alone, from the first one on, as if it had no central directory.
    case looseZIP
  }

  private static let emptyPieceLimit = 1000
  /// The maximum number of bytes of a name that are taken: as long as a path on Linux (PATH_MAX).
  package static let nameLimit = 4096
  /// How many times all bytes may be read. A ZIP's entries may share bytes, and then take more time than all of them.
  private static let passLimit = 4
  private static let passGrace = 64 << 20

  private let functions: LibarchiveFunctions
  private let archive: OpaquePointer
  private let input: LibarchiveInput
  private let format: Format
  private let decodesAll: Bool
  private var count = 0

  /// Lists an archive.
  ///
  /// - Parameters:
  ///   - decodesAll: whether entries of a ZIP are decompressed whatever window they ask for. ``ZIPSurvey`` says whether
  ///     they ask for little.
  ///   - body: takes the listing, which must not be used afterwards. Names are UTF-8 while it runs.
  /// - Throws: `archive.filter` if there is no libarchive that reads the format, and what `body` throws.
  package static func with(
    _ source: any ByteSource, _ format: Format, decodesAll: Bool = false,
    _ body: (ArchiveListing) throws(SignetError) -> Void
  ) throws(SignetError) {
    try UTF8Locale.with { () throws(SignetError) in try body(try ArchiveListing(source, format, decodesAll)) }
  }

  private init(_ source: any ByteSource, _ format: Format, _ decodesAll: Bool) throws(SignetError) {
    let functions = try LibarchiveFunctions.shared()
    self.functions = functions
    self.format = format
    self.decodesAll = decodesAll
    guard let archive = unsafe functions.readNew() else {
      throw SignetError(.archiveFilter, source.path, "cannot be read: libarchive cannot be set up")
    }
    unsafe self.archive = archive
    input = LibarchiveInput(source)
    let enabled: Int32 =
      switch format {
      case .zip:
        unsafe min(functions.readSupportFormatZIPSeekable(archive), functions.readSupportFormatZIPStreamable(archive))
      case .tar: unsafe functions.enable(.tar, archive)
      case .looseZIP: unsafe functions.readSupportFormatZIPStreamable(archive)
      }
    guard enabled == ARCHIVE_OK else {
      throw SignetError(
        .archiveFilter, source.path, "has a format that the installed libarchive does not read", found: "\(format)",
        cause: unsafe LibarchiveFailure("enable", status: Int(enabled), of: archive, functions: functions))
    }
    try check("open", unsafe input.open(archive, functions, canSeek: true))
  }

  deinit { _ = unsafe functions.readFree(archive) }

  /// How many bytes were read so far, however often each of them.
  package var taken: Int { input.taken }

  /// The next entry; nil at the end.
  ///
  /// - Throws: `archive.data` if libarchive cannot go on, `archive.overlap` if it reads the same bytes again and again,
  ///   and what reading throws.
  package func next() throws(SignetError) -> ListedEntry? {
    var found: OpaquePointer?
    let status = unsafe functions.readNextHeader(archive, &found)
    if status == ARCHIVE_EOF, input.failure == nil { return nil }
    try check("header", status)
    guard let entry = unsafe found else { throw damaged(nil) }
    count += 1
    let name = unsafe name(functions.entryPathname(entry)) ?? ListedName(Array("entry \(count)".utf8))
    return unsafe ListedEntry(
      name: name.relative, kind: kind(entry), mode: functions.entryPermissions(entry) & 0o7777,
      isEncrypted: functions.entryIsEncrypted(entry) != 0)
  }

  private func kind(_ entry: OpaquePointer) -> ListedEntry.Kind {
    if let target = unsafe name(functions.entryHardlink(entry)) { return .hardLink(to: target.relative) }
    switch unsafe functions.entryFileType(entry) & 0o170000 {
    case 0o040000: return .directory
    case 0o120000: return unsafe .symbolicLink(target: name(functions.entrySymlink(entry)) ?? ListedName([]))
    // Some programs leave out the type.
    case 0o100000, 0:
      return unsafe .file(size: functions.entrySizeIsSet(entry) != 0 ? Int(functions.entrySize(entry)) : nil)
    case 0o060000: return .special(.blockDevice)
    default: return .special(.other)
    }
  }

  private func name(_ start: UnsafePointer<CChar>?) -> ListedName? {
    guard let start = unsafe start else { return nil }
    var bytes: [UInt8] = []
    while case let byte = unsafe start[bytes.count], byte != 0 {
      guard bytes.count < Self.nameLimit else { return ListedName(bytes, isCut: true) }
      bytes.append(UInt8(bitPattern: byte))
    }
    return ListedName(bytes)
  }

  /// Reads the bytes of the entry that ``next()`` returned last, up to its end. The zeros of holes are left out.
  ///
  /// - Throws: `archive.data`, `archive.overlap`, `archive.filter` for an entry that may ask for too large a window or has
  ///   a method that libarchive does not read, what the sink throws, and what reading throws.
  package func read(_ sink: EntryReader.Sink) throws(SignetError) {
    if let method, !Self.methods.contains(where: { method.isExactly($0) }) {
      throw SignetError(
        .archiveFilter, input.source.path, "has an entry with a compression that is not read",
        expected: "deflate, bzip2, LZMA, xz, PPMd or Zstandard", found: method)
    }
    if let method = unboundedMethod {
      throw SignetError(
        .archiveFilter, input.source.path, "has an entry that may need too much memory to be decompressed",
        expected: "a window of at most 64 MiB, by headers that agree", found: method)
    }
    var emptyPieces = 0
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let status = unsafe functions.readDataBlock(archive, &start, &count, &offset)
      if status == ARCHIVE_EOF, input.failure == nil { return }
      // With the last bytes of an entry, a warning says that they do not have their checksum.
      if status == ARCHIVE_WARN, count > 0 { try unsafe sink(UnsafeRawBufferPointer(start: start, count: count)) }
      guard status != ARCHIVE_WARN else {
        throw damaged(unsafe LibarchiveFailure("data", status: Int(status), of: archive, functions: functions))
      }
      try check("data", status)
      emptyPieces = count == 0 ? emptyPieces + 1 : 0
      guard emptyPieces <= Self.emptyPieceLimit else { throw damaged(nil) }
      if count > 0 { try unsafe sink(UnsafeRawBufferPointer(start: start, count: count)) }
    }
  }

  /// libarchive's names of the methods that its releases read. A release that does not read one of them says that the
  /// entry is damaged.
  private static let methods = ["uncompressed", "deflation", "bzip", "lzma", "zstd", "xz", "ppmd-1"]

  /// libarchive's name for the method of the last entry of a ZIP. It calls the format `ZIP 6.3 (lzma)` once it has read an
  /// entry's header.
  private var method: String? {
    guard format != .tar, let name = unsafe name(functions.formatName(archive))?.text,
      let last = name.utf8.split(separator: UInt8(ascii: "(")).last, last.last == UInt8(ascii: ")")
    else { return nil }
    return String(decoding: Array(last.dropLast()), as: UTF8.self)
  }

  /// The method of the last entry if it asks for a window of any size; nil for one that does not, and if all are decoded.
  private var unboundedMethod: String? {
    guard !decodesAll, let method else { return nil }
    return ["lzma", "xz", "ppmd"].first { method.utf8.starts(with: $0.utf8) }
  }

  private func check(_ operation: String, _ status: Int32) throws(SignetError) {
    if let failure = input.failure { throw failure }
    guard input.taken / Self.passLimit <= input.source.size + Self.passGrace else {
      throw SignetError(
        .archiveOverlap, input.source.path, "has entries that share their bytes, again and again",
        expected: "at most \(Self.passLimit) times the bytes of the archive")
    }
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN else {
      throw damaged(unsafe LibarchiveFailure(operation, status: Int(status), of: archive, functions: functions))
    }
  }

  private func damaged(_ cause: LibarchiveFailure?) -> SignetError {
    SignetError(
      .archiveData, input.source.path,
      "is damaged or truncated, or the installed libarchive cannot read this form of \(format)", cause: cause,
      hint: "get the archive again, or pack it anew")
  }
}
