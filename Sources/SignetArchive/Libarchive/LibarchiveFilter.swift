internal import CLibArchive

/// A filter of libarchive that decompresses.
struct LibarchiveFilter {
  /// libarchive's number for the filter (ARCHIVE_FILTER_…).
  let code: Int32
  /// The filter's name in messages.
  let name: String
  /// The first bytes of the files that it decompresses.
  let magic: [UInt8]

  private init(_ code: Int32, _ name: String, _ magic: [UInt8]) {
    self.code = code
    self.name = name
    self.magic = magic
  }

  /// The filter for a compression that a module's tar may have.
  init(_ compression: TarCompression) {
    self.init(compression.filterCode, compression.format.rawValue, compression.magic)
  }

  /// All filters that tar programs use. Debian's libarchive has them without the help of other programs.
  static let all: [LibarchiveFilter] =
    TarCompression.allCases.map { LibarchiveFilter($0) } + [
      bzip2, lzip, lz4, compress, lzma,
    ]
  static let bzip2 = LibarchiveFilter(ARCHIVE_FILTER_BZIP2, "tar.bz2", Array("BZh".utf8))
  static let lz4 = LibarchiveFilter(ARCHIVE_FILTER_LZ4, "tar.lz4", [0x04, 0x22, 0x4d, 0x18])
  static let compress = LibarchiveFilter(ARCHIVE_FILTER_COMPRESS, "tar.Z", [0x1f, 0x9d])
  /// The format of `lzip`.
  static let lzip = LibarchiveFilter(ARCHIVE_FILTER_LZIP, "tar.lz", Array("LZIP".utf8))
  /// The format of `xz --format=lzma`. Its files have no magic; they begin with properties that everyone uses, and with
  /// a dictionary size that is a multiple of 64 KiB.
  static let lzma = LibarchiveFilter(ARCHIVE_FILTER_LZMA, "tar.lzma", [0x5d, 0x00, 0x00])
}

extension LibarchiveFunctions {
  /// Enables a filter.
  ///
  /// - Returns: ARCHIVE_OK if libarchive has it built in.
  func enable(_ filter: LibarchiveFilter, _ archive: OpaquePointer) -> Int32 {
    switch filter.code {
    case ARCHIVE_FILTER_GZIP: unsafe readSupportFilterGzip(archive)
    case ARCHIVE_FILTER_XZ: unsafe readSupportFilterXZ(archive)
    case ARCHIVE_FILTER_ZSTD: unsafe readSupportFilterZstandard(archive)
    case ARCHIVE_FILTER_BZIP2: unsafe readSupportFilterBzip2(archive)
    case ARCHIVE_FILTER_LZIP: unsafe readSupportFilterLzip(archive)
    case ARCHIVE_FILTER_LZ4: unsafe readSupportFilterLZ4(archive)
    case ARCHIVE_FILTER_COMPRESS: unsafe readSupportFilterCompress(archive)
    case ARCHIVE_FILTER_LZMA: unsafe readSupportFilterLZMA(archive)
    default: ARCHIVE_FAILED
    }
  }
}
