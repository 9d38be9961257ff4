public import SignetBase
internal import SignetSystem

/// Faults of a path, or of a symbolic link's target. `path.bounds` is SignetSystem's.
extension SignetError.Code {
  /// A path, or the target of a link, that is empty.
  public static let pathEmpty = Self("path.empty", .refusal)
  /// A path, or the target of a link, from the root of the file system.
  public static let pathAbsolute = Self("path.absolute", .refusal)
  /// A path with `..`, or a link's target in which `..` leads out or follows a name.
  public static let pathParent = Self("path.parent", .refusal)
  /// A path with `.` as a name.
  public static let pathDot = Self("path.dot", .refusal)
  /// A path with two slashes in a row, or with a slash at the end.
  public static let pathEmptyName = Self("path.empty-name", .refusal)
  /// A path, or the target of a link, with a backslash, which separates names on Windows.
  public static let pathBackslash = Self("path.backslash", .refusal)
  /// A path, or the target of a link, with NUL or another control character.
  public static let pathControl = Self("path.control", .refusal)
  /// A path, or the target of a link, with a character that is invisible or changes the direction of text: the name
  /// looks like another.
  public static let pathInvisible = Self("path.invisible", .refusal)
  /// A path, or the target of a link, that is not UTF-8.
  public static let pathNotUTF8 = Self("path.not-utf8", .refusal)
  /// A path, or the target of a link, that is not in Unicode's normalization form C: after normalization it equals
  /// another text.
  public static let pathNotNormalized = Self("path.not-normalized", .refusal)
  /// A path with a colon: a drive (`C:`) or a stream of a file on Windows.
  public static let pathDrive = Self("path.drive", .refusal)
  /// A name with a dot or space at its end, which Windows removes.
  public static let pathTrailing = Self("path.trailing", .refusal)
  /// A name that is a device on Windows, such as `CON` or `nul.txt`.
  public static let pathReserved = Self("path.reserved", .refusal)
  /// Two paths that differ only by case, or by characters that some file systems ignore.
  public static let pathCaseCollision = Self("path.case-collision", .refusal)
}

/// Faults of a list of paths, as archives, listings and commits have them.
extension SignetError.Code {
  /// The archive has no entries.
  public static let archiveEmpty = Self("archive.empty", .refusal)
  /// An archive with more entries than the limits allow.
  public static let archiveEntryCount = Self("archive.entry-count", .refusal)
  /// A path that occurs twice in an archive.
  public static let archiveDuplicatePath = Self("archive.duplicate-path", .refusal)
  /// A file or link in an archive where another entry needs a directory.
  public static let archivePathConflict = Self("archive.path-conflict", .refusal)
  /// A file in an archive, or all files together, larger than the limits allow.
  public static let archiveSize = Self("archive.size", .refusal)
}
