public import SignetBase

extension SignetError.Code {
  // MARK: Modfile

  /// A Modfile with more bytes than the limit.
  public static let modfileSize = Self("modfile.size", .failure)
  /// A Modfile that is not UTF-8, or begins with a byte-order mark.
  public static let modfileEncoding = Self("modfile.encoding", .failure)
  /// A control character, an invisible one, or one that changes the direction of text.
  public static let modfileCharacter = Self("modfile.character", .failure)
  /// A place where the grammar has something else.
  public static let modfileSyntax = Self("modfile.syntax", .failure)
  /// A word that no statement begins with, or that is no option of its statement.
  public static let modfileUnknownWord = Self("modfile.unknown-word", .failure)
  /// A text that is too long.
  public static let modfileLength = Self("modfile.length", .failure)
  /// More statements, patterns or comparators than the limit.
  public static let modfileCount = Self("modfile.count", .failure)
  /// A name that no source or target can have, or a text that is not a module's identifier.
  public static let modfileName = Self("modfile.name", .failure)
  /// A source, target or module that stands twice, or two overrides of one module.
  public static let modfileDuplicate = Self("modfile.duplicate", .failure)
  /// A URL that no source or repository can have.
  public static let modfileURL = Self("modfile.url", .failure)
  /// A text that is not a pattern of modules.
  public static let modfilePattern = Self("modfile.pattern", .failure)
  /// Patterns of two sources that cover the same module, and neither is more specific.
  public static let modfileScopeOverlap = Self("modfile.scope-overlap", .failure)
  /// A module that no source may serve.
  public static let modfileNoSource = Self("modfile.no-source", .failure)
  /// A module that is to be removed, and that no line names.
  public static let modfileNoModule = Self("modfile.no-module", .failure)
  /// A text that is not a comparator, or comparators that no version meets.
  public static let modfileRange = Self("modfile.range", .failure)
  /// An override beside comparators.
  public static let modfileOverride = Self("modfile.override", .failure)
  /// A path that is not relative, or has empty components.
  public static let modfilePath = Self("modfile.path", .failure)
  /// A commit that is not named by its full ID.
  public static let modfileCommit = Self("modfile.commit", .failure)
  /// A group in a group, or one that does not end or was never begun.
  public static let modfileNesting = Self("modfile.nesting", .failure)
  /// A malformed version of a host.
  public static let modfileHost = Self("modfile.host", .failure)
  /// A minimum age that is none.
  public static let modfileMinimumAge = Self("modfile.minimum-age", .failure)

  // MARK: Modfile.lock

  /// A lock with more bytes than the limit.
  public static let lockfileSize = Self("lockfile.size", .failure)
  /// A lock that is not UTF-8, or begins with a byte-order mark.
  public static let lockfileEncoding = Self("lockfile.encoding", .failure)
  /// A control character in a lock, an invisible one, or one that changes the direction of text.
  public static let lockfileCharacter = Self("lockfile.character", .failure)
  /// A lock of another version of the format.
  public static let lockfileVersion = Self("lockfile.version", .failure)
  /// A lock with conflict markers of a merge.
  public static let lockfileMergeMarker = Self("lockfile.merge-marker", .failure)
  /// A line of a lock that is not what the grammar has there.
  public static let lockfileSyntax = Self("lockfile.syntax", .failure)
  /// A line of a lock with a value that its field cannot have.
  public static let lockfileValue = Self("lockfile.value", .failure)
  /// A lock with more modules, signers or requirements than the limit.
  public static let lockfileCount = Self("lockfile.count", .failure)
  /// Modules, signers or requirements that are not in order, or stand twice.
  public static let lockfileOrder = Self("lockfile.order", .failure)
  /// A lock whose content has another text.
  public static let lockfileNotCanonical = Self("lockfile.not-canonical", .failure)

  // MARK: Resolution

  /// Requirements that no choice of releases meets.
  public static let resolveConflict = Self("resolve.conflict", .refusal)
  /// A required module that its source does not offer, or that no source may serve.
  public static let resolveMissing = Self("resolve.missing", .refusal)
  /// Modules that can only be had in a circle of requirements.
  public static let resolveCycle = Self("resolve.cycle", .refusal)
  /// A resolution that takes more work than allowed.
  public static let resolveTooHard = Self("resolve.too-hard", .failure)
  /// More modules, releases or requirements than allowed.
  public static let resolveBounds = Self("resolve.bounds", .failure)
  /// Offers of a source that contradict each other.
  public static let resolveOffers = Self("resolve.offers", .refusal)
  /// A locked release that has other bytes now.
  public static let resolveReleaseChanged = Self("resolve.release-changed", .refusal)
  /// A module that the lock does not have.
  public static let resolveNotLocked = Self("resolve.not-locked", .failure)
  /// A variable of the environment that neither asks for binaries nor does not.
  public static let resolveSwitch = Self("resolve.switch", .failure)
}
