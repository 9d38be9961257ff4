import Foundation
import SignetArchive
import SignetBase
import SignetGit
import SignetSystem
import TestSupport
import Testing

@Suite struct GitFetchTests {
  private let cache: TemporaryFolder

  init() throws { cache = try TemporaryFolder(inMemory: true) }

  private func fetch(_ id: String, of address: String, isOffline: Bool = false) throws -> GitProgram? {
    let place = cache.file("repository")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    return try GitFetch.commit(id, of: address, keptAt: place, isOffline: isOffline) {
      ProcessInfo.processInfo.environment[$0]
    }
  }

  @Test("a commit is fetched once, without history, tags and hooks", arguments: ["sha1", "sha256"])
  func once(format: String) throws {
    let repository = try GitRepository(format: format)
    try repository.folder.write("file", Array("one".utf8))
    let first = try repository.commit()
    try repository.folder.write("file", Array("two".utf8))
    let second = try repository.commit()
    try repository.run("git tag v1")
    #expect(try fetch(second, of: repository.path, isOffline: true) == nil)
    let git = try #require(try fetch(second, of: repository.path))
    let tree = try GitTree(of: second, in: git, ArchiveLimits())
    #expect(try tree.bytes(of: "file", from: git, limit: 3) == Array("two".utf8))
    #expect(try tree.bytes(of: "other", from: git, limit: 3) == nil)
    expectError(.gitTree) { _ = try tree.bytes(of: "file", from: git, limit: 2) }
    #expect(try git.commit(first) == nil && git.commit("v1") == nil)
    #expect(!FileManager.default.fileExists(atPath: cache.file("repository/hooks")))
    // The repository may be gone: nobody is asked again.
    try FileManager.default.removeItem(atPath: repository.path)
    #expect(try fetch(second, of: repository.path) != nil && fetch(second, of: "", isOffline: true) != nil)
  }

  @Test("what is no commit of the repository is refused")
  func others() throws {
    let repository = try GitRepository()
    try repository.folder.write("file", [])
    _ = try repository.commit()
    let tag = try repository.run("git tag -a -m t v1 && git rev-parse v1")
    expectError(.gitCommit) { _ = try fetch(tag, of: repository.path) }
    let tree = try repository.run("git rev-parse 'HEAD^{tree}'")
    expectError(.gitCommit) { _ = try fetch(tree, of: repository.path) }
    let unknown = String(repeating: "7", count: 40)
    let error = expectError(.gitFailed) { _ = try fetch(unknown, of: repository.path) }
    #expect(error?.object == repository.path)
    expectError(.gitFailed) { _ = try fetch(unknown, of: repository.path + "/nowhere") }
    // An address is never an option.
    expectError(.gitFailed) { _ = try fetch(unknown, of: "--upload-pack=touch \(cache.file("owned"))") }
    expectError(.gitFailed) { _ = try fetch(unknown, of: "ext::touch \(cache.file("owned"))") }
    #expect(!FileManager.default.fileExists(atPath: cache.file("owned")))
  }

  @Test("a repository whose objects are unsound is refused")
  func unsound() throws {
    let repository = try GitRepository()
    let blob = try repository.run("echo x | git hash-object -w --stdin")
    let inner = try repository.run("printf '100644 blob \(blob)\\tconfig\\n' | git mktree")
    let tree = try repository.run("printf '040000 tree \(inner)\\t.git\\n' | git mktree")
    let commit = try repository.run("git commit-tree \(tree) -m m")
    try repository.run("git update-ref refs/heads/main \(commit)")
    expectError(.gitFailed) { _ = try fetch(commit, of: repository.path) }
  }
}
