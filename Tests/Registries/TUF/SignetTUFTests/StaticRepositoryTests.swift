import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

/// Real repositories, as they were on a day.
@Suite struct StaticRepositoryTests {
  private static let folder = "Tests/Vectors/tuf"
  private static let names = ["sigstore-root-signing", "tuf-on-ci-0.11"]

  /// All files of metadata, with their names.
  static func files() throws -> [(name: String, bytes: [UInt8])] {
    try names.flatMap { repository in
      let path = "\(folder)/\(repository)/metadata"
      return try Directory(opening: Repository.root + "/" + path).entryNames().map {
        ("\(repository)/\($0)", try Repository.bytes("\(path)/\($0)"))
      }
    }
  }

  @Test(
    "Sigstore's and tuf-on-ci's repositories are read, and a target of each is downloaded",
    arguments: [
      ("sigstore-root-signing", "12.root.json", "2025-02-09T12:02:08Z", "trusted_root.json", "targets"),
      ("tuf-on-ci-0.11", "1.root.json", "2025-02-09T09:17:23Z", "delegatedrole/artifact", "delegatedrole"),
    ])
  func download(repository: String, root: String, time: String, target: String, role: String) throws {
    let path = "\(Self.folder)/\(repository)"
    let folder = try TemporaryFolder(inMemory: true)
    let trusted = TrustedMetadataFolder(folder.file("metadata"))
    try trusted.begin(with: Repository.bytes("\(path)/metadata/\(root)"))
    let client = TUFClient(
      folder: trusted,
      mirrors: [
        RepositoryMirror(
          metadata: try DirectorySource("\(Repository.root)/\(path)/metadata"),
          targets: try DirectorySource("\(Repository.root)/\(path)/targets"))
      ], time: try #require(UnixTime(time)))
    let found = try #require(try client.target(target))
    #expect(found.role == role)
    let file = try client.download(found, to: folder.path)
    #expect(try RegularFile(opening: file).size == found.file.length)
    #expect(client.complaints.isEmpty)
  }

  @Test("each of Sigstore's roots, from the first on, vouches for the next")
  func chain() throws {
    func root(_ version: Int) throws -> [UInt8] {
      try Repository.bytes("\(Self.folder)/sigstore-root-signing/metadata/\(version).root.json")
    }
    var trusted = try TrustedRoot(try root(1))
    for version in 2...12 { trusted = try trusted.updated(with: try root(version)) }
    #expect(trusted.role.version == 12)
    // The first roots have a time with a fraction and an offset.
    #expect(try TrustedRoot(try root(1)).role.expires.description == "2021-12-18T19:28:12Z")
    expectError(.tufThreshold) { _ = try TrustedRoot(try root(1)).updated(with: try root(6)) }
  }

  @Test("a key of root 11 has an ID that is not its own, and is unusable; the file is not")
  func wrongID() throws {
    let file = try UnverifiedMetadata<RootRole>(
      Repository.bytes("\(Self.folder)/sigstore-root-signing/metadata/11.root.json"))
    let keys = try file.uncheckedRole().keys
    let unusable = try keys.entries.filter { entry in
      if case .unusable? = try keys.key(entry.name) { return true }
      return false
    }
    #expect(unusable.count == 1)
  }
}
