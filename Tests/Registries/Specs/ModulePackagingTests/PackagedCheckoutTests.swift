import Foundation
import SignetBase
import SignetGit
import TestSupport
import Testing

@testable import ModulePackaging
@testable import SpecsTestSupport

/// What a release is built from: the commit that its spec names.
@Suite struct PackagedCheckoutTests {
  private func checkout(_ repository: GitRepository) throws -> PackagedCheckout {
    try PackagedCheckout(ofSpec: repository.folder.file("Player.modspec.json")) {
      ProcessInfo.processInfo.environment[$0]
    }
  }

  private func write(_ repository: GitRepository, _ source: String) throws {
    try repository.folder.write(
      "Player.modspec.json",
      Array(
        """
        {"name": "Player", "version": "1.0.0", "summary": "It plays."\(source)}
        """.utf8))
  }

  /// A repository with one commit that has the tag 1.0.0, and a spec that names it.
  private func released() throws -> (repository: GitRepository, commit: String) {
    let repository = try GitRepository()
    try repository.folder.write("a.c", [1])
    try write(repository, "")
    let commit = try repository.commit()
    try repository.run("git tag 1.0.0")
    try write(repository, source(commit))
    return (repository, commit)
  }

  private func source(_ commit: String, tag: String = "1.0.0") -> String {
    ", \"source\": {\"git\": \"https://example.com/player.git\", \"tag\": \"\(tag)\", \"commit\": \"\(commit)\"}"
  }

  @Test("The spec alone may differ from its commit")
  func checkout() throws {
    let (repository, commit) = try released()
    let found = try checkout(repository)
    #expect(found.checkout.commit == commit)
    #expect(found.tag == "1.0.0")
    #expect(found.repository == "https://example.com/player.git")
    #expect(found.specPath == "Player.modspec.json")
  }

  @Test("A spec without a source, and one of another commit or without its tag, are refused")
  func otherCommit() throws {
    let (repository, commit) = try released()
    try write(repository, "")
    expectError(.packageSpec) { _ = try checkout(repository) }
    try write(repository, source(String(repeating: "0", count: 40)))
    let other = try #require(expectError(.packageCommit) { _ = try checkout(repository) })
    #expect(other.found == commit)
    try write(repository, source(commit, tag: "2.0.0"))
    let untagged = try #require(expectError(.packageCommit) { _ = try checkout(repository) })
    #expect(untagged.found == "no such tag")
  }

  @Test("A file that is not the commit's is refused, and named")
  func changed() throws {
    let (repository, _) = try released()
    try repository.folder.write("a.c", [2])
    let error = try #require(expectError(.packageNotClean) { _ = try checkout(repository) })
    #expect(error.found?.contains("a.c") == true)
  }
}
