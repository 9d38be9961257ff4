public import SignetBase

extension SignetError.Code {
  // MARK: Installing what a Modfile names

  /// A registry of which no first root is known.
  public static let installNoRoot = Self("install.no-root", .failure)
  /// A lock that is missing or does not fit the Modfile, where nothing else may be installed.
  public static let installNotLocked = Self("install.not-locked", .refusal)
  /// A file that is not in the cache, where nobody may be asked for it.
  public static let installOffline = Self("install.offline", .failure)
  /// An override that cannot be read: a folder without a module, another module, or a commit.
  public static let installOverride = Self("install.override", .failure)
  /// A module that is not what the registry's index says.
  public static let installOtherModule = Self("install.other-module", .refusal)
  /// A module, or sources, that were built from another commit than the registry's index says.
  public static let installOtherCommit = Self("install.other-commit", .refusal)
  /// Sources where the policy demands a summary of a gate, which only modules have.
  public static let installNoSummary = Self("install.no-summary", .refusal)
  /// A link in a project, where a file or a folder of the project belongs.
  public static let installLink = Self("install.link", .failure)
  /// A spec, or the commit that it names, that nothing can be installed from.
  public static let installSpec = Self("install.spec", .failure)
  /// A release of a spec that is for other platforms, where another one is needed.
  public static let installPlatform = Self("install.platform", .failure)
  /// A module that requires what was not chosen: another module, another version of it, or another host.
  public static let installUnmet = Self("install.unmet", .refusal)
  /// A Modfile or a lock that changed while what it names was fetched.
  public static let installChanged = Self("install.changed", .failure)
  /// A folder where sources belong, and that is not Signet's.
  public static let installSourceFolder = Self("install.source-folder", .failure)

  /// A warning: a variable asks for the binary of a module that the Modfile does not need, or that has none.
  public static let installSwitch = Self("install.switch", .failure)
  /// A warning: a release is kept that its publisher has withdrawn.
  public static let installWithdrawn = Self("install.withdrawn", .refusal)
  /// A warning: a locked release is offered no longer.
  public static let installNotOffered = Self("install.not-offered", .refusal)
  /// A warning: a module gets a lower sequence than before.
  public static let installSequenceFell = Self("install.sequence-fell", .refusal)
}
