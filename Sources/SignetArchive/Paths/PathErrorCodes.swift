public import SignetBase
internal import SignetCrypto

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
