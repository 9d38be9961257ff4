import Foundation
import SignetBase
import SignetCrypto
import SignetFiles
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

/// What somebody can do who can write into a repository's folder while others change it.
@Suite struct FolderWriterTests {
  /// A repository beside the folder `home`, in which there is a diary.
  private func repository() throws -> PublishedRepository {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    try FileManager.default.createDirectory(
      atPath: repository.temporary.file("home"), withIntermediateDirectories: true)
    try repository.temporary.write("home/diary", [2])
    return repository
  }

  /// Puts a link to `home` in the place of a folder.
  private func link(_ name: String, _ repository: PublishedRepository) throws {
    let place = repository.temporary.file("repository/\(name)")
    try remove(place)
    try FileManager.default.createSymbolicLink(
      atPath: place, withDestinationPath: repository.temporary.file("home"))
  }

  private func home(_ repository: PublishedRepository) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: repository.temporary.file("home")).sorted()
  }

  @Test("pruning removes nothing through a link, whether it was there before or is put there meanwhile")
  func pruning() throws {
    let planned = try repository()
    try planned.temporary.write("repository/targets/com/a/diary", [3])
    let pruning = try RepositoryPruning(of: planned.folder.load())
    #expect(pruning.files == ["targets/com/a/diary"])
    try link("targets/com/a", planned)
    expectError(.outputFailed) { try pruning.remove() }
    #expect(try home(planned) == ["diary"])
    let linked = try repository()
    try link("targets", linked)
    expectError(.fileNotDirectory) { _ = try RepositoryPruning(of: linked.folder.load()) }
    #expect(try home(linked) == ["diary"])
  }

  @Test("nothing is written or removed through a link", arguments: ["targets", "targets/com", "pending", "metadata"])
  func links(name: String) throws {
    let repository = try repository()
    try link(name, repository)
    try repository.temporary.write("home/example.json", [4])
    switch name {
    case "pending":
      expectError(.outputFailed) { try repository.folder.dropPending("example") }
      expectError(.fileNotDirectory) { try repository.changePublisher { _ in } }
    case "metadata":
      expectError(.fileNotDirectory) { try repository.publish() }
    default:
      expectError(.fileNotDirectory) { try repository.offer("com/a/other", [5]) }
    }
    #expect(try home(repository) == ["diary", "example.json"])
    #expect(try repository.temporary.read("home/example.json") == [4])
  }

  @Test("a repository without its timestamp is not taken for a new one, whose versions would begin anew")
  func missingTimestamp() throws {
    let repository = try PublishedRepository()
    try repository.change { _ in }
    try remove(repository.temporary.file("repository/metadata/timestamp.json"))
    let error = expectError(.tufNotFound) { try repository.publish() }
    #expect(error?.object == "timestamp.json")
    #expect(try repository.metadata() == ["1.example.json", "1.root.json", "1.snapshot.json", "1.targets.json"])
  }

  @Test("the snapshot that the timestamp names stays, whatever later ones a killed publication has left")
  func laterSnapshot() throws {
    let repository = try PublishedRepository()
    try repository.temporary.write("repository/metadata/2.snapshot.json", Array("left".utf8))
    #expect(try RepositoryPruning(of: repository.folder.load()).files.isEmpty)
  }
}
