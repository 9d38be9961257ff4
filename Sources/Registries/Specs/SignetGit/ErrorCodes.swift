public import SignetBase

extension SignetError.Code {
  // MARK: Commits of git

  /// The git program cannot be started.
  public static let gitMissing = Self("git.missing", .failure)
  /// Git has ended with an error.
  public static let gitFailed = Self("git.failed", .failure)
  /// A commit that a repository does not have.
  public static let gitCommit = Self("git.commit", .failure)
  /// A commit with something that is never written: a submodule, a path that means different things, or too much.
  public static let gitTree = Self("git.tree", .failure)
}

extension Set<SignetError.Code> {
  /// All codes for faults of git and its repositories: `git.…`.
  package static let aboutGit: Self = [.gitMissing, .gitFailed, .gitCommit, .gitTree]
}
