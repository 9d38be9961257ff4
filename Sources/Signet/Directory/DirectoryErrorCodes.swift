public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  // MARK: Listings

  /// The entries of a listing are not sorted by the bytes of their paths.
  public static let directoryUnsorted = Self("directory.unsorted")
  /// A path stands twice in a listing.
  public static let directoryDuplicatePath = Self("directory.duplicate-path")
  /// The directory that an entry lies in is not in the listing.
  public static let directoryMissingParent = Self("directory.missing-parent")
  /// What an entry lies in is a file or a link.
  public static let directoryParentNotDirectory = Self("directory.parent-not-directory")
  /// An entry with set-user-ID, set-group-ID or the sticky bit.
  public static let directorySpecialMode = Self("directory.special-mode")
  /// The subject's digest is not that of the listing.
  public static let directoryListingDigest = Self("directory.listing-digest")
  /// A pipe, device or socket in a directory that is to be signed.
  public static let directorySpecialFile = Self("directory.special-file")

  // MARK: Differences

  /// What was signed is not there.
  public static let directoryMissingEntry = Self("directory.missing-entry")
  /// What is there was not signed.
  public static let directoryExtraEntry = Self("directory.extra-entry")
  /// A file where a directory was signed, and the like.
  public static let directoryTypeMismatch = Self("directory.type-mismatch")
  /// Other permissions.
  public static let directoryModeMismatch = Self("directory.mode-mismatch")
  /// A symbolic link that leads elsewhere.
  public static let directoryTargetMismatch = Self("directory.target-mismatch")
  /// More differences than are told one by one.
  public static let directoryMoreDifferences = Self("directory.more-differences")
}
