internal import CLibArchive

/// What libarchive says about a call that failed.
@safe struct LibarchiveFailure: Error, CustomStringConvertible {
  /// The call, its status and libarchive's words, if it has any.
  let description: String

  init(_ operation: String, _ status: Int, _ archive: OpaquePointer, _ functions: LibarchiveFunctions) {
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

extension TarCompression {
  /// The number libarchive has for it.
  var filterCode: Int32 {
    switch self {
    case .gzip: ARCHIVE_FILTER_GZIP
    case .xz: ARCHIVE_FILTER_XZ
    case .zstandard: ARCHIVE_FILTER_ZSTD
    }
  }
}
