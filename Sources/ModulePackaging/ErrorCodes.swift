public import SignetBase

extension SignetError.Code {
  // MARK: Packages

  /// A checkout that is not the release: another commit than the spec names, or another one than its tag.
  public static let packageCommit = Self("package.commit")
  /// A checkout with files that are not those of its commit.
  public static let packageNotClean = Self("package.not-clean")
  /// A spec of which no release can be made.
  public static let packageSpec = Self("package.spec")
  /// A build that has failed, or has made no module.
  public static let packageBuild = Self("package.build")
  /// A module that was built as another release than its sources say.
  public static let packageOtherModule = Self("package.other-module")
  /// A shared library, which holds what it was linked with, where dependencies are to be left out.
  public static let packageExcludeDeps = Self("package.exclude-deps")
  /// A package that exists already.
  public static let packageExists = Self("package.exists")
}

extension Set<SignetError.Code> {
  /// All codes for faults of a package: `package.…`.
  package static let aboutPackages: Self = [
    .packageCommit, .packageNotClean, .packageSpec, .packageBuild, .packageOtherModule, .packageExcludeDeps,
    .packageExists,
  ]
}
