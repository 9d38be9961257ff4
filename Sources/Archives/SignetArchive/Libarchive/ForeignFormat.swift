internal import CLibArchive
package import SignetBase
package import SignetSystem

/// The archive formats that can be packed again. libarchive reads them, except ar, which ``ArReader`` reads. ``LenientZIP``
/// reads ZIPs.
///
/// RAR is not one of them: libarchive accepts some damaged and some truncated archives as complete.
package enum ForeignFormat: CaseIterable, Sendable {
  /// A tar of any kind: POSIX's, GNU's, or the old ones of UNIX.
  case tar
  /// `.7z`.
  case sevenZip
  /// A cpio, except the kind with a checksum of each file (070702): libarchive does not check these.
  case cpio
  /// An archive made by `ar`, such as a Debian package.
  case ar
  /// ISO 9660, with the names of Rock Ridge or Joliet.
  case iso9660
  /// `.xar`, the format of macOS's packages.
  case xar

  /// The format's name in messages.
  var name: String {
    switch self {
    case .tar: "tar"
    case .sevenZip: "7z"
    case .cpio: "cpio"
    case .ar: "ar"
    case .iso9660: "ISO 9660"
    case .xar: "xar"
    }
  }

  /// The magic of a format, and its offset in the file; empty for tars, which are recognized by a checksum.
  private var magic: [(offset: Int, bytes: [UInt8])] {
    switch self {
    case .tar: []
    case .sevenZip: [(0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])]
    case .cpio:
      [[0xc7, 0x71], [0x71, 0xc7], Array("070701".utf8), Array("070707".utf8)].map { (0, $0) }
    case .ar: [(0, ArReader.magic)]
    case .iso9660: [(32_769, Array("CD001".utf8))]
    case .xar: [(0, Array("xar!".utf8))]
    }
  }

  /// The format of an archive, from its bytes; nil for a ZIP, and for a file of another kind.
  ///
  /// - Throws: what reading throws.
  package init?(of source: any ByteSource) throws(SignetError) {
    // The first name in a tar can be the magic of another format.
    guard try !Self.beginsAsTar(source) else {
      self = .tar
      return
    }
    for format in Self.allCases {
      for (offset, bytes) in format.magic where source.size >= offset + bytes.count {
        if try source.bytes(in: offset..<offset + bytes.count) == bytes {
          self = format
          return
        }
      }
    }
    return nil
  }

  /// Whether the first block has a tar's checksum.
  static func beginsAsTar(_ source: any ByteSource) throws(SignetError) -> Bool {
    guard source.size >= TarField.blockSize else { return false }
    return ZIPPolyglot.isTarHeader(try source.bytes(in: 0..<TarField.blockSize))
  }
}

extension LibarchiveFunctions {
  /// Enables a format.
  ///
  /// - Returns: ARCHIVE_OK if libarchive has it built in.
  func enable(_ format: ForeignFormat, _ archive: OpaquePointer) -> Int32 {
    switch format {
    case .tar: unsafe readSupportFormatTar(archive)
    case .sevenZip: unsafe readSupportFormat7Zip(archive)
    case .cpio: unsafe readSupportFormatCpio(archive)
    // ArReader reads it.
    case .ar: ARCHIVE_FATAL
    case .iso9660: unsafe readSupportFormatISO9660(archive)
    case .xar: unsafe readSupportFormatXar(archive)
    }
  }
}
