internal import SignetBase
internal import SignetNames

/// What the external attributes say about a ZIP's entry (APPNOTE 4.4.2 and 4.4.15). Programs use the host's number, the
/// Unix mode, the DOS bit, or the slash at the end of the name. Here all of them must agree.
enum ZIPAttributes {
  static let unix = 3
  static let directoryBit = 0x10
  /// A disk's label, which Info-ZIP skips; a device; a reparse point, which 7-Zip takes for a link. The bits are those
  /// of Windows' file attributes.
  private static let specialBits = 0x08 | 0x40 | 0x400
  private static let typeMask = 0o170000
  static let regularType = 0o100000
  static let directoryType = 0o040000
  static let linkType = 0o120000
  /// The only attributes that a link may have: Linux gives links all permissions.
  private static let linkAttributes = (linkType | 0o777) << 16

  /// - Parameter isDirectory: whether the name is a directory's.
  /// - Throws: `archive.record`, `archive.special-file`, `archive.special-mode`.
  static func read(
    host: Int, attributes: Int, isDirectory: Bool, _ path: String
  ) throws(SignetError) -> (ZIPCentralDirectory.Kind, FileMode) {
    guard attributes & specialBits == 0 else { throw special(path, "a disk's label, device or reparse point") }
    guard isDirectory || attributes & directoryBit == 0 else { throw contradiction(path) }
    let mode = attributes >> 16
    // Programs that do not know permissions write none. Debian's unzip then makes files that nobody may read.
    guard host != unix || mode & typeMask == linkType || mode & 0o7777 != 0 else {
      throw SignetError(
        .archiveRecord, path, "is from Unix without permissions, and programs choose different ones",
        expected: "0644 or 0755", found: "0000", hint: ZIPHint.repack)
    }
    let kind: ZIPCentralDirectory.Kind
    switch mode & typeMask {
    case 0: kind = isDirectory ? .directory : .file
    case regularType where !isDirectory: kind = .file
    case directoryType where isDirectory: kind = .directory
    case linkType where !isDirectory: kind = .symbolicLink
    case regularType, directoryType, linkType: throw contradiction(path)
    default: throw special(path, "a pipe, device or socket")
    }
    // The attributes of other hosts have no mode, but some readers would use one all the same. That is also true of
    // number 19, which is macOS: programs there write 3, and all readers make a plain file of a link with 19.
    guard mode == 0 || host == unix else {
      throw SignetError(
        .archiveRecord, path, "has a Unix mode, but says that it is not from Unix", expected: "no mode",
        found: FileMode.text(UInt32(mode & 0o7777)), hint: ZIPHint.repack)
    }
    let permissions = try permissions(mode & 0o7777, isDirectory, path)
    guard kind != .symbolicLink || attributes == linkAttributes else {
      throw SignetError(
        .archiveRecord, path,
        "is a link with unusual attributes, and Perl's Archive::Zip extracts it as a file",
        expected: "0x" + String(linkAttributes, radix: 16), found: "0x" + String(attributes, radix: 16),
        hint: ZIPHint.repack)
    }
    guard mode & typeMask != 0 || mode & 0o111 == 0 || isDirectory else {
      throw SignetError(
        .archiveRecord, path, "is executable without a file type, and 7-Zip then ignores the permissions",
        expected: FileMode.text(UInt32(mode & 0o7777)) + " with the type of a file", hint: ZIPHint.repack)
    }
    return (kind, permissions)
  }

  /// Checks that the internal attributes (APPNOTE 4.4.14) say only whether the data are text, which is bit 0 and
  /// changes nothing. Debian's unzip reads bit 2 as "written by an ancient zip"; it then makes a file of a link, and
  /// drops the executable bit. Bit 1 is for mainframes' records, and the others have no meaning.
  ///
  /// - Throws: `archive.record`.
  static func check(internalAttributes: Int, _ path: String) throws(SignetError) {
    guard internalAttributes <= 1 else {
      throw SignetError(
        .archiveRecord, path, "has internal attributes that some programs read as other permissions",
        expected: "0 or 1", found: "0x" + String(internalAttributes, radix: 16), hint: ZIPHint.repack)
    }
  }

  /// The attributes without the parts that are left out of a new archive: modes from hosts that have none, and all bits
  /// of a mode except permissions.
  static func reduced(_ attributes: Int, _ host: Int) -> Int {
    guard host == unix else { return attributes & 0xffff }
    if attributes >> 16 & typeMask == linkType { return linkAttributes | attributes & (directoryBit | specialBits) }
    let reduced = attributes & ~(0o7000 << 16)
    let usual = attributes & directoryBit == 0 ? 0o644 : 0o755
    let whole = reduced >> 16 & 0o777 == 0 ? reduced | usual << 16 : reduced
    let isTypeless = whole >> 16 & typeMask == 0
    return isTypeless && attributes & directoryBit == 0 && whole & 0o111 << 16 != 0
      ? whole | regularType << 16 : whole
  }

  private static func permissions(
    _ bits: Int, _ isDirectory: Bool, _ path: String
  ) throws(SignetError) -> FileMode {
    let usual: UInt32 = isDirectory ? 0o755 : 0o644
    // There are no permissions if the system has none.
    guard let mode = FileMode(bits: bits == 0 ? usual : UInt32(bits)) else {
      throw SignetError(
        .archiveSpecialMode, path, "has set-user-ID, set-group-ID or the sticky bit", expected: "0000 to 0777",
        found: FileMode.text(UInt32(bits)))
    }
    return mode
  }

  private static func special(_ path: String, _ found: String) -> SignetError {
    SignetError(
      .archiveSpecialFile, path, "is not a file, a directory or a symbolic link",
      expected: "files, directories and symbolic links", found: found)
  }

  private static func contradiction(_ path: String) -> SignetError {
    SignetError(
      .archiveRecord, path, "is a directory by its name or by its attributes, but not by both",
      hint: ZIPHint.repack)
  }
}
