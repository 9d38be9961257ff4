import Foundation
import SignetGit
import SignetSystem
import TestSupport

/// A repository of git for a test.
final class GitRepository {
  let folder: TemporaryFolder
  var path: String { folder.path }
  var git: GitProgram { GitProgram(in: path) { ProcessInfo.processInfo.environment[$0] } }

  init(format: String = "sha1") throws {
    folder = try TemporaryFolder(inMemory: true)
    try run(
      "git init -q --object-format=\(format) . && git config user.name Ada && git config user.email ada@example.com")
  }

  /// Runs a command in the repository, and gives what it prints.
  @discardableResult
  func run(_ command: String) throws -> String {
    let program = try Shell.run(command, in: path)
    guard program.status == 0 else { throw Failure(text: "\(command): \(program.errors)") }
    return program.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Commits what is there, and gives the ID.
  func commit() throws -> String {
    try run("git add -A -f . && git -c core.autocrlf=false commit -qm all && git rev-parse HEAD")
  }

  struct Failure: Error { let text: String }
}
