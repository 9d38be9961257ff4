import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetFiles

@Suite struct OutputFileTests {
  @Test("a new file appears whole, with the mode asked for, and nothing beside it")
  func new() throws {
    let folder = try TemporaryFolder()
    try OutputFile.write(secret: SecretBytes([1, 2]), to: folder.file("secret"))
    try OutputFile.write([3], to: folder.file("public"), .keep)
    #expect(try folder.read("secret") == [1, 2])
    #expect(try folder.listing() == ["public", "secret"])
    var status = stat()
    stat(folder.file("secret"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("what is there is kept, or replaced in one step when that was asked for")
  func existing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", [1])
    expectError(.outputExists) { try OutputFile.write([2], to: path, .keep) }
    #expect(try folder.read("a") == [1])
    try OutputFile.write([2], to: path, .replace(unless: []))
    #expect(try folder.read("a") == [2])
    #expect(try folder.listing() == ["a"])
    symlink("nowhere", folder.file("link"))
    expectError(.outputExists) { try OutputFile.write([2], to: folder.file("link"), .keep) }
  }

  @Test("an input is never replaced, whatever it is called")
  func input() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", [1])
    let input = try RegularFile(opening: path).status.identity
    link(path, folder.file("b"))
    for name in ["a", "b", "./a"] {
      expectError(.outputIsInput) { try OutputFile.write([2], to: folder.file(name), .replace(unless: [input])) }
    }
    #expect(try folder.read("a") == [1])
  }

  @Test("folders that are missing, not folders, or in the place of the file are refused")
  func places() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [1])
    mkdir(folder.file("d"), 0o755)
    for path in ["missing/x", "a/x"] {
      expectError(.outputFailed) { try OutputFile.write([2], to: folder.file(path), .keep) }
    }
    expectError(.outputFailed) { try OutputFile.write([2], to: folder.file("d"), .replace(unless: [])) }
    expectError(.outputExists) { try OutputFile.write([2], to: folder.file("d"), .keep) }
    #expect(try folder.listing() == ["a", "d"])
  }

  @Test("where the folder cannot be synced a new file is taken back, and a replaced one is said to be unsafe")
  func notSynced() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", [1])
    func draft(_ name: String) throws -> DraftFile {
      // A descriptor that is not open: fsync fails.
      try DraftFile(
        beside: folder.file(name), mode: 0o600, in: OutputFolder(path: folder.path, descriptor: 1 << 20))
    }
    let new = try draft("new")
    do {
      try new.publish()
      Issue.record("no failure")
    } catch DraftFile.Failure.nothingDone(let cause) { #expect(cause.number == EBADF) }
    #expect(try folder.listing() == ["old"])
    let replacing = try draft("old")
    do {
      try replacing.publishReplacing()
      Issue.record("no failure")
    } catch DraftFile.Failure.notSynced(let cause) { #expect(cause.number == EBADF) }
    #expect(try folder.read("old") == [])
    #expect(try folder.listing() == ["old"])
  }

  @Test("without O_TMPFILE the draft has a name of its own, which goes when it is published or given up")
  func named() throws {
    let folder = try TemporaryFolder()
    do {
      let draft = try DraftFile(beside: folder.file("a"), mode: 0o600, mayBeUnnamed: false)
      #expect(try folder.listing().count == 1)
      #expect(try folder.listing() != ["a"])
      try draft.publish()
    }
    #expect(try folder.listing() == ["a"])
    do { _ = try DraftFile(beside: folder.file("b"), mode: 0o600, mayBeUnnamed: false) }
    #expect(try folder.listing() == ["a"])
    try DraftFile(beside: folder.file("a"), mode: 0o600, mayBeUnnamed: false).publishReplacing()
    #expect(try folder.listing() == ["a"])
    do {
      try DraftFile(beside: folder.file("a"), mode: 0o600, mayBeUnnamed: false).publish()
      Issue.record("replaced")
    } catch let failure as DraftFile.Failure {
      if case .nothingDone(let cause) = failure { #expect(cause.number == EEXIST) } else { Issue.record(failure) }
    }
    #expect(try folder.listing() == ["a"])
  }

  @Test("a batch gives new files their names together, and says of each why it did not get it")
  func batch() throws {
    let folder = try TemporaryFolder()
    let batch = OutputBatch()
    for name in ["a", "b", "c"] { try batch.add(Array(name.utf8), to: folder.file(name)) }
    #expect(batch.count == 3)
    // Nothing has a name yet, and one is taken meanwhile.
    #expect(try folder.listing() == [])
    try folder.write("b", [1])
    #expect(batch.publish().map { $0?.code } == [nil, .outputExists, nil])
    #expect(batch.count == 0)
    #expect(try folder.listing() == ["a", "b", "c"])
    #expect(try folder.read("a") == Array("a".utf8) && folder.read("b") == [1] && folder.read("c") == Array("c".utf8))
    #expect(batch.publish().isEmpty)
    let taken = #expect(throws: SignetError.self) { try batch.add([2], to: folder.file("a")) }
    #expect(taken?.code == .outputExists)
    let missing = #expect(throws: SignetError.self) { try batch.add([2], to: folder.file("no/a")) }
    #expect(missing?.code == .outputFailed)
    // What was abandoned leaves nothing.
    try batch.add([3], to: folder.file("d"))
  }
}
