import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

@Suite struct DirectoryTests {
  static let limits = DirectoryScan.Limits(entries: 1000, pathLength: 1023, depth: 64)
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("d"), 0o755)
  }

  private func scan(_ limits: DirectoryScan.Limits = limits) throws -> (Directory, DirectoryScan) {
    let directory = try Directory(opening: folder.file("d"))
    return (directory, try DirectoryScan(directory, limits: limits))
  }

  private func paths(_ scan: DirectoryScan) -> [String] {
    scan.entries.map { String(decoding: $0.path, as: UTF8.self) }
  }

  @Test("everything is listed by the bytes of its path, links are not followed, pipes not opened")
  func listing() throws {
    for name in ["d/a", "d/a/c", "d/b"] { mkdir(folder.file(name), 0o755) }
    try folder.write("d/a/z", [1])
    try folder.write("d/a-", [1, 2])
    symlink("/etc", folder.file("d/link"))
    mkfifo(folder.file("d/pipe"), 0o600)
    let (directory, scan) = try scan()
    #expect(paths(scan) == ["a", "a-", "a/c", "a/z", "b", "link", "pipe"])
    #expect(
      scan.entries.map(\.status.kind) == [
        .directory, .regular, .directory, .regular, .directory, .symbolicLink, .other,
      ])
    #expect(scan.entries[5].target == Array("/etc".utf8))
    #expect(scan.entries[1].status.size == 2)
    #expect(scan.entries.filter { $0.target != nil }.count == 1)
    try scan.checkUnchanged(directory, limits: Self.limits)
  }

  @Test("a name need not be text")
  func odd() throws {
    let name: [CChar] = Array((folder.file("d") + "/").utf8CString.dropLast()) + [-1, -2, 0]
    close(open(name, O_CREAT | O_WRONLY, 0o644))
    #expect(try scan().1.entries.map(\.path) == [[255, 254]])
  }

  @Test("the bounds on entries, paths and nesting hold before anything else is done")
  func bounds() throws {
    for name in ["d/a", "d/a/b", "d/a/b/c"] { mkdir(folder.file(name), 0o755) }
    func limits(_ entries: Int = 3, _ length: Int = 5, _ depth: Int = 3) -> DirectoryScan.Limits {
      DirectoryScan.Limits(entries: entries, pathLength: length, depth: depth)
    }
    #expect(try scan(limits()).1.entries.count == 3)
    expectError(.directoryEntryCount) { _ = try scan(limits(2)) }
    expectError(.pathBounds) { _ = try scan(limits(3, 4)) }
    expectError(.pathBounds) { _ = try scan(limits(3, 5, 2)) }
    // a, a/b and a/b/c have nine bytes.
    func count(_ all: Int) throws -> Int {
      try scan(DirectoryScan.Limits(entries: 3, pathLength: 5, depth: 3, allPaths: all)).1.entries.count
    }
    #expect(try count(9) == 3)
    expectError(.pathBounds) { _ = try count(8) }
  }

  @Test("the digests are those of the files, whatever their sizes and wherever they lie")
  func digests() throws {
    var expected: [String: Digest] = [:]
    for (index, size) in [0, 1, 4095, 4096, 262_144, 262_145, 5 << 20].enumerated() {
      for place in ["", "a/", "a/b/", "c/"] {
        if index == 0, !place.isEmpty { mkdir(folder.file("d/\(place)"), 0o755) }
        let bytes = patternBytes(size, seed: UInt64(index))
        try folder.write("d/\(place)\(index)", bytes)
        expected["\(place)\(index)"] = try Digest.of(bytes, .sha256)
      }
    }
    for number in 0..<300 {
      try folder.write("d/c/many\(number)", [UInt8(number % 256)])
      expected["c/many\(number)"] = try Digest.of([UInt8(number % 256)], .sha256)
    }
    let (directory, scan) = try scan()
    let files = scan.entries.filter { $0.status.kind == .regular }
    let progress = ProgressCounter()
    let digests = try directory.sha256(of: files, progress: progress)
    for (file, digest) in zip(files, digests) {
      #expect(expected.removeValue(forKey: String(decoding: file.path, as: UTF8.self)) == digest)
    }
    #expect(expected.isEmpty)
    #expect(progress.completed == progress.expected)
    #expect(progress.completed == files.reduce(0) { $0 + $1.status.size })
    #expect(try directory.sha256(of: []).isEmpty)
  }

  @Test("what changes after it was listed is refused, before its bytes count", arguments: Change.allCases)
  func changes(change: Change) throws {
    mkdir(folder.file("d/a"), 0o755)
    try folder.write("d/a/file", patternBytes(100))
    try folder.write("d/other", patternBytes(100))
    let (directory, scan) = try scan()
    wait()
    try change.apply(folder)
    let files = scan.entries.filter { $0.status.kind == .regular }
    if change.isSeenByReading {
      expectError(.fileChanged, "\(change)") { _ = try directory.sha256(of: files) }
    } else {
      _ = try directory.sha256(of: files)
    }
    let error = expectError(.fileChanged, "\(change)") { try scan.checkUnchanged(directory, limits: Self.limits) }
    #expect(error?.object.hasPrefix(folder.file("d")) == true)
    #expect(error?.hint != nil)
  }

  enum Change: CaseIterable {
    case write, grow, replace, remove, mode, link, pipe, folder, folderLink, folderGone, add, addDeep

    var isSeenByReading: Bool { self != .add && self != .addDeep }

    func apply(_ folder: TemporaryFolder) throws {
      let file = folder.file("d/a/file")
      switch self {
      case .write: try overwrite(file, patternBytes(100))
      case .grow: try overwrite(file, patternBytes(101))
      case .replace: rename(folder.file("d/other"), file)
      case .remove: unlink(file)
      case .mode: chmod(file, 0o600)
      case .link:
        unlink(file)
        symlink("../other", file)
      case .pipe:
        unlink(file)
        mkfifo(file, 0o644)
      case .folder:
        unlink(file)
        mkdir(file, 0o755)
      case .folderLink:
        // The very same files, by way of a link.
        rename(folder.file("d/a"), folder.file("elsewhere"))
        symlink("../elsewhere", folder.file("d/a"))
      case .folderGone: try FileManager.default.removeItem(atPath: folder.file("d/a"))
      case .add: try folder.write("d/new", [])
      case .addDeep: mkdir(folder.file("d/a/new"), 0o755)
      }
    }
  }

  @Test("a file is opened name by name, and no link on the way is followed")
  func opening() throws {
    mkdir(folder.file("d/a"), 0o755)
    try folder.write("d/a/file", [7])
    symlink("a", folder.file("d/link"))
    symlink("file", folder.file("d/a/link"))
    let directory = try Directory(opening: folder.file("d"))
    #expect(try directory.file("a/file").bytes(in: 0..<1) == [7])
    #expect(try directory.file("a/file").path == folder.file("d/a/file"))
    for path in ["link/file", "a/link", "a/none", "none/file"] {
      expectError(.fileMissing, "\(path)") { _ = try directory.file(path) }
    }
    expectError(.fileIsDirectory) { _ = try directory.file("a") }
  }

  @Test("a directory stands where its name is, however it is written")
  func place() throws {
    mkdir(folder.file("d/a"), 0o755)
    let d = folder.file("d")
    let places = [
      (d, d), (d + "/", d), (d + "///", d), (d + "/.", d), (d + "/a/..", d), (d + "/a/../", d),
      (d + "/a/./", d + "/a"),
      (d + "/./a", d + "/./a"), ("/", "/"), ("//", "/"),
    ]
    for (path, place) in places {
      let directory = try Directory(opening: path)
      #expect(try directory.place() == place)
      #expect(try directory.baseName() == (place == "/" ? "" : place.hasSuffix("a") ? "a" : "d"))
    }
  }

  @Test("what is no directory has the codes of files")
  func refused() throws {
    let file = try folder.write("file", [])
    mkfifo(folder.file("pipe"), 0o600)
    expectError(.fileNotDirectory) { _ = try Directory(opening: file) }
    expectError(.fileNotDirectory) { _ = try Directory(opening: folder.file("pipe")) }
    for path in [folder.file("none"), "", "a\u{0}b"] {
      expectError(.fileMissing) { _ = try Directory(opening: path) }
    }
  }
}
