public import SignetBase

extension SignetError.Code {
  // MARK: Packages

  /// A checkout that is not the release: another commit than the spec names, or another one than its tag.
  public static let packageCommit = Self("package.commit", .refusal)
  /// A checkout with files that are not those of its commit.
  public static let packageNotClean = Self("package.not-clean", .refusal)
  /// A spec of which no release can be made.
  public static let packageSpec = Self("package.spec", .refusal)
  /// A build that has failed, or has made no module.
  public static let packageBuild = Self("package.build", .refusal)
  /// A module that was built as another release than its sources say.
  public static let packageOtherModule = Self("package.other-module", .refusal)
  /// A shared library, which holds what it was linked with, where dependencies are to be left out.
  public static let packageExcludeDeps = Self("package.exclude-deps", .refusal)
  /// A package that exists already.
  public static let packageExists = Self("package.exists", .refusal)
}
