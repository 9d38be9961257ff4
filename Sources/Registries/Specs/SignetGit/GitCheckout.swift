package import SignetBase
internal import SignetSystem

/// A working tree of git, and the commit that is checked out.
package struct GitCheckout: Sendable {
  /// The git program, in the folder that was named.
  package let git: GitProgram
  /// The path from the root of the working tree to the folder that was named, with a slash at its end; empty at the root.
  package let prefix: String
  /// The full ID of the commit that is checked out.
  package let commit: String

  private static let statusLimit = 1 << 20

  /// Looks at the working tree that a folder is in.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - variable: gives the value of a variable of the process's environment.
  /// - Throws: `git.commit` if the folder is in no working tree, or nothing is checked out; `git.missing`.
  package init(at folder: String, _ variable: (String) -> String?) throws(SignetError) {
    git = GitProgram(in: folder, variable)
    // Git has reasons of its own, such as a folder of somebody else.
    var reason: String?
    do throws(SignetError) { _ = try git.output(["rev-parse", "--git-dir"]) } catch  where error.code == .gitFailed {
      reason = error.found
    }
    guard try git.line(["rev-parse", "--is-inside-work-tree"])?.isExactly("true") ?? false,
      let prefix = try git.line(["rev-parse", "--show-prefix"]), let commit = try git.commit("HEAD")
    else {
      throw SignetError(
        .gitCommit, folder, "is in no checkout of git with a commit", expected: "a working tree of git",
        found: reason, hint: "clone the repository, and check the release's commit out")
    }
    self.prefix = prefix
    self.commit = commit
  }

  /// The full ID of the commit that a tag names; nil if there is no such tag.
  ///
  /// - Throws: `git.missing`.
  package func commit(ofTag tag: String) throws(SignetError) -> String? { try git.commit("refs/tags/\(tag)") }

  /// The time of the commit, in seconds since 1970; nil if git does not say.
  ///
  /// - Throws: `git.missing`.
  package func time() throws(SignetError) -> Int64? {
    try git.line(["show", "--no-patch", "--no-show-signature", "--format=%ct", commit]).flatMap { Int64($0) }
  }

  /// The tracked files that are not those of the commit, by their paths from the root, except one.
  ///
  /// - Parameter path: a file that may differ, by its path from the root.
  /// - Throws: `git.failed`, `git.missing`.
  package func changes(except path: String) throws(SignetError) -> [String] {
    let text = try git.output(
      ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=none"],
      limit: Self.statusLimit)
    // Two letters and a space come before each path.
    return text.split(separator: 0).map { String(decoding: $0.dropFirst(3), as: UTF8.self) }
      .filter { !$0.isExactly(path) }
  }
}

extension GitProgram {
  /// The full ID of the commit that a name stands for, or nil.
  ///
  /// - Throws: `git.missing`.
  package func commit(_ name: String) throws(SignetError) -> String? {
    guard let id = try line(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"]),
      [20, 32].contains(Hexadecimal.decode(id)?.count)
    else { return nil }
    return id
  }
}
