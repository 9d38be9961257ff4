package import SignetBase
internal import SignetSystem

/// Commits of foreign repositories, each in a repository of its own on this machine.
package enum GitFetch {
  /// Gives a commit of a repository, which is fetched unless it is there.
  ///
  /// The commit alone is fetched, without its history, its tags and its submodules. All objects are checked each time:
  /// that their bytes have their IDs, and that their form is sound.
  ///
  /// - Parameters:
  ///   - id: the full ID.
  ///   - address: the address of the repository.
  ///   - place: where the repository is kept on this machine; nobody else may write there.
  ///   - isOffline: whether nobody is asked.
  ///   - variable: gives the value of a variable of the process's environment.
  /// - Returns: nil if the commit is not there, and nobody may be asked.
  /// - Throws: `git.missing`, `git.failed`; `git.commit` if what was fetched is another commit.
  package static func commit(
    _ id: String, of address: String, keptAt place: String, isOffline: Bool, _ variable: (String) -> String?
  ) throws(SignetError) -> GitProgram? {
    let git = GitProgram(bare: place, variable)
    let reference = "refs/signet/\(id)"
    let isThere = try git.commit(reference) != nil
    if !isThere {
      guard !isOffline else { return nil }
      // An empty template: a new repository gets no hooks. It changes nothing in one that is there.
      let format = id.utf8.count == 40 ? "sha1" : "sha256"
      _ = try git.output(["init", "--quiet", "--bare", "--template=", "--object-format=\(format)"])
      let fetch = [
        "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        "--no-auto-gc", "--", address, "+\(id):\(reference)",
      ]
      do throws(SignetError) { _ = try git.output(fetch) } catch  where error.code == .gitFailed {
        throw SignetError(
          .gitFailed, address.display, "has not given the commit", expected: id, found: error.found,
          hint: "check the address, and that the repository has a commit with this ID")
      }
    }
    guard try git.commit(reference)?.isExactly(id) ?? false else {
      throw SignetError(
        .gitCommit, address.display, "has not given the commit", expected: id,
        hint: "compare the ID with the repository's: a tag has another ID than its commit")
    }
    try git.run(["fsck", "--full", "--no-dangling", "--no-progress", id]) { (_) throws(SignetError) in }
    return git
  }
}
