public import SignetBase
internal import SignetNames
internal import SignetSystem

/// Reasons for refusing an archive. The faults of a path itself are `path.…`.
extension SignetError.Code {
  // MARK: Any archive

  /// The file is not an archive of a supported kind.
  public static let archiveFormat = Self("archive.format", .refusal)
  /// The archive ends before the content that it claims to have.
  public static let archiveTruncated = Self("archive.truncated", .refusal)
  /// An archive entry that is not a file, a directory or a symbolic link.
  public static let archiveSpecialFile = Self("archive.special-file", .refusal)
  /// An archive entry that is a hard link.
  public static let archiveHardLink = Self("archive.hard-link", .refusal)
  /// An archive entry with set-user-ID, set-group-ID or the sticky bit.
  public static let archiveSpecialMode = Self("archive.special-mode", .refusal)
  /// An archive or entry that expands more than the limits allow.
  public static let archiveRatio = Self("archive.ratio", .refusal)
  /// An archive entry whose bytes do not match its checksum.
  public static let archiveChecksum = Self("archive.checksum", .refusal)
  /// Data that do not decompress, decompress to another size, or cannot be read or converted completely.
  public static let archiveData = Self("archive.data", .refusal)
  /// A compression or archive format that cannot be read here.
  public static let archiveFilter = Self("archive.filter", .refusal)
  /// Bytes after an archive's end.
  public static let archiveTrailingData = Self("archive.trailing-data", .refusal)
  /// An archive entry that is encrypted.
  public static let archiveEncrypted = Self("archive.encrypted", .refusal)

  // MARK: ZIP

  /// A ZIP without an end record, with several, or with one that contradicts the archive.
  public static let archiveEndRecord = Self("archive.end-record", .refusal)
  /// Bytes before the first entry of a ZIP.
  public static let archiveLeadingData = Self("archive.leading-data", .refusal)
  /// Bytes between the parts of an archive that belong to none of them and are not a signing block.
  public static let archiveGap = Self("archive.gap", .refusal)
  /// Entries of a ZIP that share bytes.
  public static let archiveOverlap = Self("archive.overlap", .refusal)
  /// Entries of a ZIP that are not in the order of the central directory.
  public static let archiveOrder = Self("archive.order", .refusal)
  /// A local header of a ZIP that differs from the central directory.
  public static let archiveHeaderMismatch = Self("archive.header-mismatch", .refusal)
  /// A record of a ZIP that is not where it must be, or contradicts itself.
  public static let archiveRecord = Self("archive.record", .refusal)
  /// A ZIP on several disks.
  public static let archiveMultiDisk = Self("archive.multi-disk", .refusal)
  /// ZIP64 fields where none are allowed, or that contradict the other fields.
  public static let archiveZIP64 = Self("archive.zip64", .refusal)
  /// A compression method of a ZIP other than stored and deflated, or a version that only other methods need.
  public static let archiveMethod = Self("archive.method", .refusal)
  /// Flags that change the meaning of a ZIP entry.
  public static let archiveFlags = Self("archive.flags", .refusal)
  /// A data descriptor in a ZIP: a program that streams the archive sees something else.
  public static let archiveDataDescriptor = Self("archive.data-descriptor", .refusal)
  /// An extra field of a ZIP that is not allowed, occurs twice, or is damaged.
  public static let archiveExtraField = Self("archive.extra-field", .refusal)
  /// A comment in a ZIP that contains the signature of a record, is too long, or is not readable UTF-8.
  public static let archiveComment = Self("archive.comment", .refusal)
  /// A name in a ZIP that is not ASCII and is not marked as UTF-8, or comes from a system whose names are translated.
  public static let archiveNameEncoding = Self("archive.name-encoding", .refusal)

  // MARK: tar

  /// A tar header in another format than POSIX's, or one that contradicts itself.
  public static let archiveTarHeader = Self("archive.tar-header", .refusal)
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
