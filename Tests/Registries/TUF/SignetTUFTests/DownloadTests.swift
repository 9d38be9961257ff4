import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct DownloadTests {
  private static let content = Array("target file contents".utf8)

  private struct Place {
    let repository: SimulatedRepository
    let client: TestClient
    let folder: TemporaryFolder

    init(_ prepare: (SimulatedRepository) throws -> Void) throws {
      repository = try SimulatedRepository()
      try prepare(repository)
      try repository.publish("root", "targets", "snapshot", "timestamp")
      client = try TestClient(repository)
      folder = try TemporaryFolder(inMemory: true)
    }

    func download(_ path: String) throws -> String {
      let asked = client.client()
      let target = try #require(try asked.target(path))
      return try asked.download(target, to: folder.path)
    }
  }

  @Test("a target is fetched once, under its hash, and named by its whole path")
  func download() throws {
    let place = try Place { try $0.offer("path/to/a file?.txt", Self.content) }
    let path = try place.download("path/to/a file?.txt")
    #expect(path == place.folder.file("path%2Fto%2Fa%20file%3F.txt"))
    #expect(try place.folder.read("path%2Fto%2Fa%20file%3F.txt") == Self.content)
    let hex = try Digest.of(Self.content, .sha256).hex
    #expect(place.repository.targetServer.requests == ["path/to/\(hex).a%20file%3F.txt"])
    _ = try place.download("path/to/a file?.txt")
    #expect(place.repository.targetServer.requests.count == 1)
  }

  @Test("a file that others may write, or a link, is replaced though its bytes are the target's")
  func exchangeable() throws {
    let place = try Place { try $0.offer("file", Self.content) }
    let path = try place.download("file")
    try #require(chmod(path, 0o666) == 0)
    #expect(try place.download("file") == path)
    #expect(place.repository.targetServer.requests.count == 2)
    let elsewhere = try place.folder.write("elsewhere", Self.content)
    try remove(path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    #expect(try place.download("file") == path)
    #expect(place.repository.targetServer.requests.count == 3)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil)
    #expect(try place.folder.read("file") == Self.content)
  }

  @Test("without consistent snapshots the plain path is asked for")
  func plain() throws {
    let place = try Place {
      $0.root.consistentSnapshot = false
      try $0.offer("dir/file", Self.content)
    }
    _ = try place.download("dir/file")
    #expect(place.repository.targetServer.requests == ["dir/file"])
  }

  @Test(
    "a target with other bytes, or of another length, is refused, and nothing of it stays",
    arguments: [
      (0, SignetError.Code.tufHashMismatch), (1, .tufTooLong), (-1, .tufTooShort), (1_000_000, .tufTooLong),
    ])
  func wrong(extra: Int, code: SignetError.Code) throws {
    let place = try Place { try $0.offer("file", Self.content) }
    let path = "\(try Digest.of(Self.content, .sha256).hex).file"
    let wrong = Self.content.dropLast() + [UInt8](repeating: 0, count: max(0, 1 + extra))
    place.repository.targetServer[path] = Array(wrong)
    try place.folder.write("file", [1, 2, 3])
    expectError(code) { _ = try place.download("file") }
    #expect(try place.folder.listing() == ["file"])
    #expect(try place.folder.read("file") == [1, 2, 3])
  }

  @Test("endless targets end at the stated length")
  func endless() throws {
    let place = try Place { try $0.offer("file", Self.content) }
    place.repository.targetServer.serveEndlessly("\(try Digest.of(Self.content, .sha256).hex).file")
    expectError(.tufTooLong) { _ = try place.download("file") }
  }

  @Test("all known hashes are checked, and one must be known")
  func hashes() throws {
    let sha256 = try Digest.of(Self.content, .sha256)
    let sha512 = try Digest.of(Self.content, .sha512)
    let other = try Digest.of([], .sha512)
    func file(_ entries: String) throws -> TargetFile {
      let json = "{\"length\":\(Self.content.count),\"hashes\":{\(entries)}}"
      return try TargetFile(path: "file", JSONReader.read(Array(json.utf8), limits: .payload))
    }
    func outcome(_ entries: String) throws {
      let place = try Place {
        $0.root.consistentSnapshot = false
        $0.targets.insert(try file(entries))
        $0.targetServer["file"] = Self.content
      }
      _ = try place.download("file")
    }
    try outcome("\"sha512\":\"\(sha512.hex)\"")
    try outcome("\"sha256\":\"\(sha256.hex)\",\"sha512\":\"\(sha512.hex)\"")
    try outcome("\"unknown\":\"00\",\"sha256\":\"\(sha256.hex)\"")
    expectError(.tufHashMismatch) { try outcome("\"sha256\":\"\(sha256.hex)\",\"sha512\":\"\(other.hex)\"") }
    expectError(.tufHashMismatch) { try outcome("\"sha256\":\"\(sha256.hex.dropLast())\"") }
    expectError(.tufUnknownHash) { try outcome("\"unknown\":\"\(sha256.hex)\"") }
    // With consistent snapshots the first hash that can be checked names the file.
    let both = try file("\"unknown\":\"00\",\"sha512\":\"\(sha512.hex)\",\"sha256\":\"\(sha256.hex)\"")
    #expect(try both.urlPath(isConsistent: true) == "\(sha512.hex).file")
    expectError(.tufUnknownHash) { _ = try file("\"unknown\":\"\(sha256.hex)\"").urlPath(isConsistent: true) }
  }

  @Test(
    "names that climb are refused before anything is fetched", arguments: ["../x", "a/../b", ".", "a/.", "", "a\0b"])
  func climbing(name: String) throws {
    let place = try Place { _ in }
    expectError(.tufTargetName) { _ = try place.client.client().target(name) }
    #expect(place.repository.server.requests.isEmpty)
  }

  @Test("names of dots, long names and absolute names stay in the folder", arguments: ["/x", "...", "~", "a//b"])
  func oddNames(name: String) throws {
    let place = try Place { try $0.offer(name, Self.content) }
    _ = try place.download(name)
    #expect(try place.folder.listing() == [PercentEncoding.fileName(name)])
  }

  @Test("a path that is longer than a file name is named by its digest")
  func longName() throws {
    let name = String(repeating: "directory/", count: 40) + "file"
    let place = try Place { try $0.offer(name, Self.content) }
    let path = try place.download(name)
    #expect(path == place.folder.file("sha256-\(try Digest.of(Array(name.utf8), .sha256).hex)"))
  }

  @Test("a repository in a directory is read, and not left")
  func directory() throws {
    let outer = try TemporaryFolder(inMemory: true)
    try FileManager.default.createDirectory(atPath: outer.file("inner/dir"), withIntermediateDirectories: true)
    try outer.write("secret", [7])
    try outer.write("inner/timestamp.json", [1, 2, 3])
    try outer.write("inner/dir/a b", [4])
    let source = try DirectorySource(outer.file("inner"))
    #expect(try source.bytes(of: "dir/a%20b", atMost: 3) == [4])
    #expect(try source.bytes(of: "timestamp.json", atMost: 3) == [1, 2, 3])
    expectError(.tufTooLong) { _ = try source.bytes(of: "timestamp.json", atMost: 2) }
    for path in [
      "missing.json", "../secret", "%2e%2e%2Fsecret", "dir/../../secret", "dir//a%20b", "timestamp.json/x", "", "%",
      "/etc/passwd",
    ] {
      expectError(.tufNotFound, "\(path)") { _ = try source.bytes(of: path, atMost: 3) }
    }
  }
}
