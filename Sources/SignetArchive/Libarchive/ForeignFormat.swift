internal import CLibArchive
package import SignetCrypto

/// The kinds of archive that no module is, and that are packed anew: what libarchive reads for that, beside ZIPs, which
/// ``SloppyZIP`` reads.
package enum ForeignFormat: CaseIterable, Sendable {
  /// A tar of any kind: POSIX's, GNU's, the old ones of UNIX.
  case tar
  /// `.7z`.
  case sevenZip
  /// RAR up to 4.
  case rar
  /// RAR 5.
  case rar5
  /// A cpio of any kind.
  case cpio
  /// What `ar` makes; a Debian package is one.
  case ar
  /// ISO 9660, with the names of Rock Ridge or Joliet.
  case iso9660
  /// `.xar`, as macOS's packages are.
  case xar

  /// What it is called in messages.
  var name: String {
    switch self {
    case .tar: "tar"
    case .sevenZip: "7z"
    case .rar, .rar5: "rar"
    case .cpio: "cpio"
    case .ar: "ar"
    case .iso9660: "ISO 9660"
    case .xar: "xar"
    }
  }

  /// Where a file of this kind has what it is told by, and what that is; empty for tars, which are told by a checksum.
  private var magic: [(offset: Int, bytes: [UInt8])] {
    switch self {
    case .tar: []
    case .sevenZip: [(0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])]
    case .rar: [(0, Array("Rar!".utf8) + [0x1a, 0x07, 0x00])]
    case .rar5: [(0, Array("Rar!".utf8) + [0x1a, 0x07, 0x01, 0x00])]
    case .cpio:
      [[0xc7, 0x71], [0x71, 0xc7], Array("070701".utf8), Array("070702".utf8), Array("070707".utf8)].map { (0, $0) }
    case .ar: [(0, Array("!<arch>\n".utf8))]
    case .iso9660: [(32_769, Array("CD001".utf8))]
    case .xar: [(0, Array("xar!".utf8))]
    }
  }

  /// The kind that a file's bytes say it is; nil for a ZIP, and for what is none of them.
  ///
  /// - Throws: what reading throws.
  package init?(of source: any ByteSource) throws(SignetError) {
    for format in Self.allCases {
      for (offset, bytes) in format.magic where source.size >= offset + bytes.count {
        if try source.bytes(in: offset..<offset + bytes.count) == bytes {
          self = format
          return
        }
      }
    }
    let block = try source.bytes(in: 0..<min(TarField.blockSize, source.size))
    guard block.count == TarField.blockSize, ZIPTwin.isTarHeader(block) else { return nil }
    self = .tar
  }
}

extension LibarchiveFunctions {
  /// Enables a format.
  ///
  /// - Returns: ARCHIVE_OK where libarchive has it built in.
  func enable(_ format: ForeignFormat, _ archive: OpaquePointer) -> Int32 {
    switch format {
    case .tar: unsafe readSupportFormatTar(archive)
    case .sevenZip: unsafe readSupportFormat7Zip(archive)
    case .rar: unsafe readSupportFormatRAR(archive)
    case .rar5: unsafe readSupportFormatRAR5(archive)
    case .cpio: unsafe readSupportFormatCpio(archive)
    case .ar: unsafe readSupportFormatAr(archive)
    case .iso9660: unsafe readSupportFormatISO9660(archive)
    case .xar: unsafe readSupportFormatXar(archive)
    }
  }
}
