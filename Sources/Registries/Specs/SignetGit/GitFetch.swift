package import SignetBase
internal import SignetFiles
internal import SignetSystem

/// Commits of foreign repositories, each in a repository of its own on this machine.
package enum GitFetch {
  /// Gives a commit of a repository, which is fetched unless it is there.
  ///
  /// The commit alone is fetched, without its history, its tags and its submodules. All objects are checked each time:
  /// that their bytes have their IDs, and that their form is sound. A repository that is damaged is fetched again.
  ///
  /// - Parameters:
  ///   - id: the full ID.
  ///   - address: the address of the repository.
  ///   - place: where the repository is kept on this machine; nobody else may write there.
  ///   - isOffline: whether nobody is asked.
  ///   - patience: how long the server may take.
  ///   - variable: gives the value of a variable of the process's environment.
  /// - Returns: nil if the commit is not there, and nobody may be asked.
  /// - Throws: `git.missing`, `git.failed`; `git.commit` if what was fetched is another commit; `output.failed`, `file.…`.
  package static func commit(
    _ id: String, of address: String, keptAt place: String, isOffline: Bool,
    patience: GitProgram.Patience = .init(), _ variable: (String) -> String?
  ) throws(SignetError) -> GitProgram? {
    let git = GitProgram(bare: place, patience, variable)
    let isKept = try isThere(place)
    if isKept {
      do throws(SignetError) {
        try check(id, in: git, at: place)
        return git
      } catch  where error.code == .gitFailed && !isOffline {
        // Fetched again below: a full disk or an end of power may have spoiled it.
      }
    }
    guard !isOffline else { return nil }
    try fetch(id, of: address, to: place, isReplacing: isKept, patience, variable)
    try check(id, in: git, at: place)
    return git
  }

  /// The commit at the head of a foreign repository.
  ///
  /// - Throws: `git.missing`, `git.failed`; `git.commit` if it has none.
  package static func head(
    of address: String, patience: GitProgram.Patience = .init(), _ variable: (String) -> String?
  ) throws(SignetError) -> String {
    let draft = try TemporaryDirectory()
    let git = GitProgram(bare: draft.path, patience, variable)
    _ = try git.output(["init", "--quiet", "--bare", "--template="])
    let text: [UInt8]
    do throws(SignetError) { text = try git.output(["ls-remote", "--", address, "HEAD"]) } catch
      where error.code == .gitFailed
    {
      throw SignetError(
        .gitFailed, address.display, "cannot be asked for its head", found: error.found,
        hint: "check the address, and that the repository can be read without a password")
    }
    let id = String(decoding: text.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
    guard isCommit(id) else {
      throw SignetError(
        .gitCommit, address.display, "has no commit at its head", expected: "a branch with a commit",
        found: id.display, hint: "ask the owner of the repository")
    }
    return id
  }

  /// Whether a text is the full ID of an object.
  package static func isCommit(_ text: String) -> Bool { [20, 32].contains(Hexadecimal.decode(text)?.count) }

  /// Checks that a repository has a commit with all that belongs to it.
  private static func check(_ id: String, in git: GitProgram, at place: String) throws(SignetError) {
    guard try git.commit(reference(id))?.isExactly(id) ?? false else {
      throw SignetError(
        .gitFailed, place, "is not the whole repository that was fetched", expected: id,
        hint: "install again with a network")
    }
    do throws(SignetError) {
      try git.run(["fsck", "--full", "--no-dangling", "--no-progress", id]) { (_) throws(SignetError) in }
    } catch  where error.code == .gitFailed {
      throw SignetError(
        .gitFailed, place, "has damaged objects", expected: id, found: error.found, cause: error,
        hint: "install again with a network")
    }
  }

  private static func reference(_ id: String) -> String { "refs/signet/\(id)" }

  /// Whether a repository is in its place.
  private static func isThere(_ place: String) throws(SignetError) -> Bool {
    do throws(SignetError) { _ = try Directory(opening: place) } catch  where error.code == .fileMissing {
      return false
    }
    return true
  }

  /// Fetches a commit into a folder of its own, which gets its name once it is whole. An end in between leaves a draft,
  /// which the next fetch removes. Of two that fetch the same at once, the second finds the other's.
  private static func fetch(
    _ id: String, of address: String, to place: String, isReplacing: Bool, _ patience: GitProgram.Patience,
    _ variable: (String) -> String?
  ) throws(SignetError) {
    let folder = try Directory(opening: TemporaryDirectory.folder(of: place))
    let name =
      place.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? place
    TemporaryDirectory.sweep(folder)
    let draft = try TemporaryDirectory(in: folder.path)
    let git = GitProgram(bare: draft.path, patience, variable)
    // An empty template: the repository gets no hooks.
    let format = id.utf8.count == 40 ? "sha1" : "sha256"
    _ = try git.output(["init", "--quiet", "--bare", "--template=", "--object-format=\(format)"])
    let fetch = [
      "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
      "--no-auto-gc", "--", address, "+\(id):\(reference(id))",
    ]
    do throws(SignetError) { _ = try git.output(fetch) } catch  where error.code == .gitFailed {
      throw SignetError(
        .gitFailed, address.display, "has not given the commit", expected: id, found: error.found,
        hint: "check the address, and that the repository has a commit with this ID")
    }
    guard try git.commit(reference(id))?.isExactly(id) ?? false else { throw otherCommit(id, address) }
    let lock = isReplacing ? try lock(folder) : nil
    defer { withExtendedLifetime(lock) {} }
    // Another installation may have put it right meanwhile, and is reading it.
    if isReplacing, try isThere(place),
      (try? check(id, in: GitProgram(bare: place, patience, variable), at: place)) != nil
    {
      return
    }
    do throws(SystemFailure) {
      // A name must not lead to files that an end of power takes.
      try folder.syncFileSystem()
      if isReplacing { try folder.removeTree(named: name) }
      // Another installation may have been quicker.
      _ = try draft.publish(to: place)
    } catch {
      throw SignetError(.outputFailed, place, "cannot be written", cause: error)
    }
  }

  private static let lockName = ".lock"
  /// A minute in milliseconds: another installation checks a repository and removes it meanwhile.
  private static let patience = 60_000

  /// Keeps others from replacing repositories in a folder as long as the value lives.
  private static func lock(_ folder: Directory) throws(SignetError) -> LockFile {
    let path = "\(folder.path)/\(lockName)"
    do throws(SystemFailure) {
      let lock = try LockFile(lockName, in: folder, isMade: true)
      if try lock.take(.exclusive, patience: patience) { return lock }
    } catch { throw SignetError(.outputFailed, path, "cannot be locked", cause: error) }
    throw SignetError(
      .fileLocked, path, "is locked by another process",
      hint: "run the command again when the other process has finished")
  }

  private static func otherCommit(_ id: String, _ address: String) -> SignetError {
    SignetError(
      .gitCommit, address.display, "has not given the commit", expected: id,
      hint: "compare the ID with the repository's: a tag has another ID than its commit")
  }
}
