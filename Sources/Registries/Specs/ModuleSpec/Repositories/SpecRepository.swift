public import Signet
public import SignetBase
internal import SignetCrypto
internal import SignetProcesses
internal import SignetSystem

/// A repository of specs that this user has added.
public struct SpecRepository: Sendable {
  /// The name by which it was added.
  public let name: String
  /// Where it is.
  public let place: SpecPlace
  /// The folder with what is known of it.
  let folder: String
  let git: SpecGit

  static let placeName = "place"
  static let knownName = "known"
  private static let pushedName = "pushed"
  private static let cloneName = "git"
  /// What was fetched and is not looked at yet.
  private static let incoming = "refs/incoming/head"

  /// How a push ended.
  public enum Push: Sendable {
    /// The spec was published.
    case pushed
    /// The version was there with the same bytes, and got this signature.
    case signed
    /// The version was there with the same bytes.
    case present
  }

  private var clone: String { "\(folder)/\(Self.cloneName)" }
  private var knownPath: String { "\(folder)/\(Self.knownName)" }
  private var pushedPath: String { "\(folder)/\(Self.pushedName)" }

  /// How many specs it had when it was last looked at, and those that were pushed from here since.
  ///
  /// - Throws: `spec-repo.malformed`, `file.…`.
  public func count() throws(SignetError) -> Int { try known().count(with: pushed()) }

  private func known() throws(SignetError) -> SpecDigests {
    try SpecDigests(
      Directory(opening: folder).file(Self.knownName).bytes(limit: SpecDigests.sizeLimit), knownPath)
  }

  /// The specs that were pushed from here since the repository was last looked at.
  private func pushed() throws(SignetError) -> SpecDigests {
    do throws(SignetError) {
      return try SpecDigests(
        Directory(opening: folder).file(Self.pushedName).bytes(limit: SpecDigests.sizeLimit), pushedPath)
    } catch  where error.code == .fileMissing {
      return try SpecDigests([], pushedPath)
    }
  }

  /// Looks at the repository for the first time, in a folder that is its own.
  func begin(verifiedBy verifier: Verifier?) throws(SignetError) -> SpecTree {
    if case .git(let address) = place {
      try git.run(
        ["clone", "--bare", "--quiet", "--single-branch", "--no-tags", "--template=", "--", address, clone],
        about: name)
    }
    let tree = try tree(at: "HEAD")
    if let verifier { try tree.verify(by: verifier, of: name) }
    try OutputFile.write(Array(place.line.utf8), to: "\(folder)/\(Self.placeName)", .keep)
    try OutputFile.write(SpecDigests(tree).text, to: knownPath, .keep)
    return tree
  }

  /// Looks at the repository again.
  ///
  /// - Parameter verifier: who must have signed each spec; nil to look at no signature.
  /// - Returns: what has changed since the last time, and how many specs there are.
  /// - Throws: `spec-repo.…`, `spec.malformed`, `spec.unknown-field`; then the repository stays as it was.
  public func update(verifiedBy verifier: Verifier?) throws(SignetError) -> (changes: [SpecChange], count: Int) {
    let old = try known()
    let branch = try fetch()
    let tree = try tree(at: branch == nil ? "HEAD" : Self.incoming)
    if let verifier { try tree.verify(by: verifier, of: name) }
    if let branch { try git.run(["update-ref", "--", branch, Self.incoming], in: clone, about: name) }
    let new = SpecDigests(tree)
    try OutputFile.write(new.text, to: knownPath, .replace(unless: []))
    try OutputFile.remove(pushedPath)
    return (old.changes(to: new), new.count)
  }

  /// Publishes a spec. A version keeps its bytes.
  ///
  /// - Parameters:
  ///   - spec: the spec that was read from `bytes`.
  ///   - signing: signs the spec, whose bundle is put beside it; nil for no signature. A version that is there without a
  ///     signature by this key gets one more.
  /// - Throws: `spec-repo.version-taken` if the version has other bytes; `spec-repo.…`; `output.…`.
  public func push(_ spec: ModuleSpec, _ bytes: [UInt8], signing: SpecSigning?) throws(SignetError) -> Push {
    let path = SpecTree.path(of: spec.name, spec.version)
    // Two signers at once: the second adds to what the first has written.
    let lock = signing == nil ? nil : try lock(path)
    defer { withExtendedLifetime(lock) {} }
    let branch = try fetch()
    let tree = try tree(at: branch == nil ? "HEAD" : Self.incoming)
    if let there = tree.releases.first(where: {
      $0.name.isExactly(spec.name) && "\($0.version)".isExactly("\(spec.version)")
    }) {
      guard there.spec == bytes else {
        throw SignetError(
          .specRepositoryVersionTaken, "\(name)/\(path)", "is there with other bytes",
          expected: "the bytes that were published", hint: "raise the version: a version keeps its bytes for ever")
      }
      guard let files = try signing?.files(for: there) else { return .present }
      switch place {
      case .folder(let folder):
        for file in files { try OutputFile.write(file.bytes, to: "\(folder)/\(file.path)", .replace(unless: [])) }
      case .git(let address): try commit(files, on: branch, "Sign \(spec.name) \(spec.version)", address)
      }
      return .signed
    }
    var files: [NewFile] = [(path, bytes)]
    if let signing { files.append(try signing.file(for: spec, bytes)) }
    switch place {
    case .folder(let folder): try Self.write(files, to: folder, spec)
    case .git(let address): try commit(files, on: branch, "Add \(spec.name) \(spec.version)", address)
    }
    // No list has it before somebody has looked at it, perhaps under a policy. But it is counted.
    let new = try pushed().adding(spec.name, spec.version, Digest.of(bytes, .sha256))
    try OutputFile.write(new.text, to: pushedPath, .replace(unless: []))
    return .pushed
  }

  // MARK: Reading

  private func tree(at revision: String) throws(SignetError) -> SpecTree {
    switch place {
    case .folder(let path): return try Self.tree(inFolder: path, name)
    case .git: return try tree(of: revision)
    }
  }

  private static func tree(inFolder path: String, _ name: String) throws(SignetError) -> SpecTree {
    let folder: Directory
    let scan: DirectoryScan
    do throws(SignetError) {
      folder = try Directory(opening: path)
      scan = try DirectoryScan(
        folder, limits: DirectoryScan.Limits(entries: SpecTree.itemLimit, pathLength: 1024, depth: 16),
        leavesOutHidden: true)
    } catch  where [.directoryEntryCount, .pathBounds].contains(error.code) {
      throw SignetError(
        .specRepositoryBounds, name, "is larger than a repository of specs may be", cause: error,
        hint: "ask the owner of the repository")
    }
    let items = scan.entries.map { entry in
      let kind: SpecTree.Item.Kind =
        switch entry.status.kind {
        case .directory: .folder
        case .regular: .file(size: entry.status.size)
        default: .other
        }
      return SpecTree.Item(path: entry.path, kind: kind)
    }
    let entries = Dictionary(scan.entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return try SpecTree(items, of: name) { (paths) throws(SignetError) in
      var texts: [[UInt8]] = []
      for path in paths {
        guard let entry = entries[path] else { continue }
        texts.append(try folder.file(entry).bytes(limit: max(ModuleSpec.sizeLimit, SpecTree.bundleLimit)))
      }
      return texts
    }
  }

  // MARK: Git

  /// The branch that the repository began with.
  private func headBranch() throws(SignetError) -> String {
    let branch = SpecGit.lines(try git.run(["symbolic-ref", "HEAD"], in: clone, about: name)).first ?? ""
    guard branch.utf8.starts(with: "refs/heads/".utf8) else {
      throw SignetError(
        .specRepositoryGit, name, "has no branch", expected: "refs/heads/…", found: branch,
        hint: "remove the repository and add it again")
    }
    return branch
  }

  /// Fetches a repository of git.
  ///
  /// - Returns: the branch that was fetched; nil for a folder, and for a repository that has no commit yet.
  private func fetch() throws(SignetError) -> String? {
    guard case .git(let address) = place else { return nil }
    let branch = try headBranch()
    let there = try git.run(["ls-remote", "--heads", "--", address, branch], in: clone, about: name)
    guard !there.isEmpty else {
      // Only a repository that never had a commit may have none.
      guard try commit("HEAD") == nil else {
        throw SignetError(
          .specRepositoryGit, name, "no longer has its branch", expected: branch,
          hint: "ask the owner of the repository; if it has another branch now, remove it and add it again")
      }
      return nil
    }
    try git.run(
      [
        "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--", address,
        "+\(branch):\(Self.incoming)",
      ], in: clone, about: name)
    return branch
  }

  private func commit(_ revision: String) throws(SignetError) -> String? {
    let found = try git.result(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"], in: clone, about: name)
    return found.status == 0 ? SpecGit.lines(found.output).first : nil
  }

  private func tree(of revision: String) throws(SignetError) -> SpecTree {
    // A repository without a commit has no specs.
    guard let commit = try commit(revision) else {
      return try SpecTree([], of: name) { (_) throws(SignetError) in [] }
    }
    return try git.specs(of: commit, in: clone, about: name)
  }

  // MARK: Writing

  /// A file that is written, by its path in the repository.
  typealias NewFile = (path: String, bytes: [UInt8])

  /// Keeps others from signing a spec that is there; nil for a repository of git, which refuses the second of two pushes,
  /// and for a spec that is new.
  private func lock(_ path: String) throws(SignetError) -> AdvisoryLock? {
    guard case .folder(let folder) = place, case let spec = "\(folder)/\(path)",
      (try? FileStatus(ofLink: spec)) != nil
    else { return nil }
    return try AdvisoryLock(beside: spec)
  }

  private static func write(
    _ files: [NewFile], to folder: String, _ spec: ModuleSpec
  ) throws(SignetError) {
    let above = "\(folder)/\(spec.name)"
    do throws(SystemFailure) { _ = try Directory.make(above, mode: 0o755) } catch {
      throw SignetError(.outputFailed, above, "cannot be created", cause: error)
    }
    let names = files.map { file in
      (path: String(file.path.split(separator: "/").last ?? ""), bytes: file.bytes)
    }
    try NewDirectory.write(names, to: "\(above)/\(spec.version)")
  }

  /// Commits files without a working tree, and pushes the commit.
  ///
  /// - Parameter branch: the branch that was fetched; nil if the repository has no commit.
  private func commit(
    _ files: [NewFile], on branch: String?, _ text: String, _ address: String
  ) throws(SignetError) {
    // Two pushes at once have an index each.
    let index = "\(folder)/.index-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    defer { try? OutputFile.remove(index) }
    let variables = ["GIT_INDEX_FILE": index]
    let parent = try commit(branch == nil ? "HEAD" : Self.incoming)
    if let parent { try git.run(["read-tree", parent], in: clone, about: name, adding: variables) }
    for file in files {
      let object =
        SpecGit.lines(
          try git.run(
            ["hash-object", "-w", "--no-filters", "--stdin"], in: clone, about: name, input: file.bytes)
        ).first ?? ""
      let line = Array("100644 \(object)\t\(file.path)".utf8) + [0]
      try git.run(
        ["update-index", "-z", "--index-info"], in: clone, about: name, input: line, adding: variables)
    }
    let tree = SpecGit.lines(try git.run(["write-tree"], in: clone, about: name, adding: variables)).first ?? ""
    let message = Array("\(text)\n".utf8)
    let commit =
      SpecGit.lines(
        try git.run(
          ["commit-tree", tree] + (parent.map { ["-p", $0] } ?? []), in: clone, about: name, input: message)
      ).first ?? ""
    // Without force: who has pushed meanwhile is not undone.
    let branch = if let branch { branch } else { try headBranch() }
    try git.run(["push", "--quiet", "--no-verify", "--", address, "\(commit):\(branch)"], in: clone, about: name)
    try git.run(["update-ref", "--", branch, commit], in: clone, about: name)
  }
}
