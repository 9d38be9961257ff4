public import SignetBase
internal import SignetSystem

/// Why an archive is refused. A path's own faults are `path.…`.
extension SignetError.Code {
  // MARK: Any archive

  /// No archive of a kind that is read here.
  public static let archiveFormat = Self("archive.format")
  /// It ends before what it says it holds.
  public static let archiveTruncated = Self("archive.truncated")
  /// It has no entries.
  public static let archiveEmpty = Self("archive.empty")
  /// A path stands twice.
  public static let archiveDuplicatePath = Self("archive.duplicate-path")
  /// A file or link where another entry needs a directory.
  public static let archivePathConflict = Self("archive.path-conflict")
  /// An entry that is neither file, directory nor symbolic link.
  public static let archiveSpecialFile = Self("archive.special-file")
  /// A hard link.
  public static let archiveHardLink = Self("archive.hard-link")
  /// Set-user-ID, set-group-ID or the sticky bit.
  public static let archiveSpecialMode = Self("archive.special-mode")
  /// More entries than the limits allow.
  public static let archiveEntryCount = Self("archive.entry-count")
  /// A file, or all files, larger than the limits allow.
  public static let archiveSize = Self("archive.size")
  /// It expands more than the limits allow.
  public static let archiveRatio = Self("archive.ratio")
  /// An entry's bytes are not those its checksum was made of.
  public static let archiveChecksum = Self("archive.checksum")
  /// Bytes that do not decompress, or to another size, or that cannot be read or carried over whole.
  public static let archiveData = Self("archive.data")
  /// Compressed or packed in a way that is not read here.
  public static let archiveFilter = Self("archive.filter")
  /// Something behind the archive's end.
  public static let archiveTrailingData = Self("archive.trailing-data")
  /// An encrypted entry.
  public static let archiveEncrypted = Self("archive.encrypted")

  // MARK: ZIP

  /// No end record, several, or one that contradicts the archive.
  public static let archiveEndRecord = Self("archive.end-record")
  /// Something in front of the first entry.
  public static let archiveLeadingData = Self("archive.leading-data")
  /// Something between entries, or between the last and the central directory, that is no signing block.
  public static let archiveGap = Self("archive.gap")
  /// Entries that share bytes.
  public static let archiveOverlap = Self("archive.overlap")
  /// Entries that do not stand in the order of the central directory.
  public static let archiveOrder = Self("archive.order")
  /// A local header that is not what the central directory says.
  public static let archiveHeaderMismatch = Self("archive.header-mismatch")
  /// A record that is not where it must be, or contradicts itself.
  public static let archiveRecord = Self("archive.record")
  /// Several disks.
  public static let archiveMultiDisk = Self("archive.multi-disk")
  /// ZIP64 fields where none may be, or that contradict the others.
  public static let archiveZIP64 = Self("archive.zip64")
  /// A compression method other than stored and deflated, or a version that only others need.
  public static let archiveMethod = Self("archive.method")
  /// Flags that change what the entry is.
  public static let archiveFlags = Self("archive.flags")
  /// A data descriptor: who streams the archive sees something else.
  public static let archiveDataDescriptor = Self("archive.data-descriptor")
  /// An extra field that is not allowed, stands twice or is damaged.
  public static let archiveExtraField = Self("archive.extra-field")
  /// A comment with the signature of a record in it, or that is not UTF-8.
  public static let archiveComment = Self("archive.comment")
  /// A name that is not ASCII and not marked as UTF-8, or from a system whose names are translated.
  public static let archiveNameEncoding = Self("archive.name-encoding")

  // MARK: tar

  /// A header of another kind than POSIX's, or that contradicts itself.
  public static let archiveTarHeader = Self("archive.tar-header")

  // MARK: Extraction

}

/// What is wrong with a path, or with the target of a symbolic link. `path.bounds` is SignetCrypto's.
extension SignetError.Code {
  /// Nothing at all.
  public static let pathEmpty = Self("path.empty")
  /// From the root of the file system.
  public static let pathAbsolute = Self("path.absolute")
  /// `..`, in a path; in a link's target, where it leads out or stands behind a name.
  public static let pathParent = Self("path.parent")
  /// `.` as a name.
  public static let pathDot = Self("path.dot")
  /// Two slashes in a row, or a slash at the end.
  public static let pathEmptyName = Self("path.empty-name")
  /// A backslash, which separates names on Windows.
  public static let pathBackslash = Self("path.backslash")
  /// NUL or another control character.
  public static let pathControl = Self("path.control")
  /// A character that is not seen, or that turns the direction of others: the name looks like another.
  public static let pathInvisible = Self("path.invisible")
  /// Not UTF-8.
  public static let pathNotUTF8 = Self("path.not-utf8")
  /// Not in Unicode's normalization form C: equal after normalisation to another text.
  public static let pathNotNormalized = Self("path.not-normalized")
  /// A colon: a drive (`C:`) or a stream of a file on Windows.
  public static let pathDrive = Self("path.drive")
  /// A dot or space at the end of a name, which Windows takes away.
  public static let pathTrailing = Self("path.trailing")
  /// A name that is a device on Windows, such as `CON` or `nul.txt`.
  public static let pathReserved = Self("path.reserved")
  /// Two paths that differ in nothing but upper and lower case, or in characters that some file systems ignore.
  public static let pathCaseCollision = Self("path.case-collision")
}

extension Set<SignetError.Code> {
  /// Everything that can be wrong with an archive: `archive.…`.
  package static let aboutArchives: Self = [
    .archiveFormat, .archiveTruncated, .archiveEmpty, .archiveDuplicatePath, .archivePathConflict,
    .archiveSpecialFile, .archiveHardLink, .archiveSpecialMode, .archiveEntryCount, .archiveSize, .archiveRatio,
    .archiveChecksum, .archiveData, .archiveFilter, .archiveTrailingData, .archiveEncrypted, .archiveEndRecord,
    .archiveLeadingData, .archiveGap, .archiveOverlap, .archiveOrder, .archiveHeaderMismatch, .archiveRecord,
    .archiveMultiDisk, .archiveZIP64, .archiveMethod, .archiveFlags, .archiveDataDescriptor, .archiveExtraField,
    .archiveComment, .archiveNameEncoding, .archiveTarHeader,
  ]

  /// Everything that can be wrong with a path in an archive or a listing: `path.…`.
  package static let aboutPaths: Self = [
    .pathEmpty, .pathAbsolute, .pathParent, .pathDot, .pathEmptyName, .pathBackslash, .pathControl, .pathInvisible,
    .pathNotUTF8, .pathNotNormalized, .pathDrive, .pathTrailing, .pathReserved, .pathCaseCollision, .pathBounds,
  ]
}
