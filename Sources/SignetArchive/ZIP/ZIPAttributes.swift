internal import SignetCrypto

/// What the external attributes of a ZIP's entry say it is (APPNOTE 4.4.2 and 4.4.15). Programs believe the host's
/// number, the Unix mode, the DOS bit or the slash at the name's end: here all of them must say the same.
enum ZIPAttributes {
  private static let unix = 3
  static let directoryBit = 0x10
  /// A disk's label, which Info-ZIP leaves out; a device; a reparse point, which 7-Zip takes for a link. The bits are those
  /// of Windows' file attributes.
  private static let specialBits = 0x08 | 0x40 | 0x400
  private static let typeMask = 0o170000
  static let regularType = 0o100000
  static let directoryType = 0o040000
  static let linkType = 0o120000

  /// - Parameter isDirectory: whether the name says so.
  /// - Throws: `archive.record`, `archive.special-file`, `archive.special-mode`.
  static func read(
    host: Int, attributes: Int, isDirectory: Bool, _ path: String
  ) throws(SignetError) -> (ZIPCentralDirectory.Kind, FileMode) {
    guard attributes & specialBits == 0 else { throw special(path, "a disk's label, device or reparse point") }
    guard isDirectory || attributes & directoryBit == 0 else { throw contradiction(path) }
    let mode = attributes >> 16
    let kind: ZIPCentralDirectory.Kind
    switch mode & typeMask {
    case 0: kind = isDirectory ? .directory : .file
    case regularType where !isDirectory: kind = .file
    case directoryType where isDirectory: kind = .directory
    case linkType where !isDirectory: kind = .symbolicLink
    case regularType, directoryType, linkType: throw contradiction(path)
    default: throw special(path, "a pipe, device or socket")
    }
    // Other hosts' attributes have no mode; some readers would take it for one all the same. That goes for number 19,
    // too, which stands for macOS: programs there write 3, and all readers make a plain file of a link that has 19.
    guard mode == 0 || host == unix else {
      throw SignetError(
        .archiveRecord, path, "has a Unix mode, and says it is not from Unix", expected: "no mode",
        found: FileMode.text(UInt32(mode & 0o7777)), hint: ZIPHint.repack)
    }
    return (kind, try permissions(mode & 0o7777, isDirectory, path))
  }

  /// The attributes without what is not carried into a new archive: modes of hosts that have none, and all bits of a
  /// mode but permissions.
  static func reduced(_ attributes: Int, _ host: Int) -> Int {
    host == unix ? attributes & ~(0o7000 << 16) : attributes & 0xffff
  }

  private static func permissions(
    _ bits: Int, _ isDirectory: Bool, _ path: String
  ) throws(SignetError) -> FileMode {
    let usual: UInt32 = isDirectory ? 0o755 : 0o644
    // No permissions at all is what programs write that have none to write.
    guard let mode = FileMode(bits: bits == 0 ? usual : UInt32(bits)) else {
      throw SignetError(
        .archiveSpecialMode, path, "has set-user-ID, set-group-ID or the sticky bit", expected: "0000 to 0777",
        found: FileMode.text(UInt32(bits)))
    }
    return mode
  }

  private static func special(_ path: String, _ found: String) -> SignetError {
    SignetError(
      .archiveSpecialFile, path, "is neither file, directory nor link",
      expected: "nothing but files, directories and links", found: found)
  }

  private static func contradiction(_ path: String) -> SignetError {
    SignetError(
      .archiveRecord, path, "is a directory by its name or its attributes, and by the others not",
      hint: ZIPHint.repack)
  }
}
