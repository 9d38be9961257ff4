package import ModuleSpec
package import SignetBase
package import SignetGit
internal import SignetSystem

/// The checkout of a release: the commit that its spec names, with its tag, and nothing else in the tracked files.
///
/// The spec itself may differ from the commit, because no commit can hold its own ID.
package struct PackagedCheckout {
  /// The working tree.
  package let checkout: GitCheckout
  /// The spec.
  package let spec: ModuleSpec
  /// The bytes of the spec, which are read once.
  package let text: [UInt8]
  /// The name of the spec's file.
  package let fileName: String
  /// The address of the repository, as the spec has it.
  package let repository: String
  /// The tag, which is the version.
  package let tag: String

  /// Looks at the checkout that a spec is in.
  ///
  /// - Parameters:
  ///   - path: the spec.
  ///   - variable: gives the value of a variable of the process's environment.
  /// - Throws: `spec.…`, `file.…`; `package.spec` for a spec without a source; `package.commit`, `package.not-clean`;
  ///   `git.…`.
  package init(ofSpec path: String, _ variable: (String) -> String?) throws(SignetError) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    fileName = slash.map { String(decoding: path.utf8[$0...].dropFirst(), as: UTF8.self) } ?? path
    text = try RegularFile(opening: path).bytes(limit: ModuleSpec.sizeLimit)
    do throws(SignetError) { spec = try ModuleSpec(json: text) } catch {
      throw error.about("\(path), \(error.object)")
    }
    guard let source = spec.source, let commit = source.commit, let tag = source.tag else {
      throw SignetError(
        .packageSpec, path, "does not say what the release is built from",
        expected: "a source with git, tag and commit",
        hint: "see what is missing: signet spec lint SPEC")
    }
    (repository, self.tag) = (source.git, tag)
    checkout = try GitCheckout(at: folder, variable)
    guard checkout.commit.isExactly(commit) else {
      throw SignetError(
        .packageCommit, path, "names another commit than the one that is checked out", expected: commit.display,
        found: checkout.commit,
        hint:
          "check out the commit of the release: git checkout \(tag.display); or, if the one that is checked out is "
          + "right, correct source.commit in the spec")
    }
    let tagged = try checkout.commit(ofTag: tag)
    guard let tagged, tagged.isExactly(commit) else {
      throw SignetError(
        .packageCommit, path, "names a tag that is not at its commit", expected: "\(tag.display) at \(commit)",
        found: tagged ?? "no such tag", hint: "fetch the tags, or correct source.tag")
    }
    let changes = try checkout.changes(except: checkout.prefix + fileName)
    guard changes.isEmpty else {
      throw SignetError(
        .packageNotClean, folder, "has files that are not those of the commit",
        expected: "a checkout without changes",
        found: changes.prefix(5).map(\.display).joined(separator: ", ") + (changes.count > 5 ? ", …" : ""),
        hint: "commit the changes and tag the commit, or put the files back")
    }
  }

  /// The path of the spec from the root of the repository.
  package var specPath: String { checkout.prefix + fileName }
}
