public import SignetBase

extension SignetError.Code {
  // MARK: Metadata of The Update Framework

  /// Bytes that are not metadata, or metadata that breaks the form of its role.
  public static let tufMalformed = Self("tuf.malformed", .refusal)
  /// A value that has no canonical form: a number with a fraction, or a name that occurs twice.
  public static let tufNotCanonical = Self("tuf.not-canonical", .refusal)
  /// Metadata of another role than the one that was expected.
  public static let tufWrongType = Self("tuf.wrong-type", .refusal)
  /// Metadata of a version of the specification that is not supported.
  public static let tufSpecVersion = Self("tuf.spec-version", .refusal)
  /// Metadata with two signatures under one key ID.
  public static let tufDuplicateSignature = Self("tuf.duplicate-signature", .refusal)
  /// A name that no delegated role may have.
  public static let tufRoleName = Self("tuf.role-name", .refusal)
  /// Delegations that name one role twice.
  public static let tufDuplicateRole = Self("tuf.duplicate-role", .refusal)
  /// Metadata without the valid signatures of enough keys.
  public static let tufThreshold = Self("tuf.threshold", .refusal)
  /// Metadata of another version than the one that was asked for or listed.
  public static let tufWrongVersion = Self("tuf.wrong-version", .refusal)
  /// Metadata that is older than what is trusted already.
  public static let tufRollback = Self("tuf.rollback", .refusal)
  /// A snapshot that no longer lists a role that the trusted snapshot lists.
  public static let tufRoleRemoved = Self("tuf.role-removed", .refusal)
  /// Metadata that had expired when the refresh began.
  public static let tufExpired = Self("tuf.expired", .refusal)
  /// A role that is delegated to, but not listed in the snapshot.
  public static let tufNotInSnapshot = Self("tuf.not-in-snapshot", .refusal)

  /// A role that nobody delegates to.
  public static let tufNotDelegated = Self("tuf.not-delegated", .refusal)

  // MARK: Files

  /// A file whose bytes are not those that were signed for.
  public static let tufHashMismatch = Self("tuf.hash-mismatch", .refusal)
  /// A file for which only hashes of unknown algorithms are stated.
  public static let tufUnknownHash = Self("tuf.unknown-hash", .refusal)
  /// A file that is shorter than stated.
  public static let tufTooShort = Self("tuf.too-short", .refusal)
  /// A file that is longer than stated or allowed.
  public static let tufTooLong = Self("tuf.too-long", .refusal)
  /// A file that the repository does not have.
  public static let tufNotFound = Self("tuf.not-found", .failure)
  /// A file that could not be fetched, so that nothing is known about it.
  public static let tufUnreachable = Self("tuf.unreachable", .failure)
  /// A file that arrived too slowly.
  public static let tufTooSlow = Self("tuf.too-slow", .failure)

  // MARK: Targets

  /// A target that no role offers.
  public static let tufNoTarget = Self("tuf.no-target", .failure)
  /// The name of a target that leads out of the place for targets.
  public static let tufTargetName = Self("tuf.target-name", .refusal)
  /// A search that would visit more roles than allowed.
  public static let tufTooManyRoles = Self("tuf.too-many-roles", .refusal)

  // MARK: The client

  /// A folder without a trusted root.
  public static let tufNoRoot = Self("tuf.no-root", .failure)
  /// A clock that is behind a time at which this folder was refreshed before.
  public static let tufClockWentBack = Self("tuf.clock-went-back", .refusal)
}

extension Set<SignetError.Code> {
  /// All codes for faults of a repository of The Update Framework, or of what a mirror gives of it: `tuf.…`.
  package static let aboutTUF: Self = [
    .tufMalformed, .tufNotCanonical, .tufWrongType, .tufSpecVersion, .tufDuplicateSignature, .tufRoleName,
    .tufDuplicateRole, .tufThreshold, .tufWrongVersion, .tufRollback, .tufRoleRemoved, .tufExpired,
    .tufNotInSnapshot, .tufNotDelegated, .tufHashMismatch, .tufUnknownHash, .tufTooShort, .tufTooLong, .tufNotFound,
    .tufUnreachable, .tufTooSlow, .tufNoTarget, .tufTargetName, .tufTooManyRoles, .tufNoRoot, .tufClockWentBack,
  ]
}
