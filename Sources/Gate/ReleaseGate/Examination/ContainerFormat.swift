package import SignetArchive
internal import SignetBase
internal import SignetSystem

/// A kind of file that holds other files, as far as its bytes say so.
package enum ContainerFormat: Sendable, Equatable {
  /// A ZIP, from its first byte on.
  case zip
  /// A ZIP behind a program, a script or other bytes.
  case zipBehind
  /// Entries of ZIPs anywhere in another file.
  case looseEntries(LooseEntries)
  case tar
  case cpio
  case ar
  case rpm
  /// Any file that is compressed as a whole.
  case compressed(FileCompression)
  /// A container that is not looked into, with its name.
  case unsupported(String)

  /// The number of first bytes that tell the kind.
  static let headSize = ContentFile.headSize

  /// The kind that the first bytes of a file tell; nil if they tell none.
  ///
  /// A file that is no container begins like one by chance in one of 2^32 cases or fewer: each mark has four bytes or
  /// more, or something that can be computed.
  init?(_ head: [UInt8]) {
    // The first name in a tar can be any other mark. A ZIP has control characters behind its mark.
    if Self.isZIP(head) {
      self = .zip
    } else if Self.isTar(head) {
      self = .tar
    } else if let compression = FileCompression(head) {
      self = .compressed(compression)
    } else if head.starts(with: ArReader.magic) {
      self = .ar
    } else if head.starts(with: [0xed, 0xab, 0xee, 0xdb]) {
      self = .rpm
    } else if CPIOArchive.begins(head) {
      self = .cpio
    } else if let words = UnreadFormat.words(head) {
      self = .unsupported(words)
    } else {
      return nil
    }
  }

  private static func isZIP(_ head: [UInt8]) -> Bool {
    guard head.starts(with: "PK".utf8) else { return false }
    let records: [[UInt8]] = [[0x03, 0x04], [0x05, 0x06], [0x06, 0x06], [0x07, 0x08], Array("00PK".utf8)]
    return records.contains { head.dropFirst(2).starts(with: $0) }
  }

  /// Whether a tar begins here. One whose first header has a wrong checksum is one, too: some programs pass this header,
  /// and unpack what follows.
  private static func isTar(_ head: [UInt8]) -> Bool {
    guard head.count >= 512 else { return false }
    return TarArchive.isHeader(Array(head.prefix(512)))
      || ["ustar\u{0}00", "ustar  \u{0}"].contains { head[257..<265].elementsEqual($0.utf8) }
  }

  // MARK: Marks elsewhere

  /// Texts that the search of contents looks for to find containers that their first bytes do not tell.
  static let marks: [[UInt8]] =
    [Array("PK".utf8) + [0x05, 0x06], LooseHeader.mark] + UnreadFormat.marks.map(\.bytes)

  /// The index in ``marks`` of what each entry of a ZIP begins with. ``LooseEntries`` keeps where it is.
  static let entryMark = 1
  private static let firstUnread = 2

  /// Whether a mark tells anything where it is. A disk image, for one, has the same mark in several places.
  ///
  /// - Parameter mark: the index in ``marks``.
  static func isPlace(ofMark mark: Int, _ offset: Int) -> Bool {
    guard mark >= firstUnread, case .at(let place) = UnreadFormat.marks[mark - firstUnread].place else { return true }
    return offset == place
  }

  /// Which marks of a kind may still tell something, once one more was found: those that are as near the end of the file as
  /// they must be. Where they must be nowhere in particular, that is the last one.
  ///
  /// - Parameters:
  ///   - known: the offsets of those before it.
  ///   - offset: the offset of the new one.
  static func places(ofMark mark: Int, _ known: [Int], and offset: Int) -> [Int] {
    guard mark >= firstUnread, case .beforeEnd(let distance) = UnreadFormat.marks[mark - firstUnread].place else {
      return [offset]
    }
    return known.filter { offset - $0 < distance } + [offset]
  }

  /// What a mark of a kind tells of a file of this size.
  static func format(mark: Int, at offset: Int, of size: Int) -> ContainerFormat? {
    guard mark >= firstUnread else { return mark == 0 && size - offset <= ZIPSurvey.endSize ? .zipBehind : nil }
    let (_, place, words) = UnreadFormat.marks[mark - firstUnread]
    return switch place {
    case .at: .unsupported(words)
    case .beforeEnd(let distance): size - offset == distance ? .unsupported(words) : nil
    }
  }

  /// The first bytes of files that a ZIP is ordinarily behind: programs for Linux, Windows and macOS, scripts, Java's
  /// modules, and extensions of Chrome.
  private static let programs: [[UInt8]] = [
    [0x7f, 0x45, 0x4c, 0x46], Array("MZ".utf8), [0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    Array("#!".utf8), Array("JM".utf8) + [1, 0], Array("Cr24".utf8),
  ]
  /// The first bytes of Go's objects: its library of time zones has a ZIP among its data. No program reads it there.
  private static let goObject = Array("go object ".utf8)

  /// The number of first bytes that tell what a ZIP is in.
  static let carrierSize = 10

  /// What a ZIP is in, in a file that begins like this.
  static func surroundings(_ head: [UInt8]) -> ZIPSurvey.Surroundings {
    if head.starts(with: goObject) { return .data }
    return programs.contains { head.starts(with: $0) } ? .program : .nothing
  }

  // MARK: Names

  private static let endings: [(ending: String, format: ContainerFormat)] = [
    (".zip", .zip), (".jar", .zip), (".war", .zip), (".ear", .zip), (".aar", .zip), (".apk", .zip), (".ipa", .zip),
    (".whl", .zip), (".nupkg", .zip), (".vsix", .zip), (".xpi", .zip), (".tar", .tar),
    (".tar.gz", .compressed(.gzip)), (".tgz", .compressed(.gzip)), (".tar.xz", .compressed(.xz)),
    (".txz", .compressed(.xz)), (".tar.zst", .compressed(.zstandard)), (".tzst", .compressed(.zstandard)),
    (".tar.bz2", .compressed(.bzip2)), (".tbz2", .compressed(.bzip2)), (".tar.lz4", .compressed(.lz4)),
    (".tar.lzma", .compressed(.lzma)), (".tar.lz", .compressed(.lzip)), (".tar.z", .compressed(.compress)),
  ]

  /// Whether programs read a ZIP of this name as it is, as Java and Android do: its files are never put into a folder.
  static func isRead(inPlace path: String) -> Bool { ends(path, with: [".jar", ".apk"]) }

  /// Whether a tar of this name is a package of OpenWrt, Alpine or Arch Linux.
  static func isPackage(named path: String) -> Bool {
    ends(path, with: [".ipk", ".apk", ".pkg.tar", ".pkg.tar.gz", ".pkg.tar.xz", ".pkg.tar.zst", ".pkg.tar.bz2"])
  }

  /// Whether a name has one of these endings, whatever the case of its letters.
  static func ends(_ path: String, with endings: [String]) -> Bool {
    let tail = path.utf8.suffix(12).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return endings.contains { tail.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// The kind that the ending of a name states.
  init?(named path: String) {
    let name = path.utf8.suffix(9).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let known = Self.endings.first { name.suffix($0.ending.utf8.count).elementsEqual($0.ending.utf8) }
    guard let known else { return nil }
    self = known.format
  }

  /// The danger of a file that is not what its name says.
  static func misnamed(_ file: any ByteSource, _ expected: String) -> SignetError {
    SignetError(
      .archiveFormat, file.path, "is not what its name says", expected: expected,
      hint: "give it another name, or pack it again")
  }

  /// The name in messages.
  package var words: String {
    switch self {
    case .zip, .zipBehind, .looseEntries: "a ZIP"
    case .tar: "a tar"
    case .cpio: "a cpio archive"
    case .ar: "an ar archive"
    case .rpm: "an RPM package"
    case .compressed(let compression): "a file compressed with \(compression.rawValue)"
    case .unsupported(let words): words
    }
  }
}

extension ContainerFormat {
  /// Whether a tar is a package of Linux by its name and by its first file: of OpenWrt, whose files are in a tar in it, or
  /// of Alpine or Arch Linux. Any tar could begin like one, and people unpack what has another name anywhere.
  static func isPackage(_ name: String, from first: String?) -> Bool {
    guard let first, isPackage(named: name) else { return false }
    return ["debian-binary", ".PKGINFO", ".BUILDINFO", ".MTREE", ".INSTALL"].contains { first.isExactly($0) }
      || first.utf8.starts(with: ".SIGN.".utf8)
  }
}
