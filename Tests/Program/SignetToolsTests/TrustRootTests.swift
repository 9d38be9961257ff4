import Foundation
import Keyless
import SignetBase
import SignetFiles
import SignetTUF
import TestSupport
import Testing

@testable import SignetTools

/// Updates of an instance's trusted root.
@Suite struct TrustRootTests {
  private static let vectors = "Tests/Vectors/keyless"

  private func content(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  /// Updates a folder from a repository in another one.
  private func run(
    _ update: RootUpdate, with root: [UInt8]?, from path: String, at time: UnixTime
  ) throws(SignetError) -> Bool {
    let mirror = RepositoryMirror(
      metadata: try DirectorySource(path), targets: try DirectorySource("\(path)/targets"))
    return try update.run(beginningWith: root) { (trusted) throws(SignetError) in
      let client = TUFClient(folder: trusted, mirrors: [mirror], time: time)
      try client.refresh()
      return client
    }
  }

  @Test("the first root that comes with Signet leads to the trusted root that Sigstore publishes")
  func publicGood() throws {
    let folder = try TemporaryFolder()
    let update = RootUpdate(folder: folder.file("sigstore"))
    let time = try #require(UnixTime("2026-08-22T00:00:00Z"))
    let first = FirstSigstoreRoot.bytes(of: .publicGood)
    let repository = "\(Repository.root)/\(Self.vectors)/root-signing"
    #expect(try update.first() == nil)
    #expect(try run(update, with: first, from: repository, at: time))
    let path =
      "\(Self.vectors)/root-signing/targets/6494e21ea73fa7ee769f85f57d5a3e6a08725eae1e38c755fc3517c9e6bc0b66.trusted_root.json"
    #expect(try content(update.path) == Repository.bytes(path))
    // The same again changes nothing, whether it says what it began with or not.
    #expect(try !run(update, with: first, from: repository, at: time))
    #expect(try !run(update, with: nil, from: repository, at: time))
    #expect(try update.first() == first)
    // Another root is another folder's.
    expectError(.outputExists) {
      _ = try run(update, with: FirstSigstoreRoot.bytes(of: .github), from: repository, at: time)
    }
  }

  @Test("a first update that fails leaves nothing that the folder has begun with")
  func failed() throws {
    let folder = try TemporaryFolder()
    let update = RootUpdate(folder: folder.file("own"))
    let time = try #require(UnixTime("2027-01-01T00:00:00Z"))
    let repository = "\(Repository.root)/\(Self.vectors)/repository"
    expectError(.tufExpired) {
      _ = try run(update, with: FirstSigstoreRoot.bytes(of: .publicGood), from: repository, at: time)
    }
    #expect(try update.first() == nil)
    expectError(.tufNoRoot) { _ = try run(update, with: nil, from: repository, at: time) }
    #expect(
      try run(update, with: Repository.bytes("\(Self.vectors)/repository/1.root.json"), from: repository, at: time))
  }

  @Test("the first root of GitHub's instance is one, signed by its own keys")
  func gitHub() throws {
    let role = try TrustedRoot(FirstSigstoreRoot.bytes(of: .github)).role
    #expect(role.version == 3 && role.root.threshold >= 2)
    #expect(try TrustedRoot(FirstSigstoreRoot.bytes(of: .publicGood)).role.version == 15)
    #expect(SigstoreInstance.allCases.allSatisfy { FirstSigstoreRoot.address(of: $0).hasPrefix("https://") })
  }

  @Test("a trusted root that cannot be read does not take the place of the one that is there")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let update = RootUpdate(folder: folder.file("own"))
    let first = try Repository.bytes("\(Self.vectors)/repository/1.root.json")
    let time = try #require(UnixTime("2027-01-01T00:00:00Z"))
    try FileManager.default.createDirectory(atPath: folder.file("own"), withIntermediateDirectories: false)
    try folder.write("own/trusted_root.json", Array("old".utf8))
    // Other bytes than those that the repository states.
    let copy = try TemporaryFolder()
    let copied = try Program.run(
      "/bin/cp", ["-r", "\(Repository.root)/\(Self.vectors)/repository", "bent"], in: copy.path)
    try #require(copied.status == 0, "\(copied.errors)")
    let bent = try Program.run("/bin/sh", ["-c", "for f in bent/targets/*; do printf x >> $f; done"], in: copy.path)
    try #require(bent.status == 0)
    expectError(.tufTooLong) { _ = try run(update, with: first, from: copy.file("bent"), at: time) }
    #expect(try content(update.path) == Array("old".utf8))
  }
}
