package import SignetArchive
internal import SignetBase
internal import SignetSystem

/// A kind of file that holds other files, as far as its bytes say so.
package enum ContainerFormat: Sendable, Equatable {
  /// A ZIP, from its first byte on.
  case zip
  /// A ZIP behind a program, a script or other bytes.
  case zipBehind
  case tar
  case cpio
  case ar
  case rpm
  /// Any file that is compressed as a whole.
  case compressed(FileCompression)
  /// A container that is not looked into, with its name.
  case unsupported(String)

  /// The number of first bytes that tell the kind.
  static let headSize = 512

  /// The kind that the first bytes of a file tell; nil if they tell none.
  ///
  /// A file that is no container begins like one by chance in one of 2^32 cases or fewer: each mark has four bytes or
  /// more, or something that can be computed.
  init?(_ head: [UInt8]) {
    // The first name in a tar can be any other mark. A ZIP has control characters behind its mark.
    if Self.isZIP(head) {
      self = .zip
    } else if head.count >= 512, TarArchive.isHeader(Array(head.prefix(512))) {
      self = .tar
    } else if let compression = FileCompression(head) {
      self = .compressed(compression)
    } else if head.starts(with: ArReader.magic) {
      self = .ar
    } else if head.starts(with: [0xed, 0xab, 0xee, 0xdb]) {
      self = .rpm
    } else if Self.isCPIO(head) {
      self = .cpio
    } else if let mark = Self.unsupported.first(where: { head.dropFirst($0.offset).starts(with: $0.bytes) }) {
      self = .unsupported(mark.words)
    } else {
      return nil
    }
  }

  private static func isZIP(_ head: [UInt8]) -> Bool {
    guard head.starts(with: "PK".utf8) else { return false }
    let records: [[UInt8]] = [[0x03, 0x04], [0x05, 0x06], [0x06, 0x06], [0x07, 0x08]]
    return records.contains { head.dropFirst(2).starts(with: $0) }
  }

  /// Whether a cpio begins here: of its headers in text, all digits are checked, and of the binary one, its mode.
  private static func isCPIO(_ head: [UInt8]) -> Bool {
    if ["070701", "070702"].contains(where: { head.starts(with: $0.utf8) }) {
      return head.count >= 110 && head[6..<110].allSatisfy(isHexadecimal)
    }
    if head.starts(with: "070707".utf8) {
      return head.count >= 76 && head[6..<76].allSatisfy { (0x30...0x37).contains($0) }
    }
    return false
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  // MARK: What is not looked into

  private static let unsupported: [(offset: Int, bytes: [UInt8], words: String)] = [
    (0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "a 7z archive"),
    (0, Array("Rar!".utf8) + [0x1a, 0x07], "a RAR archive"),
    (0, ArReader.thinMagic, "a thin archive of ar, whose members are files elsewhere"),
    (0, Array("<bigaf>\n".utf8), "a big archive of AIX"), (0, Array("xar!".utf8) + [0, 0x1c], "a xar archive"),
    (0, Array("MSCF".utf8) + [0, 0, 0, 0], "a cabinet of Windows"),
    (0, Array("MSWIM".utf8) + [0, 0, 0], "an image of Windows (WIM)"),
    (0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "a compound file of Windows, such as an installer (MSI)"),
    (0, Array("hsqs".utf8), "an image of a file system (squashfs)"),
    (0, [0x45, 0x3d, 0xcd, 0x28], "an image of a file system (cramfs)"),
    (0, [0x89, 0x4c, 0x5a, 0x4f, 0x00, 0x0d, 0x0a, 0x1a, 0x0a], "a file compressed with lzop"),
    (0, Array("LRZI".utf8) + [0], "a file compressed with lrzip"),
    (0, Array("ITSF".utf8) + [3, 0, 0, 0], "a compiled help file (CHM)"),
    (7, Array("**ACE**".utf8), "an ACE archive"),
    (2, Array("-lh5-".utf8), "an LHA archive"), (2, Array("-lh0-".utf8), "an LHA archive"),
    (20, [0xdc, 0xa7, 0xc4, 0xfd], "a ZOO archive"),
    (8, [0x41, 0x49, 0x02], "an AppImage, which has an image of a file system behind its program"),
  ]

  // MARK: Marks elsewhere

  /// Texts that the search of contents looks for to find containers that their first bytes do not tell.
  static let marks: [[UInt8]] = [
    Array("PK".utf8) + [0x05, 0x06], Array("CD001".utf8), Array("koly".utf8),
  ]

  /// What a mark at an offset tells of a file of this size.
  ///
  /// - Parameter mark: the index in ``marks``.
  static func format(mark: Int, at offset: Int, of size: Int) -> ContainerFormat? {
    switch mark {
    case 0: size - offset <= ZIPSurvey.endSize ? .zipBehind : nil
    // ECMA-119, 7.2.1; the trailer of Apple's disk images has 512 bytes.
    case 1: offset == 32_769 ? .unsupported("an image of a disk (ISO 9660)") : nil
    default: size - offset == 512 ? .unsupported("a disk image of macOS (DMG)") : nil
    }
  }

  /// The first bytes of files that a ZIP is ordinarily behind: programs for Linux, Windows and macOS, scripts, Java's
  /// modules, and extensions of Chrome.
  static let carriers: [[UInt8]] = [
    [0x7f, 0x45, 0x4c, 0x46], Array("MZ".utf8), [0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    Array("#!".utf8), Array("JM".utf8) + [1, 0], Array("Cr24".utf8),
  ]

  // MARK: Names

  private static let endings: [(ending: String, format: ContainerFormat)] = [
    (".zip", .zip), (".jar", .zip), (".war", .zip), (".ear", .zip), (".aar", .zip), (".apk", .zip), (".ipa", .zip),
    (".whl", .zip), (".nupkg", .zip), (".vsix", .zip), (".xpi", .zip), (".tar", .tar),
    (".tar.gz", .compressed(.gzip)), (".tgz", .compressed(.gzip)), (".tar.xz", .compressed(.xz)),
    (".txz", .compressed(.xz)), (".tar.zst", .compressed(.zstandard)), (".tzst", .compressed(.zstandard)),
    (".tar.bz2", .compressed(.bzip2)), (".tbz2", .compressed(.bzip2)), (".tar.lz4", .compressed(.lz4)),
    (".tar.lzma", .compressed(.lzma)), (".tar.lz", .compressed(.lzip)), (".tar.z", .compressed(.compress)),
  ]

  /// The kind that the ending of a name states.
  init?(named path: String) {
    let name = path.utf8.suffix(9).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let known = Self.endings.first { name.suffix($0.ending.utf8.count).elementsEqual($0.ending.utf8) }
    guard let known else { return nil }
    self = known.format
  }

  /// The name in messages.
  package var words: String {
    switch self {
    case .zip, .zipBehind: "a ZIP"
    case .tar: "a tar"
    case .cpio: "a cpio archive"
    case .ar: "an ar archive"
    case .rpm: "an RPM package"
    case .compressed(let compression): "a file compressed with \(compression.rawValue)"
    case .unsupported(let words): words
    }
  }
}
