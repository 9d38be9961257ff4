public import SignetBase

extension SignetError.Code {
  // MARK: Files

  /// A file or directory that does not exist, or whose path cannot be followed.
  public static let fileMissing = Self("file.missing", .failure)
  /// The file cannot be opened or examined, for example because it may not be read.
  public static let fileUnreadable = Self("file.unreadable", .failure)
  /// A directory where a file is expected.
  public static let fileIsDirectory = Self("file.is-directory", .failure)
  /// A device, pipe or socket where a regular file is expected.
  public static let fileNotRegular = Self("file.not-regular", .failure)
  /// A file where a directory is expected.
  public static let fileNotDirectory = Self("file.not-directory", .failure)
  /// The file's bytes, size or times changed while it was read.
  public static let fileChanged = Self("file.changed", .failure)
  /// The file is larger than a file of its kind may be.
  public static let fileTooLarge = Self("file.too-large", .failure)
  /// Another process holds the file's lock.
  public static let fileLocked = Self("file.locked", .failure)
  /// The bytes of an open file could not be read.
  public static let fileReadFailed = Self("file.read-failed", .failure)

  /// Other users could have written the file, or could replace it.
  public static let fileOthersMayWrite = Self("file.others-may-write", .failure)
  /// Other users may read the private key.
  public static let keyOthersMayRead = Self("key.others-may-read", .failure)

  // MARK: Archives

  /// An archive could not be copied for inspection, or could not be unpacked; what was written has been removed.
  public static let extractionFailed = Self("extraction.failed", .failure)

  // MARK: Directories

  /// More entries than a directory that is signed or verified may have.
  public static let directoryEntryCount = Self("directory.entry-count", .refusal)
  /// A path or name that is too long, or a path that is nested too deeply.
  public static let pathBounds = Self("path.bounds", .refusal)
}

extension Set<SignetError.Code> {
  /// All codes for faults of a file: `file.…`.
  package static let aboutFiles: Self = [
    .fileMissing, .fileUnreadable, .fileIsDirectory, .fileNotRegular, .fileNotDirectory, .fileChanged, .fileTooLarge,
    .fileLocked, .fileReadFailed, .fileOthersMayWrite,
  ]
}
