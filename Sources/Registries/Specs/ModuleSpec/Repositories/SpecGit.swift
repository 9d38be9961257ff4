package import SignetBase
package import SignetGit
internal import SignetProcesses
internal import SignetSystem

/// The program git, by which a user fetches repositories of specs and pushes to them: with the user's keys and settings.
///
/// Nothing of a repository is executed: there are no hooks, no checkout, so no filters, and no submodules. It asks
/// nobody, and speaks only the protocols file, https and ssh.
public struct SpecGit: Sendable {
  private let variable: @Sendable (String) -> String?

  /// - Parameter variable: gives the value of a variable of the user's environment.
  public init(_ variable: @escaping @Sendable (String) -> String?) { self.variable = variable }

  /// The most bytes that git may print: what a repository of specs may have.
  private static let outputLimit = 300 << 20

  /// Runs git.
  ///
  /// - Parameters:
  ///   - arguments: its arguments. What comes from outside stands after `--`, or is checked.
  ///   - folder: the git directory; nil for none.
  ///   - object: what messages name.
  /// - Returns: what it printed.
  /// - Throws: `spec-repo.git`.
  @discardableResult
  func run(
    _ arguments: [String], in folder: String? = nil, about object: String, input: [UInt8] = [],
    adding added: [String: String] = [:]
  ) throws(SignetError) -> [UInt8] {
    let ended = try result(arguments, in: folder, about: object, input: input, adding: added)
    guard ended.status == 0 else {
      // The last line says most; those before it may be a server's.
      throw SignetError(
        .specRepositoryGit, object, "git \(arguments.first ?? "") has failed",
        found: ended.wasTooLong
          ? "more than \(Self.outputLimit) bytes"
          : ended.lastWords.isEmpty ? "status \(ended.status)" : GitProgram.lastLine(ended.lastWords),
        hint: "look whether git itself can reach the repository, without asking for anything")
    }
    return ended.output
  }

  /// Runs git, and says how it ended.
  ///
  /// - Throws: `spec-repo.git` if it cannot be started.
  func result(
    _ arguments: [String], in folder: String? = nil, about object: String, input: [UInt8] = [],
    adding added: [String: String] = [:]
  ) throws(SignetError) -> ChildProgram.Result {
    do throws(SignetError) {
      return try GitProgram(ofUser: folder, variable)
        .result(arguments, input: input, adding: added, limit: Self.outputLimit)
    } catch {
      let isMissing = error.code == .gitMissing
      throw SignetError(
        .specRepositoryGit, object, isMissing ? "git cannot be started" : "git cannot be run to its end",
        cause: isMissing ? error.cause : error, hint: isMissing ? "install git, and look at PATH" : nil)
    }
  }

  /// The specs of a commit.
  ///
  /// - Throws: `spec-repo.git` if git cannot read them; what reading a ``SpecTree`` throws.
  func specs(of commit: String, in folder: String, about object: String) throws(SignetError) -> SpecTree {
    do throws(SignetError) {
      return try SpecTree(of: commit, in: GitProgram(ofUser: folder, variable), called: object)
    } catch  where Set.aboutGit.contains(error.code) {
      throw SignetError(
        .specRepositoryGit, object, "has a commit that git cannot read", expected: error.expected, found: error.found,
        cause: error, hint: "remove the repository and add it again")
    }
  }

  /// The lines of a text that git printed.
  static func lines(_ output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension SpecTree {
  /// Reads the specs of a commit.
  ///
  /// - Parameters:
  ///   - commit: the full ID.
  ///   - git: the repository.
  ///   - place: the repository's name, for messages.
  ///   - leaveOut: is told why a spec is left out that cannot be read. Without it such a spec is an error.
  /// - Throws: what ``init(_:of:leavingOut:read:)`` throws; `git.…`.
  package init(
    of commit: String, in git: GitProgram, called place: String, leavingOut leaveOut: ((SignetError) -> Void)? = nil
  ) throws(SignetError) {
    let tree = try GitTree(listing: commit, in: git)
    var entries: [[UInt8]: GitTree.Entry] = [:]
    for entry in tree.entries { entries[Array(entry.path.utf8)] = entry }
    let items = tree.entries.map { entry in
      Item(path: Array(entry.path.utf8), kind: entry.isFile ? .file(size: entry.size) : .other)
    }
    try self.init(items, of: place, leavingOut: leaveOut) { (paths) throws(SignetError) in
      try GitTree.bytes(of: paths.compactMap { entries[$0] }, from: git)
    }
  }
}
