public import SignetBase

extension SignetError.Code {
  // MARK: Publishing a repository of The Update Framework

  /// A folder that holds no repository.
  public static let tufNoRepository = Self("tuf.no-repository", .failure)
  /// A version of metadata that exists already, with other content.
  public static let tufVersionUsed = Self("tuf.version-used", .refusal)
  /// A draft for a version of a role that has been published since, or of another role's content.
  public static let tufDraftStale = Self("tuf.draft-stale", .failure)
  /// A draft with changes that the keys at hand have not signed.
  public static let tufDraftUnsigned = Self("tuf.draft-unsigned", .failure)
  /// A role that can have no later version.
  public static let tufNoVersionLeft = Self("tuf.no-version-left", .failure)
  /// A role that delegates to others than its own bins, though only the top-level targets may.
  public static let tufForeignDelegation = Self("tuf.foreign-delegation", .failure)
  /// A change that waits for somebody: its metadata is not complete yet.
  public static let tufNotReady = Self("tuf.not-ready", .failure)
  /// A key that is not one of those that must sign.
  public static let tufForeignKey = Self("tuf.foreign-key", .failure)
  /// A target whose path stands for other bytes already.
  public static let tufTargetChanged = Self("tuf.target-changed", .refusal)
  /// Metadata of an offline role that will expire soon.
  public static let tufExpiresSoon = Self("tuf.expires-soon", .refusal)
  /// A repository with more faults than are told one by one.
  public static let tufMoreFaults = Self("tuf.more-faults", .refusal)
}
