public import SignetBase

extension SignetError.Code {
  // MARK: Installing what a Modfile names

  /// A registry of which no first root is known.
  public static let installNoRoot = Self("install.no-root")
  /// A lock that is missing or does not fit the Modfile, where nothing else may be installed.
  public static let installNotLocked = Self("install.not-locked")
  /// A file that is not in the cache, where nobody may be asked for it.
  public static let installOffline = Self("install.offline")
  /// An override that cannot be read: a folder without a module, another module, or a commit.
  public static let installOverride = Self("install.override")
  /// A module that is not what the registry's index says.
  public static let installOtherModule = Self("install.other-module")

  /// A warning: a release is kept that its publisher has withdrawn.
  public static let installWithdrawn = Self("install.withdrawn")
  /// A warning: a locked release is offered no longer.
  public static let installNotOffered = Self("install.not-offered")
  /// A warning: a module gets a lower sequence than before.
  public static let installSequenceFell = Self("install.sequence-fell")
}
