import Foundation
import SignetBase
import SignetCrypto
import SignetFiles
import SignetSystem
import Synchronization
import TestSupport
import Testing

@testable import SignetArchive

@Suite struct ExtractionTests {
  typealias Item = TarWriterTests.Item

  /// An archive, and the list that a signature over it would have.
  static func signed(_ items: [Item]) throws -> (OpenedArchive, [ExpectedEntry]) {
    let bytes = TarWriterTests.written(items)
    let archive = OpenedArchive(
      source: MemorySource(bytes: bytes), format: .tar, entries: try TarReaderTests.read(bytes))
    return (archive, try items.map(expected))
  }

  static func expected(_ item: Item) throws -> ExpectedEntry {
    switch item.content {
    case .file(let size):
      let mode = try #require(FileMode(bits: item.permissions))
      return ExpectedEntry(
        path: item.path, content: .file(size: size, sha256: try Digest.of(item.bytes, .sha256), mode: mode))
    case .directory: return ExpectedEntry(path: item.path, content: .directory)
    case .symbolicLink(let target): return ExpectedEntry(path: item.path, content: .symbolicLink(target: target))
    }
  }

  static let items: [Item] = [
    .file("a", Array("hello".utf8), 0o777), .file("b/c/d", patternBytes(300_000), 0o600), .directory("e"),
    .file("e/empty", [], 0o000), .link("e/l", "../b/c"), .link("z", "nowhere"), .file("b-", [1], 0o100),
  ]

  /// Everything below a folder: path, kind, mode, and bytes or target.
  static func tree(_ path: String) throws -> [String: String] {
    let directory = try Directory(opening: path)
    let limits = DirectoryScan.Limits(entries: 100_000, pathLength: 4096, depth: 64)
    var tree: [String: String] = [:]
    for entry in try DirectoryScan(directory, limits: limits).entries {
      let name = String(decoding: entry.path, as: UTF8.self)
      switch entry.status.kind {
      case .regular:
        let file = try directory.file(name)
        tree[name] = "\(FileMode.text(entry.status.mode)) \(try file.sha256())"
      case .directory: tree[name] = "\(FileMode.text(entry.status.mode)) directory"
      default: tree[name] = "-> " + String(decoding: entry.target ?? [], as: UTF8.self)
      }
    }
    return tree
  }

  static func extract(_ archive: OpenedArchive, _ expected: [ExpectedEntry], _ path: String) throws {
    try Extraction.extract(expected, from: archive, into: Directory(opening: path))
  }

  @Test("what is signed is unpacked with its implied directories, and modes are never more than 0755")
  func whole() throws {
    let folder = try TemporaryFolder()
    let (archive, expected) = try Self.signed(Self.items)
    try Self.extract(archive, expected, folder.path)
    func digest(_ index: Int) throws -> String { "\(try Digest.of(Self.items[index].bytes, .sha256))" }
    #expect(
      try Self.tree(folder.path) == [
        "a": "0755 \(digest(0))", "b": "0755 directory", "b/c": "0755 directory", "b/c/d": "0644 \(digest(1))",
        "e": "0755 directory", "e/empty": "0644 \(digest(3))", "e/l": "-> ../b/c", "z": "-> nowhere",
        "b-": "0755 \(digest(6))",
      ])
  }

  @Test("only what the list names is unpacked, whatever the archive says of it")
  func part() throws {
    let folder = try TemporaryFolder()
    let (archive, expected) = try Self.signed(Self.items)
    let other = ExpectedEntry(path: "z", content: .symbolicLink(target: "a"))
    try Self.extract(archive, [expected[0], other], folder.path)
    #expect(try Self.tree(folder.path).keys.sorted() == ["a", "z"])
    #expect(try Self.tree(folder.path)["z"] == "-> a")
  }

  @Test("many files in many directories are unpacked on all cores")
  func many() throws {
    let folder = try TemporaryFolder()
    var items: [Item] = []
    for index in 0..<3000 {
      items.append(.file("d\(index % 50)/f\(index)", patternBytes(index, seed: UInt64(index))))
    }
    items.append(.file("large", patternBytes(5_000_000)))
    let (archive, expected) = try Self.signed(items)
    let progress = ProgressCounter()
    try Extraction.extract(expected, from: archive, into: Directory(opening: folder.path), progress: progress)
    #expect(progress.completed == items.reduce(0) { $0 + $1.bytes.count } && progress.expected == progress.completed)
    let tree = try Self.tree(folder.path)
    #expect(tree.count == 3051)
    for item in items { #expect(tree[item.path] == "0644 \(try Digest.of(item.bytes, .sha256))", "\(item.path)") }
  }

  @Test("one changed byte stops the work, and nothing is left", arguments: [0, 1, 6])
  func changedByte(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let (archive, expected) = try Self.signed(Self.items)
    var bytes = TarWriterTests.written(Self.items)
    bytes[archive.entries[index].data.offset] ^= 1
    let changed = OpenedArchive(source: MemorySource(bytes: bytes), format: .tar, entries: archive.entries)
    let error = expectError(.digestMismatch) { try Self.extract(changed, expected, folder.path) }
    #expect(error?.object == Self.items[index].path)
    #expect(try folder.listing() == [])
  }

  @Test("another size, another kind and a missing file are refused before anything is written")
  func otherEntries() throws {
    let folder = try TemporaryFolder()
    let (archive, _) = try Self.signed(Self.items)
    let others: [Item] = [.file("a", [1]), .file("e", []), .file("z", []), .file("none", [])]
    for other in others {
      expectError(.digestMismatch) { try Self.extract(archive, [Self.expected(other)], folder.path) }
    }
    let unsafe: [(SignetError.Code, [Item])] = [
      (.pathParent, [.link("l", "../x")]), (.pathAbsolute, [.directory("/x")]), (.pathParent, [.directory("../x")]),
      (.archiveDuplicatePath, [.directory("x"), .directory("x")]), (.archiveEmpty, []),
      (.archivePathConflict, [.link("l", "e"), .file("l/a", [])]),
    ]
    for (code, items) in unsafe {
      expectError(code) { try Self.extract(archive, items.map(Self.expected), folder.path) }
    }
    #expect(try folder.listing() == [])
  }

  @Test("a directory that is not empty is refused and left as it is")
  func notEmpty() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", [1])
    let (archive, expected) = try Self.signed(Self.items)
    expectError(.extractionFailed) { try Self.extract(archive, expected, folder.path) }
    #expect(try folder.listing() == ["mine"])
  }

  /// Reading that fails or does something in between.
  final class DisturbedSource: ByteSource {
    let bytes: [UInt8]
    let disturb: @Sendable (Int) throws(SignetError) -> Void
    var path: String { "disturbed" }
    var size: Int { bytes.count }

    init(_ bytes: [UInt8], _ disturb: @escaping @Sendable (Int) throws(SignetError) -> Void) {
      self.bytes = bytes
      self.disturb = disturb
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      try disturb(offset)
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
  }

  @Test("an archive that cannot be read any more leaves nothing")
  func readFailure() throws {
    let folder = try TemporaryFolder()
    let (archive, expected) = try Self.signed(Self.items)
    let last = archive.entries[6].data.offset
    let source = DisturbedSource(TarWriterTests.written(Self.items)) { (offset) throws(SignetError) in
      if offset == last { throw SignetError(.fileReadFailed, "disk", "is broken") }
    }
    let broken = OpenedArchive(source: source, format: .tar, entries: archive.entries)
    expectError(.fileReadFailed) { try Self.extract(broken, expected, folder.path) }
    #expect(try folder.listing() == [])
  }

  @Test("a ZIP's files are unpacked, and a damaged one leaves nothing")
  func fromZIP() throws {
    let folder = try TemporaryFolder()
    let bytes = try ZIPArchiveTests.made(ZIPArchiveTests.small)
    let (zip, entries, contents) = try ZIPArchiveTests.open(bytes)
    let items = [Item.file("a", contents[0]), .file("d/b", contents[2])]
    let expected = try items.map(Self.expected)
    let archive = OpenedArchive(source: zip.unsigned, format: .zip, entries: entries)
    try Self.extract(archive, expected, folder.path)
    #expect(try folder.read("d/b") == contents[2])
    try Directory(opening: folder.path).removeContents()
    var damaged = bytes
    damaged[entries[0].data.offset] ^= 1
    let other = OpenedArchive(source: MemorySource(bytes: damaged), format: .zip, entries: entries)
    expectError(.archiveChecksum) { try Self.extract(other, expected, folder.path) }
    #expect(try folder.listing() == [])
  }

  @Test("what somebody puts in the way is neither written to nor followed, and says which call failed")
  func inTheWay() throws {
    for isLink in [true, false] {
      let folder = try TemporaryFolder()
      let outside = try TemporaryFolder()
      try outside.write("victim", Array("mine".utf8))
      let (archive, expected) = try Self.signed(Self.items)
      let (path, target) = (folder.file("b-"), outside.file("victim"))
      // The first file is read, and the last is not there yet.
      let source = DisturbedSource(TarWriterTests.written(Self.items)) { (_) throws(SignetError) in
        if isLink { symlink(target, path) } else { link(target, path) }
      }
      let disturbed = OpenedArchive(source: source, format: .tar, entries: archive.entries)
      let error = expectError(.extractionFailed) { try Self.extract(disturbed, expected, folder.path) }
      #expect((error?.cause as? SystemFailure)?.number == EEXIST)
      #expect(try outside.read("victim") == Array("mine".utf8))
      #expect(try outside.listing() == ["victim"])
      #expect(try folder.listing() == [])
    }
  }

  @Test("directories exchanged for links while files are written lead nothing outside")
  func exchanged() throws {
    let outside = try TemporaryFolder()
    var items: [Item] = []
    for index in 0..<400 { items.append(.file("d\(index % 8)/e/f\(index)", patternBytes(2000, seed: UInt64(index)))) }
    let (archive, expected) = try Self.signed(items)
    for name in (0..<8).map({ "d\($0)" }) + ["e"] {
      try FileManager.default.createDirectory(atPath: outside.file(name + "/e"), withIntermediateDirectories: true)
    }
    var outcomes: [SignetError.Code?: Int] = [:]
    // Until one extraction has met an exchanged directory; otherwise the test has tested nothing.
    for round in 0..<5000 where round < 25 || outcomes[.extractionFailed] == nil {
      let folder = try TemporaryFolder()
      let swapper = Swapper(folder.path, outside.path)
      Thread.detachNewThread { swapper.run() }
      do {
        try Self.extract(archive, expected, folder.path)
        outcomes[nil, default: 0] += 1
      } catch let error as SignetError {
        outcomes[error.code, default: 0] += 1
      }
      swapper.stop()
      // Nothing but the nine directories that were there.
      #expect(try Self.tree(outside.path).values.allSatisfy { $0.hasSuffix("directory") })
      #expect(try Self.tree(outside.path).count == 18)
    }
    #expect(Set(outcomes.keys).isSubset(of: [nil, .extractionFailed]))
    #expect(outcomes[.extractionFailed, default: 0] > 0)
  }

  /// Exchanges directories for links to others, and back.
  final class Swapper: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let inside: String
    private let outside: String

    init(_ inside: String, _ outside: String) {
      (self.inside, self.outside) = (inside, outside)
    }

    /// Goes on until it is stopped.
    func run() {
      while !isOver.load(ordering: .relaxed) { swap() }
      hasEnded.signal()
    }

    private func swap() {
      for index in 0..<8 where !isOver.load(ordering: .relaxed) {
        for (path, target) in [("d\(index)", "d\(index)"), ("d\(index)/e", "e")] {
          guard rename("\(inside)/\(path)", "\(inside)/aside") == 0 else { continue }
          symlink("\(outside)/\(target)", "\(inside)/\(path)")
          usleep(20)
          unlink("\(inside)/\(path)")
          rename("\(inside)/aside", "\(inside)/\(path)")
        }
      }
    }

    /// Ends it, and waits for its end.
    func stop() {
      isOver.store(true, ordering: .relaxed)
      hasEnded.wait()
    }
  }

  @Test("a tree is removed with all that lies in it, and nothing that links in it lead to", .slow)
  func removal() throws {
    let folder = try TemporaryFolder()
    try folder.write("keep", [1])
    let script = """
      mkdir -p t/d/e/f t/many; ln -s ../../keep t/d/l; ln -s ../.. t/d/e/up; mkfifo t/pipe; ln keep t/hard
      i=0; while [ $i -lt 5000 ]; do : > t/many/$i; i=$((i+1)); done
      """
    try #require(Program.run("/bin/sh", ["-c", script], in: folder.path).status == 0)
    let directory = try Directory(opening: folder.path)
    try directory.removeTree(named: "t")
    #expect(try folder.listing() == ["keep"])
    try directory.removeTree(named: "t")
    try #require(Program.run("/bin/sh", ["-c", "mkdir d; ln -s d link"], in: folder.path).status == 0)
    try directory.removeTree(named: "link")
    #expect(try folder.listing() == ["d", "keep"])
    try directory.removeContents()
    #expect(try folder.listing() == [])
  }
}
