import SignetBase
import SignetFiles
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct FolderTests {
  @Test("a folder begins with one root, which must be signed by its own keys")
  func begin() throws {
    let repository = try SimulatedRepository()
    let folder = try TemporaryFolder(inMemory: true)
    let trusted = TrustedMetadataFolder(folder.file("metadata"))
    expectError(.tufThreshold) { try trusted.begin(with: MetadataDraft(repository.root).bytes()) }
    #expect(try folder.listing().isEmpty)
    try trusted.begin(with: repository.firstRoot)
    try trusted.begin(with: repository.firstRoot)
    #expect(try folder.read("metadata/root.json") == repository.firstRoot)
    let other = try SimulatedRepository()
    expectError(.outputExists) { try trusted.begin(with: other.firstRoot) }
    #expect(try folder.read("metadata/root.json") == repository.firstRoot)
  }

  @Test("several refreshes at once leave the newest metadata")
  func together() async throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    let path = client.trusted.path
    let mirrors = [RepositoryMirror(metadata: repository.server, targets: repository.targetServer)]
    for _ in 0..<5 {
      try repository.publish("targets", "snapshot", "timestamp")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try TUFClient(folder: TrustedMetadataFolder(path), mirrors: mirrors, time: SimulatedRepository.now)
              .refresh()
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(try client.versions() == ["root 1", "snapshot 6", "targets 6", "timestamp 6"])
    #expect(try client.folder.listing() == ["metadata"])
  }

  @Test("whatever fails at whatever request, the next refresh goes on from what was verified")
  func failures() throws {
    for path in ["2.root.json", "3.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json"] {
      let repository = try SimulatedRepository()
      let client = try TestClient(repository)
      try client.refresh()
      try repository.rotate(\.timestamp, "timestamp")
      try repository.publish("root", "targets", "snapshot", "timestamp")
      repository.server.fail(path, SignetError(.tufUnreachable, path, "no answer"))
      expectError(.tufUnreachable) { try client.refresh() }
      repository.server.fail(path, nil)
      try client.refresh()
      #expect(try client.versions() == ["root 2", "snapshot 2", "targets 2", "timestamp 2"])
    }
  }

  @Test("what is stored is used without a request, until it expires")
  func offline() throws {
    let repository = try SimulatedRepository()
    try repository.delegate(to: "A")
    try repository.delegate(to: "B", .paths([TargetPattern("b/*")]))
    try repository.offer("file", [1], in: "A")
    try repository.publish("A", "B", "targets", "snapshot", "timestamp")
    let client = try TestClient(repository)
    expectError(.tufNotFound) { try client.client().useStored() }
    #expect(try client.client().target("file")?.role == "A")
    _ = repository.server.takeRequests()
    let offline = client.client(mirrors: [])
    try offline.useStored()
    #expect(try offline.target("file")?.role == "A")
    expectError(.tufUnreachable) { _ = try offline.target("b/file") }
    expectError(.tufExpired) { try client.client(at: SimulatedRepository.later).useStored() }
    #expect(repository.server.requests.isEmpty)
  }
}
