internal import CLibArchive
internal import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The functions of libarchive that are used. They are found when the first compressed tar is read, or the first
/// archive that is packed again.
///
/// libarchive loads nine other libraries into a process, including Unicode's tables. That takes a quarter of the time
/// of verifying a small file, and few runs need it. It is looked up where the system keeps its libraries, as the linker
/// would do at the start, and is never unloaded.
@safe struct LibarchiveFunctions: @unchecked Sendable {
  // Sendable: addresses of functions, which do not change.
  typealias Status = @convention(c) (OpaquePointer?) -> Int32
  typealias New = @convention(c) () -> OpaquePointer?
  // The header's names for these are function types and not pointers, which Swift imports differently.
  typealias Read =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int
  typealias Skip = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int64) -> Int64
  typealias Seek = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int64, Int32) -> Int64
  typealias Text = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  typealias Write = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> Int

  let readNew: New
  let readFree: Status
  let readSupportFilterXZ: Status
  let readSupportFilterZstandard: Status
  let readSupportFilterBzip2: Status
  let readSupportFilterLzip: Status
  let readSupportFilterLZ4: Status
  let readSupportFilterLZMA: Status
  let readAppendFilter: @convention(c) (OpaquePointer?, Int32) -> Int32
  let readSupportFormatRaw: Status
  let readSupportFormatEmpty: Status
  let readOpen2:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, OpaquePointer?, Read?, Skip?, OpaquePointer?
    ) -> Int32
  let readSetSeekCallback: @convention(c) (OpaquePointer?, Seek?) -> Int32
  let readSupportFormatTar: Status
  let readSupportFormat7Zip: Status
  let readSupportFormatCpio: Status
  let readSupportFormatISO9660: Status
  let readSupportFormatXar: Status
  let readSupportFormatZIPSeekable: Status
  let readSupportFormatZIPStreamable: Status
  let readDataBlock:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeRawPointer?>?, UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<Int64>?
    ) -> Int32
  let entryPathname: Text
  let entryHardlink: Text
  let entrySymlink: Text
  let entryFileType: @convention(c) (OpaquePointer?) -> UInt32
  let entryPermissions: @convention(c) (OpaquePointer?) -> UInt32
  let entrySize: @convention(c) (OpaquePointer?) -> Int64
  let entrySizeIsSet: Status
  let entrySparseReset: Status
  let entrySparseNext:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int64>?, UnsafeMutablePointer<Int64>?) -> Int32
  let entryIsEncrypted: Status
  let readNextHeader: @convention(c) (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  let filterCount: Status
  let filterCode: @convention(c) (OpaquePointer?, Int32) -> Int32
  let filterBytes: @convention(c) (OpaquePointer?, Int32) -> Int64
  let readHeaderPosition: @convention(c) (OpaquePointer?) -> Int64
  let formatName: Text
  let errorString: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

  let writeNew: New
  let writeFree: Status
  let writeClose: Status
  let writeSetFormatRaw: Status
  let writeAddFilterGzip: Status
  let writeAddFilterXZ: Status
  let writeAddFilterZstandard: Status
  let writeSetFilterOption:
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32
  let writeSetBytesPerBlock: @convention(c) (OpaquePointer?, Int32) -> Int32
  let writeSetBytesInLastBlock: @convention(c) (OpaquePointer?, Int32) -> Int32
  let writeOpen:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, OpaquePointer?, Write?, OpaquePointer?
    ) -> Int32
  let writeHeader: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
  let writeData: @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> Int
  let entryNew: New
  let entryFree: @convention(c) (OpaquePointer?) -> Void
  let entrySetFileType: @convention(c) (OpaquePointer?, UInt32) -> Void
  let entrySetPathname: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void

  /// The library's file names. Its interface has been the same since 3.0.
  #if canImport(Darwin)
    private static let names = ["libarchive.13.dylib", "/usr/lib/libarchive.2.dylib"]
  #else
    private static let names = ["libarchive.so.13"]
  #endif

  /// - Throws: `archive.filter` if there is no libarchive, or one that lacks a function.
  static func shared() throws(SignetError) -> LibarchiveFunctions { try loaded.get() }

  private static let loaded = Result { () throws(SignetError) in try LibarchiveFunctions() }

  private init() throws(SignetError) {
    var handle: UnsafeMutableRawPointer?
    for name in Self.names where unsafe handle == nil { unsafe handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) }
    guard let library = unsafe handle else { throw Self.missing(Self.names[0]) }
    unsafe readNew = try Self.find("archive_read_new", in: library)
    unsafe readFree = try Self.find("archive_read_free", in: library)
    unsafe readSupportFilterXZ = try Self.find("archive_read_support_filter_xz", in: library)
    unsafe readSupportFilterZstandard = try Self.find("archive_read_support_filter_zstd", in: library)
    unsafe readSupportFilterBzip2 = try Self.find("archive_read_support_filter_bzip2", in: library)
    unsafe readSupportFilterLzip = try Self.find("archive_read_support_filter_lzip", in: library)
    unsafe readSupportFilterLZ4 = try Self.find("archive_read_support_filter_lz4", in: library)
    unsafe readSupportFilterLZMA = try Self.find("archive_read_support_filter_lzma", in: library)
    unsafe readAppendFilter = try Self.find("archive_read_append_filter", in: library)
    unsafe readSupportFormatRaw = try Self.find("archive_read_support_format_raw", in: library)
    unsafe readSupportFormatEmpty = try Self.find("archive_read_support_format_empty", in: library)
    unsafe readOpen2 = try Self.find("archive_read_open2", in: library)
    unsafe readSetSeekCallback = try Self.find("archive_read_set_seek_callback", in: library)
    unsafe readSupportFormatTar = try Self.find("archive_read_support_format_tar", in: library)
    unsafe readSupportFormat7Zip = try Self.find("archive_read_support_format_7zip", in: library)
    unsafe readSupportFormatCpio = try Self.find("archive_read_support_format_cpio", in: library)
    unsafe readSupportFormatISO9660 = try Self.find("archive_read_support_format_iso9660", in: library)
    unsafe readSupportFormatXar = try Self.find("archive_read_support_format_xar", in: library)
    unsafe readSupportFormatZIPSeekable = try Self.find("archive_read_support_format_zip_seekable", in: library)
    unsafe readSupportFormatZIPStreamable = try Self.find("archive_read_support_format_zip_streamable", in: library)
    unsafe readDataBlock = try Self.find("archive_read_data_block", in: library)
    unsafe entryPathname = try Self.find("archive_entry_pathname", in: library)
    unsafe entryHardlink = try Self.find("archive_entry_hardlink", in: library)
    unsafe entrySymlink = try Self.find("archive_entry_symlink", in: library)
    unsafe entryFileType = try Self.find("archive_entry_filetype", in: library)
    unsafe entryPermissions = try Self.find("archive_entry_perm", in: library)
    unsafe entrySize = try Self.find("archive_entry_size", in: library)
    unsafe entrySizeIsSet = try Self.find("archive_entry_size_is_set", in: library)
    unsafe entrySparseReset = try Self.find("archive_entry_sparse_reset", in: library)
    unsafe entrySparseNext = try Self.find("archive_entry_sparse_next", in: library)
    unsafe entryIsEncrypted = try Self.find("archive_entry_is_encrypted", in: library)
    unsafe readNextHeader = try Self.find("archive_read_next_header", in: library)
    unsafe filterCount = try Self.find("archive_filter_count", in: library)
    unsafe filterCode = try Self.find("archive_filter_code", in: library)
    unsafe filterBytes = try Self.find("archive_filter_bytes", in: library)
    unsafe readHeaderPosition = try Self.find("archive_read_header_position", in: library)
    unsafe formatName = try Self.find("archive_format_name", in: library)
    unsafe errorString = try Self.find("archive_error_string", in: library)
    unsafe writeNew = try Self.find("archive_write_new", in: library)
    unsafe writeFree = try Self.find("archive_write_free", in: library)
    unsafe writeClose = try Self.find("archive_write_close", in: library)
    unsafe writeSetFormatRaw = try Self.find("archive_write_set_format_raw", in: library)
    unsafe writeAddFilterGzip = try Self.find("archive_write_add_filter_gzip", in: library)
    unsafe writeAddFilterXZ = try Self.find("archive_write_add_filter_xz", in: library)
    unsafe writeAddFilterZstandard = try Self.find("archive_write_add_filter_zstd", in: library)
    unsafe writeSetFilterOption = try Self.find("archive_write_set_filter_option", in: library)
    unsafe writeSetBytesPerBlock = try Self.find("archive_write_set_bytes_per_block", in: library)
    unsafe writeSetBytesInLastBlock = try Self.find("archive_write_set_bytes_in_last_block", in: library)
    unsafe writeOpen = try Self.find("archive_write_open", in: library)
    unsafe writeHeader = try Self.find("archive_write_header", in: library)
    unsafe writeData = try Self.find("archive_write_data", in: library)
    unsafe entryNew = try Self.find("archive_entry_new", in: library)
    unsafe entryFree = try Self.find("archive_entry_free", in: library)
    unsafe entrySetFileType = try Self.find("archive_entry_set_filetype", in: library)
    unsafe entrySetPathname = try Self.find("archive_entry_set_pathname", in: library)
  }

  /// The function of this name, with the type that archive.h gives it.
  private static func find<Function>(
    _ name: String, in library: UnsafeMutableRawPointer
  ) throws(SignetError) -> Function {
    guard let symbol = unsafe dlsym(library, name) else { throw missing(name) }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }

  private static func missing(_ name: String) -> SignetError {
    SignetError(
      .archiveFilter, name, "is not installed, and this kind of archive needs it",
      expected: "libarchive 3.6 or later",
      hint: "install libarchive (libarchive13 in Debian)")
  }
}

/// What libarchive reports about a call that failed.
@safe struct LibarchiveFailure: Error, CustomStringConvertible {
  /// The call, its status and libarchive's message, if it has any.
  let description: String

  init(_ operation: String, status: Int, of archive: OpaquePointer, functions: LibarchiveFunctions) {
    let kind =
      switch status {
      case Int(ARCHIVE_EOF): "end"
      case Int(ARCHIVE_RETRY): "retry"
      case Int(ARCHIVE_WARN): "warning"
      case Int(ARCHIVE_FAILED): "failed"
      case Int(ARCHIVE_FATAL): "fatal"
      default: "status \(status)"
      }
    let text = unsafe functions.errorString(archive).map { unsafe ": " + String(cString: $0) } ?? ""
    description = "\(operation): \(kind)\(text)"
  }
}
