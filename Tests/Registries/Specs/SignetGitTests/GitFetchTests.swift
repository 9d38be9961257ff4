import Foundation
import SignetArchive
import SignetBase
import SignetGit
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SpecsTestSupport

@Suite struct GitFetchTests {
  private let cache: TemporaryFolder

  init() throws { cache = try TemporaryFolder(inMemory: true) }

  private func fetch(
    _ id: String, of address: String, isOffline: Bool = false, _ environment: [String: String] = [:]
  ) throws -> GitProgram? {
    try GitFetch.commit(id, of: address, keptAt: cache.file(id), isOffline: isOffline) {
      environment[$0] ?? ProcessInfo.processInfo.environment[$0]
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
    #expect(!FileManager.default.fileExists(atPath: cache.file("\(second)/hooks")))
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

  @Test("what an ended fetch has left is removed, and spoils nothing")
  func leftovers() throws {
    let repository = try GitRepository()
    try repository.folder.write("file", [])
    let commit = try repository.commit()
    let unknown = String(repeating: "7", count: 40)
    expectError(.gitFailed) { _ = try fetch(unknown, of: repository.path) }
    #expect(try cache.listing() == [])
    let left = cache.file(".signet-left.draft")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    for name in ["shallow.lock", "HEAD.lock", "config.lock"] { try cache.write(".signet-left.draft/\(name)", []) }
    #expect(try fetch(commit, of: repository.path) != nil)
    #expect(try cache.listing() == [commit])
  }

  @Test("eight that fetch the same commit at once all have it")
  func together() async throws {
    let repository = try GitRepository()
    try repository.folder.write("file", [])
    let (commit, path, cache) = (try repository.commit(), repository.path, cache.path)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try GitFetch.commit(commit, of: path, keptAt: "\(cache)/\(commit)", isOffline: false) {
            ProcessInfo.processInfo.environment[$0]
          } != nil
        }
      }
      for try await isThere in group { #expect(isThere) }
    }
    #expect(try self.cache.listing() == [commit])
  }

  @Test("a damaged repository that another one has put right meanwhile is not removed under it")
  func repaired() throws {
    let repository = try GitRepository()
    try repository.folder.write("file", Array("one".utf8))
    let commit = try repository.commit()
    #expect(try fetch(commit, of: repository.path) != nil)
    let damage = try Shell.run("rm -rf objects", in: cache.file(commit))
    #expect(damage.status == 0)
    // Git's environment is asked for twice: to look at what is there, and to fetch.
    var asked = 0
    var other: FileStatus.Identity?
    _ = try GitFetch.commit(commit, of: repository.path, keptAt: cache.file(commit), isOffline: false) { name in
      if name == "PATH" { asked += 1 }
      if name == "PATH", asked == 2 {
        _ = try? fetch(commit, of: repository.path)
        other = try? FileStatus(at: cache.file(commit)).identity
      }
      return ProcessInfo.processInfo.environment[name]
    }
    #expect(try other != nil && FileStatus(at: cache.file(commit)).identity == other)
    #expect(try fetch(commit, of: "", isOffline: true) != nil)
  }

  @Test("no server gets a password of the user's .netrc")
  func passwords() throws {
    let python = try #require(Program.find("python3"), "make test installs Python")
    let script = """
      import http.server, os, sys, threading
      class Server(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              print(self.headers.get("Authorization"), flush=True)
              self.send_response(401); self.send_header("WWW-Authenticate", "Basic realm=x")
              self.send_header("Content-Length", "0"); self.end_headers()
          def log_message(self, *_): pass
      # It ends with its input, since the tests' processes block signals.
      threading.Thread(target=lambda: (sys.stdin.read(), sys.stdout.flush(), os._exit(0))).start()
      server = http.server.HTTPServer(("127.0.0.1", 0), Server)
      print(server.server_port, flush=True)
      server.serve_forever()
      """
    let home = try TemporaryFolder()
    try home.write(".netrc", Array("machine 127.0.0.1 login somebody password secret\n".utf8))
    let server = Process()
    let (input, output) = (Pipe(), Pipe())
    server.executableURL = URL(fileURLWithPath: python)
    server.arguments = ["-c", script]
    server.standardInput = input
    server.standardOutput = output
    try server.run()
    var port = ""
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      port += String(decoding: byte, as: UTF8.self)
    }
    let commit = String(repeating: "7", count: 40)
    expectError(.gitFailed) { _ = try fetch(commit, of: "http://127.0.0.1:\(port)/x", ["HOME": home.path]) }
    try input.fileHandleForWriting.close()
    let asked = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(!asked.isEmpty && Set(asked.split(separator: "\n")) == ["None"], "\(asked)")
  }
}
