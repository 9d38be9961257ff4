internal import CLibArchive

/// A filter of libarchive that decompresses. gzip, zlib and `.Z` have readers of their own, ``GzipStream`` and
/// ``LZWStream``.
struct LibarchiveFilter {
  /// libarchive's number for the filter (ARCHIVE_FILTER_…).
  let code: Int32
  /// The filter's name in messages.
  let name: String

  /// The filter for a compression; nil for one that libarchive is not asked for.
  init?(_ compression: FileCompression) {
    name = compression.rawValue
    switch compression {
    case .xz: code = ARCHIVE_FILTER_XZ
    case .zstandard: code = ARCHIVE_FILTER_ZSTD
    case .bzip2: code = ARCHIVE_FILTER_BZIP2
    case .lz4: code = ARCHIVE_FILTER_LZ4
    case .lzma: code = ARCHIVE_FILTER_LZMA
    case .lzip: code = ARCHIVE_FILTER_LZIP
    case .gzip, .compress, .zlib: return nil
    }
  }
}

extension LibarchiveFunctions {
  /// Enables a filter.
  ///
  /// - Returns: ARCHIVE_OK if libarchive has it built in.
  func enable(_ filter: LibarchiveFilter, _ archive: OpaquePointer) -> Int32 {
    switch filter.code {
    case ARCHIVE_FILTER_XZ: unsafe readSupportFilterXZ(archive)
    case ARCHIVE_FILTER_ZSTD: unsafe readSupportFilterZstandard(archive)
    case ARCHIVE_FILTER_BZIP2: unsafe readSupportFilterBzip2(archive)
    case ARCHIVE_FILTER_LZIP: unsafe readSupportFilterLzip(archive)
    case ARCHIVE_FILTER_LZ4: unsafe readSupportFilterLZ4(archive)
    case ARCHIVE_FILTER_LZMA: unsafe readSupportFilterLZMA(archive)
    default: ARCHIVE_FAILED
    }
  }
}
