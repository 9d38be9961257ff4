internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// Containers that the gate does not look into, by the bytes that tell them. None of them passes in silence.
enum UnreadFormat {
  /// A place of a mark in a file.
  enum Place {
    case at(Int)
    /// So many bytes before the end.
    case beforeEnd(Int)
  }

  /// What a file is that begins with these bytes; nil if it is not one of these containers.
  ///
  /// - Parameter head: the first bytes, ``ContainerFormat/headSize`` if the file has as many.
  static func words(_ head: [UInt8]) -> String? {
    if let mark = heads.first(where: { head.dropFirst($0.offset).starts(with: $0.bytes) }) { return mark.words }
    if isOldGzip(head) { return "a file compressed with an old gzip" }
    if isPacked(head) { return "a file compressed with pack" }
    if isLZH(head) { return "a file compressed with SCO's compress (LZH)" }
    if isZlibWithDictionary(head) { return "a zlib stream with a dictionary that is elsewhere" }
    if isARJ(head) { return "an ARJ archive" }
    if isLHA(head) { return "an LHA archive" }
    if isFAT(head) { return "an image of a file system (FAT)" }
    if isExt(head) { return "an image of a file system (ext2, ext3 or ext4)" }
    if hasPartitions(head) { return "an image of a disk with partitions" }
    return nil
  }

  /// What a name says of a file whose bytes tell nothing; nil if it says nothing. Texts have such names, too.
  static func words(_ head: [UInt8], named name: String) -> String? {
    let ending = name.utf8.suffix(5).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let known = names.first { ending.suffix($0.ending.utf8.count).elementsEqual($0.ending.utf8) }
    guard let known, !head.isEmpty, !isText(head) else { return nil }
    return known.words
  }

  /// Whether a file that begins like a compressed one, and that cannot be read whole, is one by its mark or its name. A
  /// file that needs too much memory was not begun, so it counts as compressed.
  static func isCompressed(
    _ source: any ByteSource, _ compression: FileCompression, _ name: String?, because unread: SignetError
  ) throws(SignetError) -> Bool {
    guard unread.code != .archiveFilter else { return true }
    let head = try source.bytes(in: 0..<min(source.size, ContentFile.headSize))
    return compression.isCertain(head) || words(head, named: name ?? source.path) != nil
  }

  /// Formats without marks of their own.
  private static let names: [(ending: String, words: String)] = [
    (".br", "a file compressed with Brotli"), (".tbr", "a file compressed with Brotli"),
    (".lzma", "a file compressed with LZMA, in a form that is not read"),
    (".tlz", "a file compressed with LZMA, in a form that is not read"),
  ]

  private static func isText(_ head: [UInt8]) -> Bool {
    // The last character may be cut.
    let isWhole = UTF8Check.firstFault(in: head).map { $0 >= head.count - 3 && head.count >= 4 } ?? true
    return isWhole && !head.contains { $0 < 0x09 || (0x0e..<0x20).contains($0) && $0 != 0x1b || $0 == 0x7f }
  }

  // MARK: At the beginning

  private static let heads: [(offset: Int, bytes: [UInt8], words: String)] =
    archives + compressions + images + android

  private static let archives: [(offset: Int, bytes: [UInt8], words: String)] = [
    (0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "a 7z archive"),
    (0, Array("Rar!".utf8) + [0x1a, 0x07], "a RAR archive"), (0, Array("RE~^".utf8), "a RAR archive of an old form"),
    (0, ArReader.thinMagic, "a thin archive of ar, whose members are files elsewhere"),
    (0, Array("<bigaf>\n".utf8), "a big archive of AIX"), (0, Array("xar!".utf8) + [0, 0x1c], "a xar archive"),
    (0, Array("MSCF".utf8) + [0, 0, 0, 0], "a cabinet of Windows"),
    (0, Array("ISc(".utf8), "a cabinet of InstallShield"),
    (0, Array("MSWIM".utf8) + [0, 0, 0], "an image of Windows (WIM)"),
    (0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "a compound file of Windows, such as an installer (MSI)"),
    (0, Array("ITSF".utf8) + [3, 0, 0, 0], "a compiled help file (CHM)"),
    (7, Array("**ACE**".utf8), "an ACE archive"), (20, [0xdc, 0xa7, 0xc4, 0xfd], "a ZOO archive"),
    (0, Array("UC2".utf8) + [0x1a], "an archive of UltraCompressor"),
    (0, Array("zPQ".utf8), "a ZPAQ archive"), (0, Array("7kSt".utf8) + [0xa0, 0x31], "a ZPAQ archive"),
    (0, Array("SIT!".utf8), "a StuffIt archive"), (0, Array("StuffIt (c)1997".utf8), "a StuffIt archive"),
    (0, Array("AA01".utf8), "an archive of Apple"), (0, Array("YAA1".utf8), "an archive of Apple"),
    (0, Array("pbzx".utf8), "a payload of macOS (pbzx)"), (0, Array("drpm".utf8), "a delta of RPM packages"),
    (0, Array("070727".utf8), "an afio archive"),
    (0, Array("# v2 git bundle\n".utf8), "a bundle of git"), (0, Array("# v3 git bundle\n".utf8), "a bundle of git"),
    (0, Array("07070X".utf8), "the payload of an RPM package whose names and sizes are in its header"),
    (8, [0x41, 0x49, 0x02], "an AppImage, which has an image of a file system behind its program"),
  ]

  private static let compressions: [(offset: Int, bytes: [UInt8], words: String)] =
    [
      (0, [0x89, 0x4c, 0x5a, 0x4f, 0x00, 0x0d, 0x0a, 0x1a, 0x0a], "a file compressed with lzop"),
      (0, Array("LRZI".utf8) + [0], "a file compressed with lrzip"),
      (0, [0xff, 0x06, 0, 0] + Array("sNaPpY".utf8), "a file compressed with Snappy"),
      (0, Array("SZDD".utf8) + [0x88, 0xf0, 0x27, 0x33], "a file compressed by MS-DOS"),
      (0, Array("KWAJ".utf8) + [0x88, 0xf0, 0x27, 0xd1], "a file compressed by MS-DOS"),
      (0, Array("bvx2".utf8), "a file compressed with LZFSE"),
      (0, Array("bvxn".utf8), "a file compressed with LZFSE"),
      (0, Array("bvx-".utf8), "a file compressed with LZFSE"),
      (0, [0xce, 0xb2, 0xcf, 0x81], "a file compressed with Brotli"),
      (0, Array("BZ3v1".utf8), "a file compressed with bzip3"),
    ] + (0x22...0x27).map { (0, [$0, 0xb5, 0x2f, 0xfd], "a file compressed with an old form of Zstandard") }

  private static let images: [(offset: Int, bytes: [UInt8], words: String)] = [
    (0, Array("hsqs".utf8), "an image of a file system (squashfs)"),
    (0, Array("sqsh".utf8), "an image of a file system (squashfs)"),
    (0, Array("shsq".utf8), "an image of a file system (squashfs)"),
    (0, Array("qshs".utf8), "an image of a file system (squashfs)"),
    (0, [0x45, 0x3d, 0xcd, 0x28], "an image of a file system (cramfs)"),
    (0, [0x28, 0xcd, 0x3d, 0x45], "an image of a file system (cramfs)"),
    (0, Array("-rom1fs-".utf8), "an image of a file system (romfs)"),
    (0, [0x31, 0x18, 0x10, 0x06], "an image of a file system (UBIFS)"),
    (0, [0x85, 0x19, 0x01, 0xe0], "an image of a file system (JFFS2)"),
    (0, [0x85, 0x19, 0x02, 0xe0], "an image of a file system (JFFS2)"),
    (0, [0x85, 0x19, 0x03, 0x20], "an image of a file system (JFFS2)"),
    (0, Array("UBI#".utf8) + [1, 0, 0, 0], "an image of volumes (UBI)"),
    (0, Array("XFSB".utf8) + [0, 0], "an image of a file system (XFS)"),
    (3, Array("NTFS    ".utf8), "an image of a file system (NTFS)"),
    (3, Array("EXFAT   ".utf8), "an image of a file system (exFAT)"),
    (54, Array("FAT12   ".utf8), "an image of a file system (FAT)"),
    (54, Array("FAT16   ".utf8), "an image of a file system (FAT)"),
    (82, Array("FAT32   ".utf8), "an image of a file system (FAT)"),
    (1024, [0xe2, 0xe1, 0xf5, 0xe0], "an image of a file system (EROFS)"),
    (1024, [0x10, 0x20, 0xf5, 0xf2], "an image of a file system (F2FS)"),
    (1024, Array("H+".utf8) + [0, 4], "an image of a file system (HFS+)"),
    (1024, Array("HX".utf8) + [0, 5], "an image of a file system (HFS+)"),
    (32, Array("NXSB".utf8), "an image of a file system (APFS)"),
    (512, Array("EFI PART".utf8), "an image of a disk with partitions"),
    (512, Array("LABELONE".utf8), "an image of volumes (LVM)"),
    (0, Array("LUKS".utf8) + [0xba, 0xbe], "an encrypted image of a disk (LUKS)"),
    (0, Array("QFI".utf8) + [0xfb], "an image of a virtual disk (QCOW)"),
    (0, Array("KDMV".utf8), "an image of a virtual disk (VMDK)"),
    (0, Array("vhdxfile".utf8), "an image of a virtual disk (VHDX)"),
    (0, Array("conectix".utf8), "an image of a virtual disk (VHD)"),
    (64, [0x7f, 0x10, 0xda, 0xbe], "an image of a virtual disk (VDI)"),
    (0, [0x27, 0x05, 0x19, 0x56], "an image of a boot loader (U-Boot)"),
  ]

  private static let android: [(offset: Int, bytes: [UInt8], words: String)] = [
    (0, [0x3a, 0xff, 0x26, 0xed], "a sparse image of Android"),
    (0, Array("ANDROID!".utf8), "a boot image of Android"),
    (0, Array("VNDRBOOT".utf8), "a boot image of Android"),
    (0, Array("AVB0".utf8) + [0, 0, 0, 1], "an image of Android with digests of others (vbmeta)"),
    (0, [0xd7, 0xb7, 0xab, 0x1e], "an image of Android with device trees"),
    (0, Array("CrAU".utf8), "an update of Android"),
    (0, Array("ANDROID BACKUP\n".utf8), "a backup of Android"),
  ]

  // MARK: Elsewhere

  /// Marks that only the search of a whole file finds, each of 4 to 32 bytes.
  static let marks: [(bytes: [UInt8], place: Place, words: String)] = [
    // ECMA-119, 8.1.2: the first descriptor. Others follow it, 2048 bytes from each other, with the same mark.
    (Array("CD001".utf8), .at(32_769), "an image of a disk (ISO 9660)"),
    // ECMA-167, 2/9.1.2.
    (Array("BEA01".utf8), .at(32_769), "an image of a disk (UDF)"),
    // The second descriptor of an image that begins with sectors of 2352 bytes, with their heads.
    (Array("CD001".utf8), .at(37_649), "an image of a disk, in whole sectors"),
    (Array("CD001".utf8), .at(37_657), "an image of a disk, in whole sectors"),
    (Array("_BHRfS_M".utf8), .at(65_600), "an image of a file system (Btrfs)"),
    (Array("0PLA".utf8), .at(4096), "an image of Android with partitions"),
    // The trailer of Apple's disk images has 512 bytes, as has that of virtual disks.
    (Array("koly".utf8), .beforeEnd(512), "a disk image of macOS (DMG)"),
    (Array("conectix".utf8), .beforeEnd(512), "an image of a virtual disk (VHD)"),
    (Array("AVBf".utf8), .beforeEnd(64), "an image of Android, with its digest"),
  ]

  // MARK: What can be computed

  /// Whether a file of gzip's first versions begins here: its mark, deflate, no flags that gzip does not know, and the
  /// number of a system (RFC 1952, section 2.3.1).
  private static func isOldGzip(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x1f, 0x9e, 8]) && head.count >= 10 && head[3] & 0xe0 == 0
      && (head[9] <= 13 || head[9] == 255)
  }

  /// Whether a file of `pack` begins here: its mark, a size, and the numbers of codes of each length, which must be those of
  /// a tree, as gzip's `unpack.c` checks them.
  private static func isPacked(_ head: [UInt8]) -> Bool {
    guard head.starts(with: [0x1f, 0x1e]), head.count >= 8, head[2..<6].contains(where: { $0 != 0 }) else {
      return false
    }
    let levels = Int(head[6])
    guard (1...25).contains(levels), head.count > 7 + levels else { return false }
    var (room, count) = (1, 0)
    for level in 1...levels {
      let codes = Int(head[6 + level])
      guard codes <= (level == levels ? room - 1 : room) else { return false }
      room = (room - codes + 1) * 2 - 1
      count += codes
    }
    return count < 256
  }

  /// Whether a file in zlib's format begins here that needs a dictionary to be read (RFC 1950, section 2.2): the window that
  /// programs use, a check, the number of the dictionary, and what looks compressed, or in a few bytes is no text.
  private static func isZlibWithDictionary(_ head: [UInt8]) -> Bool {
    head.count > 6 && head[0] == 0x78 && head[1] & 0x20 != 0 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
      && (FileCompression.isDense(head[6...]) || head.count < mostOfShort && !isText(head))
  }

  /// The size of a file in which too few bytes are to look compressed.
  private static let mostOfShort = 64

  /// Whether a file of SCO's `compress -H` begins here: its mark, and the tables of a block.
  private static func isLZH(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x1f, 0xa0]) && LZHTables.begin(head.dropFirst(2))
  }

  /// Whether an archive of ARJ begins here: its mark, and a header with its checksum.
  private static func isARJ(_ head: [UInt8]) -> Bool {
    guard head.starts(with: [0x60, 0xea]), head.count >= 4 else { return false }
    let size = Int(head[2]) | Int(head[3]) << 8
    guard (30...2600).contains(size), head.count >= 8 + size else { return false }
    let stated = head[4 + size..<8 + size].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return TokenText.crc32(head[4..<4 + size]) == stated
  }

  /// Whether the name of a method of LHA is where its headers have it, such as `-lh5-`.
  private static func isLHA(_ head: [UInt8]) -> Bool {
    guard head.count >= 22, head[2] == UInt8(ascii: "-"), head[6] == UInt8(ascii: "-"), head[3] == UInt8(ascii: "l")
    else { return false }
    return switch (head[4], head[5]) {
    case (UInt8(ascii: "h"), UInt8(ascii: "0")...UInt8(ascii: "7")), (UInt8(ascii: "h"), UInt8(ascii: "d")),
      (UInt8(ascii: "h"), UInt8(ascii: "x")), (UInt8(ascii: "z"), UInt8(ascii: "4")),
      (UInt8(ascii: "z"), UInt8(ascii: "5")), (UInt8(ascii: "z"), UInt8(ascii: "s")):
      true
    default: false
    }
  }

  private static func endsAsBootSector(_ head: [UInt8]) -> Bool {
    // A sector alone is a boot loader.
    head.count >= 1024 && head[510] == 0x55 && head[511] == 0xaa
  }

  /// Whether a boot sector has the parameters of a FAT that does not name itself.
  private static func isFAT(_ head: [UInt8]) -> Bool {
    guard endsAsBootSector(head), head[0] == 0xeb || head[0] == 0xe9 else { return false }
    let sector = Int(head[11]) | Int(head[12]) << 8
    return [512, 1024, 2048, 4096].contains(sector) && head[13] != 0 && head[13] & (head[13] - 1) == 0
      && (1...2).contains(head[16]) && head[21] >= 0xf0
  }

  /// Whether a superblock of Linux's own file systems is where it must be: its mark, and numbers that it can have.
  private static func isExt(_ head: [UInt8]) -> Bool {
    guard head.count >= 2048 else { return false }
    func number(_ offset: Int) -> UInt32 {
      head[1024 + offset..<1028 + offset].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    // Its mark, the size of blocks, the state, the creator, and the revision.
    return head[1080] == 0x53 && head[1081] == 0xef && number(0) > 0 && number(4) > 0 && number(24) <= 6
      && head[1082] <= 7 && head[1083] == 0 && number(72) <= 4 && number(76) <= 1
  }

  /// Whether a boot sector has a table of partitions with one or more that can be there.
  private static func hasPartitions(_ head: [UInt8]) -> Bool {
    guard endsAsBootSector(head) else { return false }
    let entries = (0..<4).map { head[446 + 16 * $0..<462 + 16 * $0] }
    func number(_ entry: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
      entry.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    let used = entries.filter { !$0.allSatisfy { $0 == 0 } }
    return !used.isEmpty
      && used.allSatisfy { entry in
        [0, 0x80].contains(entry.first ?? 1) && entry.dropFirst(4).first != 0 && number(entry, 8) > 0
          && number(entry, 12) > 0
      }
  }
}
