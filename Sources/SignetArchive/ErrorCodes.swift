public import SignetBase
internal import SignetSystem

/// Reasons for refusing an archive. The faults of a path itself are `path.…`.
extension SignetError.Code {
  // MARK: Any archive

  /// The file is not an archive of a supported kind.
  public static let archiveFormat = Self("archive.format")
  /// The archive ends before the content that it claims to have.
  public static let archiveTruncated = Self("archive.truncated")
  /// The archive has no entries.
  public static let archiveEmpty = Self("archive.empty")
  /// A path occurs twice.
  public static let archiveDuplicatePath = Self("archive.duplicate-path")
  /// A file or link where another entry needs a directory.
  public static let archivePathConflict = Self("archive.path-conflict")
  /// An entry that is not a file, a directory or a symbolic link.
  public static let archiveSpecialFile = Self("archive.special-file")
  /// A hard link.
  public static let archiveHardLink = Self("archive.hard-link")
  /// Set-user-ID, set-group-ID or the sticky bit.
  public static let archiveSpecialMode = Self("archive.special-mode")
  /// More entries than the limits allow.
  public static let archiveEntryCount = Self("archive.entry-count")
  /// A file, or all files, larger than the limits allow.
  public static let archiveSize = Self("archive.size")
  /// An archive or entry expands more than the limits allow.
  public static let archiveRatio = Self("archive.ratio")
  /// An entry's bytes do not match its checksum.
  public static let archiveChecksum = Self("archive.checksum")
  /// Data that do not decompress, decompress to another size, or cannot be read or converted completely.
  public static let archiveData = Self("archive.data")
  /// A compression or format that cannot be read here.
  public static let archiveFilter = Self("archive.filter")
  /// Bytes after the archive's end.
  public static let archiveTrailingData = Self("archive.trailing-data")
  /// An encrypted entry.
  public static let archiveEncrypted = Self("archive.encrypted")

  // MARK: ZIP

  /// No end record, several, or one that contradicts the archive.
  public static let archiveEndRecord = Self("archive.end-record")
  /// Bytes before the first entry.
  public static let archiveLeadingData = Self("archive.leading-data")
  /// Bytes between entries, or between the last one and the central directory, that are not a signing block.
  public static let archiveGap = Self("archive.gap")
  /// Entries that share bytes.
  public static let archiveOverlap = Self("archive.overlap")
  /// Entries that are not in the order of the central directory.
  public static let archiveOrder = Self("archive.order")
  /// A local header that differs from the central directory.
  public static let archiveHeaderMismatch = Self("archive.header-mismatch")
  /// A record that is not where it must be, or contradicts itself.
  public static let archiveRecord = Self("archive.record")
  /// An archive on several disks.
  public static let archiveMultiDisk = Self("archive.multi-disk")
  /// ZIP64 fields where none are allowed, or that contradict the other fields.
  public static let archiveZIP64 = Self("archive.zip64")
  /// A compression method other than stored and deflated, or a version that only other methods need.
  public static let archiveMethod = Self("archive.method")
  /// Flags that change the entry's meaning.
  public static let archiveFlags = Self("archive.flags")
  /// A data descriptor: a program that streams the archive sees something else.
  public static let archiveDataDescriptor = Self("archive.data-descriptor")
  /// An extra field that is not allowed, occurs twice, or is damaged.
  public static let archiveExtraField = Self("archive.extra-field")
  /// A comment that contains the signature of a record, or is not UTF-8.
  public static let archiveComment = Self("archive.comment")
  /// A name that is not ASCII and is not marked as UTF-8, or comes from a system whose names are translated.
  public static let archiveNameEncoding = Self("archive.name-encoding")

  // MARK: tar

  /// A header in another format than POSIX's, or one that contradicts itself.
  public static let archiveTarHeader = Self("archive.tar-header")

  // MARK: Extraction

}

/// Faults of a path, or of a symbolic link's target. `path.bounds` is SignetCrypto's.
extension SignetError.Code {
  /// An empty path or target.
  public static let pathEmpty = Self("path.empty")
  /// A path from the root of the file system.
  public static let pathAbsolute = Self("path.absolute")
  /// `..` in a path; in a link's target, `..` that leads out or follows a name.
  public static let pathParent = Self("path.parent")
  /// `.` as a name.
  public static let pathDot = Self("path.dot")
  /// Two slashes in a row, or a slash at the end.
  public static let pathEmptyName = Self("path.empty-name")
  /// A backslash, which separates names on Windows.
  public static let pathBackslash = Self("path.backslash")
  /// NUL or another control character.
  public static let pathControl = Self("path.control")
  /// An invisible character, or one that changes the direction of text: the name looks like another.
  public static let pathInvisible = Self("path.invisible")
  /// Not UTF-8.
  public static let pathNotUTF8 = Self("path.not-utf8")
  /// A text that is not in Unicode's normalization form C: after normalization it equals another text.
  public static let pathNotNormalized = Self("path.not-normalized")
  /// A colon: a drive (`C:`) or a stream of a file on Windows.
  public static let pathDrive = Self("path.drive")
  /// A dot or space at the end of a name, which Windows removes.
  public static let pathTrailing = Self("path.trailing")
  /// A name that is a device on Windows, such as `CON` or `nul.txt`.
  public static let pathReserved = Self("path.reserved")
  /// Two paths that differ only by case, or by characters that some file systems ignore.
  public static let pathCaseCollision = Self("path.case-collision")
}

extension Set<SignetError.Code> {
  /// All codes for faults of an archive: `archive.…`.
  package static let aboutArchives: Self = [
    .archiveFormat, .archiveTruncated, .archiveEmpty, .archiveDuplicatePath, .archivePathConflict,
    .archiveSpecialFile, .archiveHardLink, .archiveSpecialMode, .archiveEntryCount, .archiveSize, .archiveRatio,
    .archiveChecksum, .archiveData, .archiveFilter, .archiveTrailingData, .archiveEncrypted, .archiveEndRecord,
    .archiveLeadingData, .archiveGap, .archiveOverlap, .archiveOrder, .archiveHeaderMismatch, .archiveRecord,
    .archiveMultiDisk, .archiveZIP64, .archiveMethod, .archiveFlags, .archiveDataDescriptor, .archiveExtraField,
    .archiveComment, .archiveNameEncoding, .archiveTarHeader,
  ]

  /// All codes for faults of a path in an archive or a listing: `path.…`.
  package static let aboutPaths: Self = [
    .pathEmpty, .pathAbsolute, .pathParent, .pathDot, .pathEmptyName, .pathBackslash, .pathControl, .pathInvisible,
    .pathNotUTF8, .pathNotNormalized, .pathDrive, .pathTrailing, .pathReserved, .pathCaseCollision, .pathBounds,
  ]
}
