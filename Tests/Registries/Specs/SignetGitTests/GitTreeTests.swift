import Foundation
import SignetArchive
import SignetBase
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SignetGit
@testable import SpecsTestSupport

@Suite struct GitTreeTests {
  private static let limits = ArchiveLimits()

  /// Writes a commit into a new folder.
  private static func export(
    _ commit: String, of repository: GitRepository, _ limits: ArchiveLimits = limits
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(inMemory: true)
    let tree = try GitTree(of: commit, in: repository.git, limits)
    try tree.write(into: Directory(opening: folder.path), from: repository.git, limits)
    return folder
  }

  @Test("a commit is written byte for byte: no attribute, filter or line end of git changes it")
  func bytes() throws {
    let repository = try GitRepository()
    try repository.folder.write(
      ".gitattributes", Array("crlf text eol=crlf\nsubst export-subst\nleft export-ignore\nfilter filter=f\n".utf8))
    try repository.folder.write("crlf", Array("a\nb\n".utf8))
    try repository.folder.write("subst", Array("$Format:%H$\n".utf8))
    try repository.folder.write("left", [])
    try repository.folder.write("filter", Array("plain".utf8))
    try repository.run("mkdir -p a/b && printf '\\0\\n\\377' > a/b/binary && printf '#!' > a/run && chmod 755 a/run")
    let commit = try repository.commit()
    // A filter of the repository's own configuration would change the file, and leave a trace.
    try repository.run("git config filter.f.smudge 'touch \(repository.path)/ran; tr a-z A-Z'")
    let folder = try Self.export(commit, of: repository)
    #expect(try folder.read("crlf") == Array("a\nb\n".utf8))
    #expect(try folder.read("subst") == Array("$Format:%H$\n".utf8))
    #expect(try folder.read("filter") == Array("plain".utf8))
    #expect(try folder.read("left") == [])
    #expect(try folder.read("a/b/binary") == [0, 0x0a, 0xff])
    #expect(try FileStatus(at: folder.file("a/run")).mode & 0o777 == 0o755)
    #expect(try FileStatus(at: folder.file("crlf")).mode & 0o777 == 0o644)
    #expect(!FileManager.default.fileExists(atPath: repository.folder.file("ran")))
  }

  @Test("a line that is none, and a name that is not UTF-8, are told apart")
  func lines() throws {
    func reason(_ line: [UInt8]) -> SignetError? {
      guard case .refused(let error) = GitTree.entry(line)?.kind else { return nil }
      return error
    }
    let id = String(repeating: "7", count: 40)
    let head = "100644 blob \(id)       1\t"
    #expect(GitTree.entry(Array("\(head)a b".utf8))?.path == "a b")
    let name = reason(Array(head.utf8) + [0xff])
    #expect(name?.code == .gitTree && name?.message == "is in the commit, and its name is not UTF-8")
    for line in ["100644 blob \(id)\ta", "100644 blob \(id) 1 2\ta", "\(head)", "100644 blob \(id) 1", "a"] {
      let error = reason(Array(line.utf8))
      #expect(error?.code == .gitTree, "\(line)")
      #expect(error?.message == "is listed by git in a form that Signet does not know", "\(line)")
      #expect(error?.found == line.display)
    }
  }

  @Test("a part is taken of a commit with what a module cannot have elsewhere, and is refused for what it has itself")
  func part() throws {
    let repository = try GitRepository()
    try repository.run(
      "mkdir -p a b/A b/a && echo x > a/code.c && echo 1 > b/A/x && echo 2 > b/a/X && echo 3 > b/$(printf '\\377') && git init -q b/sub"
    )
    try repository.run("cd b/sub && git -c user.name=A -c user.email=a@b commit -q --allow-empty -m x")
    let commit = try repository.commit()
    let tree = try GitTree(listing: commit, in: repository.git)
    let part = tree.part(below: "a") { $0.hasSuffix(".c") }
    try part.check(Self.limits)
    #expect(part.entries.map(\.path) == ["code.c"])
    expectError(.gitTree) { _ = try GitTree(of: commit, in: repository.git, Self.limits) }
    for wanted in ["A/x a/X", "sub", "\u{FFFD}"] {
      let part = tree.part(below: "b") { wanted.contains($0) }
      #expect(!part.entries.isEmpty, "\(wanted)")
      expectError(.gitTree, "\(wanted)") { try part.check(Self.limits) }
    }
  }

  @Test("files larger than a pipe come whole, and empty ones between them do not confuse the reader")
  func sizes() throws {
    let repository = try GitRepository()
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    try repository.folder.write("a", [])
    try repository.folder.write("b", large)
    try repository.folder.write("c", [])
    try repository.folder.write("d", Array("\n\n".utf8))
    let folder = try Self.export(repository.commit(), of: repository)
    #expect(try folder.read("a") == [] && folder.read("b") == large)
    #expect(try folder.read("c") == [] && folder.read("d") == Array("\n\n".utf8))
    #expect(try folder.listing() == ["a", "b", "c", "d"])
  }

  @Test("a link that stays inside is written, and one that leads out is refused before anything is written")
  func links() throws {
    let repository = try GitRepository()
    try repository.run("mkdir a && echo x > x && ln -s ../x a/in")
    let folder = try Self.export(repository.commit(), of: repository)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("a/in")) == "../x")
    for target in ["../../x", "/etc/passwd", "a/../../x", ""] {
      let blob = try repository.run("printf %s '\(target)' | git hash-object -w --stdin")
      let tree = try repository.run("printf '120000 blob \(blob)\\tout\\n' | git mktree")
      let commit = try repository.run("git commit-tree \(tree) -m m")
      let folder = try TemporaryFolder(inMemory: true)
      expectError(.gitTree, "\(target)") {
        try GitTree(of: commit, in: repository.git, Self.limits)
          .write(into: Directory(opening: folder.path), from: repository.git, Self.limits)
      }
      #expect(try folder.listing() == [], "\(target)")
    }
  }

  @Test(
    "a name that leads out, hides a repository or means two things is refused",
    arguments: ["..", ".", ".git", ".GIT", "GIT~1", "a\\\\b", "con", "x:y", "a\u{202e}b"])
  func names(_ name: String) throws {
    let repository = try GitRepository()
    let blob = try repository.run("echo x | git hash-object -w --stdin")
    let tree = try repository.run("printf '100644 blob \(blob)\\t\(name)\\0' | git mktree -z")
    let outer = try repository.run("printf '040000 tree \(tree)\\tdir\\n' | git mktree")
    let commit = try repository.run("git commit-tree \(outer) -m m")
    expectError(.gitTree) { _ = try GitTree(of: commit, in: repository.git, Self.limits) }
  }

  @Test("names that differ only by case, submodules and too much are refused")
  func others() throws {
    let repository = try GitRepository()
    let blob = try repository.run("echo x | git hash-object -w --stdin")
    func commit(_ lines: String) throws -> String {
      let tree = try repository.run("printf '\(lines)' | git mktree --missing")
      return try repository.run("git commit-tree \(tree) -m m")
    }
    let twice = try commit("100644 blob \(blob)\\tA\\n100644 blob \(blob)\\ta\\n")
    expectError(.gitTree) { _ = try GitTree(of: twice, in: repository.git, Self.limits) }
    let submodule = try commit("160000 commit \(String(repeating: "1", count: 40))\\tsub\\n")
    let error = expectError(.gitTree) { _ = try GitTree(of: submodule, in: repository.git, Self.limits) }
    #expect(error?.object == "sub" && error?.message == "is a submodule, which is not fetched")
    let two = try commit("100644 blob \(blob)\\ta\\n100644 blob \(blob)\\tb\\n")
    var limits = ArchiveLimits()
    limits.entries = 1
    expectError(.gitTree) { _ = try GitTree(of: two, in: repository.git, limits) }
    limits = ArchiveLimits()
    limits.totalSize = 3
    expectError(.gitTree) { _ = try GitTree(of: two, in: repository.git, limits) }
    #expect(try GitTree(of: two, in: repository.git, Self.limits).entries.map(\.path) == ["a", "b"])
  }

  @Test("a commit that is not there, and a git that is not there, have codes of their own")
  func missing() throws {
    let repository = try GitRepository()
    expectError(.gitFailed) {
      _ = try GitTree(of: String(repeating: "1", count: 40), in: repository.git, Self.limits)
    }
    expectError(.gitCommit) { _ = try GitCheckout(at: repository.path) { ProcessInfo.processInfo.environment[$0] } }
  }
}
