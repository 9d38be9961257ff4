public import SignetBase

extension SignetError.Code {
  // MARK: A registry of modules

  /// A registry that exists already.
  public static let repoExists = Self("repo.exists", .failure)
  /// Keys that cannot be those of a role: too few for the threshold, one twice, or one that another role must not share.
  public static let repoKeys = Self("repo.keys", .failure)
  /// Identities that a publisher cannot have, or a role of which only keys can sign.
  public static let repoIdentities = Self("repo.identities", .failure)
  /// A role without a draft that can be dropped.
  public static let repoNoDraft = Self("repo.no-draft", .failure)
  /// A name that no publisher can have, or that one has already.
  public static let repoPublisherName = Self("repo.publisher-name", .failure)
  /// A publisher that the registry does not have.
  public static let repoPublisherUnknown = Self("repo.publisher-unknown", .failure)
  /// A pattern that covers no module, or modules of another publisher.
  public static let repoScope = Self("repo.scope", .failure)
  /// A module that its publisher may not offer.
  public static let repoOutOfScope = Self("repo.out-of-scope", .refusal)
  /// A module whose signature is not that of its publisher.
  public static let repoUnverified = Self("repo.unverified", .refusal)
  /// A source archive, or the module of one, without a file of provenance beside it.
  public static let repoNoProvenance = Self("repo.no-provenance", .refusal)
  /// A module and sources that were built from different commits.
  public static let repoOtherCommit = Self("repo.other-commit", .refusal)
  /// An identifier with more labels than a registry can delegate.
  public static let repoDepth = Self("repo.depth", .refusal)
  /// A version of a module that exists already with other bytes.
  public static let repoVersionTaken = Self("repo.version-taken", .refusal)
  /// A release whose sequence is not above that of all earlier releases.
  public static let repoSequence = Self("repo.sequence", .refusal)
  /// A release that the registry does not have.
  public static let repoReleaseUnknown = Self("repo.release-unknown", .failure)
  /// A name that can be mistaken for that of another module.
  public static let repoLookAlike = Self("repo.look-alike", .refusal)
  /// More releases or changes than are listed.
  public static let repoListSize = Self("repo.list-size", .failure)
}
