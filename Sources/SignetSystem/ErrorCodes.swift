public import SignetBase

extension SignetError.Code {
  // MARK: Files

  /// No such file.
  public static let fileMissing = Self("file.missing")
  /// The file may not be read.
  public static let fileUnreadable = Self("file.unreadable")
  /// A directory where a file is meant.
  public static let fileIsDirectory = Self("file.is-directory")
  /// A device, pipe or socket where a regular file is meant.
  public static let fileNotRegular = Self("file.not-regular")
  /// A file where a directory is meant.
  public static let fileNotDirectory = Self("file.not-directory")
  /// The file's bytes, size or times changed while it was read.
  public static let fileChanged = Self("file.changed")
  /// The file is larger than anything of its kind may be.
  public static let fileTooLarge = Self("file.too-large")
  /// Somebody else keeps the file's lock.
  public static let fileLocked = Self("file.locked")
  /// Reading failed.
  public static let fileReadFailed = Self("file.read-failed")

  /// Somebody else could have written the file, or could exchange it.
  public static let fileOthersMayWrite = Self("file.others-may-write")
  /// Somebody else may read the private key.
  public static let keyOthersMayRead = Self("key.others-may-read")

  // MARK: Outputs

  /// There is a file of that name, and replacing it was not asked for.
  public static let outputExists = Self("output.exists")
  /// The output would overwrite what is read.
  public static let outputIsInput = Self("output.is-input")
  /// The output has replaced what was there, but the folder could not be synced.
  public static let outputNotSynced = Self("output.not-synced")
  /// The output could not be written; nothing of it is left.
  public static let outputFailed = Self("output.failed")

  /// An archive could not be copied to be looked at, or could not be unpacked; what was written is removed again.
  public static let extractionFailed = Self("extraction.failed")

  // MARK: Directories

  /// More entries than a directory may have that is signed or verified.
  public static let directoryEntryCount = Self("directory.entry-count")
  /// A path or name that is too long, or lies too deep.
  public static let pathBounds = Self("path.bounds")
}

extension Set<SignetError.Code> {
  /// Everything that can be wrong with a file: `file.…`.
  package static let aboutFiles: Self = [
    .fileMissing, .fileUnreadable, .fileIsDirectory, .fileNotRegular, .fileNotDirectory, .fileChanged, .fileTooLarge,
    .fileLocked, .fileReadFailed, .fileOthersMayWrite,
  ]

  /// Everything that can be wrong with an output: `output.…`.
  package static let aboutOutputs: Self = [.outputExists, .outputIsInput, .outputNotSynced, .outputFailed]
}
