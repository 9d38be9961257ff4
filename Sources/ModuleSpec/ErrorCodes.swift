public import SignetBase

extension SignetError.Code {
  // MARK: Specs

  /// A text that is not a spec: not JSON, or a field with a wrong value.
  public static let specMalformed = Self("spec.malformed")
  /// A spec with a field that is not known.
  public static let specUnknownField = Self("spec.unknown-field")
  /// A spec whose patterns take too much work to compare with the files in its folder.
  public static let specTooHard = Self("spec.too-hard")
  /// A folder that is to be a checkout of a module's sources, and is not.
  public static let specCheckout = Self("spec.checkout")
  /// A folder without a spec.
  public static let specMissing = Self("spec.missing")

  // MARK: Repositories of specs

  /// A repository of that name was added already.
  public static let specRepositoryExists = Self("spec-repo.exists")
  /// No repository of that name was added.
  public static let specRepositoryUnknown = Self("spec-repo.unknown")
  /// What is neither a folder nor an address from which git may fetch.
  public static let specRepositoryPlace = Self("spec-repo.place")
  /// A name that a repository, a module or a file in a repository cannot have.
  public static let specRepositoryName = Self("spec-repo.name")
  /// A folder in that of a module that is not a version.
  public static let specRepositoryVersion = Self("spec-repo.version")
  /// A version without its spec, or with that of another release.
  public static let specRepositorySpec = Self("spec-repo.spec")
  /// A link, or anything else that is neither a file nor a folder.
  public static let specRepositoryLink = Self("spec-repo.link")
  /// More or larger files than a repository of specs may have.
  public static let specRepositoryBounds = Self("spec-repo.bounds")
  /// A spec that is not signed as the policy demands.
  public static let specRepositoryUnverified = Self("spec-repo.unverified")
  /// A version that was published with other bytes.
  public static let specRepositoryVersionTaken = Self("spec-repo.version-taken")
  /// What is kept of a repository, and cannot be read.
  public static let specRepositoryMalformed = Self("spec-repo.malformed")
  /// git has failed.
  public static let specRepositoryGit = Self("spec-repo.git")
}

extension Set<SignetError.Code> {
  /// All codes for faults of a spec's text.
  package static let aboutSpecTexts: Self = [.specMalformed, .specUnknownField]
  /// All codes for what is wrong with a repository's content, or with what is to be added to it.
  package static let aboutSpecRepositories: Self = [
    .specRepositoryName, .specRepositoryVersion, .specRepositorySpec, .specRepositoryLink, .specRepositoryBounds,
    .specRepositoryUnverified, .specRepositoryVersionTaken,
  ]
}
