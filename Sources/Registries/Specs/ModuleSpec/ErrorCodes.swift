public import SignetBase

extension SignetError.Code {
  // MARK: Specs

  /// A text that is not a spec: not JSON, or a field with a wrong value.
  public static let specMalformed = Self("spec.malformed", .refusal)
  /// A spec with a field that is not known.
  public static let specUnknownField = Self("spec.unknown-field", .refusal)
  /// A spec whose patterns take too much work to compare with the files in its folder.
  public static let specTooHard = Self("spec.too-hard", .failure)
  /// A folder that is to be a checkout of a module's sources, and is not.
  public static let specCheckout = Self("spec.checkout", .failure)
  /// A folder without a spec.
  public static let specMissing = Self("spec.missing", .failure)

  // MARK: Repositories of specs

  /// A repository of that name was added already.
  public static let specRepositoryExists = Self("spec-repo.exists", .failure)
  /// No repository of that name was added.
  public static let specRepositoryUnknown = Self("spec-repo.unknown", .failure)
  /// What is neither a folder nor an address from which git may fetch.
  public static let specRepositoryPlace = Self("spec-repo.place", .failure)
  /// A name that a repository, a module or a file in a repository cannot have.
  public static let specRepositoryName = Self("spec-repo.name", .refusal)
  /// A folder in that of a module that is not a version.
  public static let specRepositoryVersion = Self("spec-repo.version", .refusal)
  /// A version without its spec, or with that of another release.
  public static let specRepositorySpec = Self("spec-repo.spec", .refusal)
  /// A link, or anything else that is neither a file nor a folder.
  public static let specRepositoryLink = Self("spec-repo.link", .refusal)
  /// More or larger files than a repository of specs may have.
  public static let specRepositoryBounds = Self("spec-repo.bounds", .refusal)
  /// A spec that is not signed as the policy demands.
  public static let specRepositoryUnverified = Self("spec-repo.unverified", .refusal)
  /// A version that was published with other bytes.
  public static let specRepositoryVersionTaken = Self("spec-repo.version-taken", .refusal)
  /// What is kept of a repository, and cannot be read.
  public static let specRepositoryMalformed = Self("spec-repo.malformed", .failure)
  /// git has failed.
  public static let specRepositoryGit = Self("spec-repo.git", .failure)
}
