import Foundation
import SignetBase
import SignetCrypto
import SignetFiles
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

@Suite struct ZIPWriterTests {
  static let time = UnixTime(seconds: 1_800_000_000)

  static func file(_ path: String, _ bytes: [UInt8], isExecutable: Bool = false) -> PackedEntry {
    PackedEntry(path: path, content: .file(PackedBytes(bytes), isExecutable: isExecutable))
  }

  /// Writes an archive into a file of the folder, behind something that must not stay there.
  @discardableResult
  static func write(
    _ entries: [PackedEntry], _ limits: ArchiveLimits = ArchiveLimits(), time: UnixTime = time,
    memory: PackingMemory = PackingMemory(), in folder: TemporaryFolder
  ) throws -> [UInt8] {
    let path = try folder.write("m.zip", [UInt8](repeating: 7, count: 3 << 20))
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    let output = OutputWriter(descriptor: handle.fileDescriptor)
    try ZIPWriter.write(entries, to: output, time: time, limits: limits, memory: memory)
    let written = try output.finish()
    let bytes = try folder.read("m.zip")
    #expect(try written.bytes(in: 0..<written.size) == bytes)
    return bytes
  }

  static let noise: [UInt8] = {
    var state: UInt64 = 1
    return (0..<1_300_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }()

  static var sample: [PackedEntry] {
    [
      file("lib/code.so", Array(repeating: 0x90, count: 1_200_000), isExecutable: true),
      file("noise", noise), file("module.json", Array("{}".utf8)), file("empty", []), file("Größe.txt", [0x61]),
      PackedEntry(path: "lib", content: .directory), PackedEntry(path: "nothing", content: .directory),
      PackedEntry(path: "lib-link", content: .symbolicLink(target: "lib/code.so")),
    ]
  }

  @Test("what is written is a strict ZIP of everything, in the order of its names")
  func strict() throws {
    let bytes = try Self.write(Self.sample, in: TemporaryFolder())
    let (archive, entries, contents) = try ZIPArchiveTests.open(bytes)
    #expect(archive.block == nil)
    // "lib-link" comes before "lib/": a hyphen before a slash.
    #expect(
      entries.map(\.path) == [
        "Größe.txt", "empty", "lib-link", "lib", "lib/code.so", "module.json", "noise", "nothing",
      ])
    #expect(entries.map { "\($0.mode)" } == ["0644", "0644", "0777", "0755", "0755", "0644", "0644", "0755"])
    #expect(entries[2].content == .symbolicLink(target: "lib/code.so"))
    #expect(contents[4] == Array(repeating: 0x90, count: 1_200_000) && contents[6] == Self.noise)
    guard case .deflated = entries[4].data.coding, case .stored = entries[6].data.coding else {
      Issue.record("deflated where it saves something, and only there")
      return
    }
    #expect(bytes.count < 1_400_000)
  }

  @Test("the same entries in any order give the same bytes")
  func order() throws {
    let bytes = try Self.write(Self.sample, in: TemporaryFolder())
    #expect(try Self.write(Self.sample.reversed(), in: TemporaryFolder()) == bytes)
  }

  @Test("a file of zeros is stored where it would look like a bomb")
  func ratio() throws {
    var limits = ArchiveLimits()
    limits.ratioGrace = 1000
    let zeros = Self.file("zeros", [UInt8](repeating: 0, count: 1_000_000))
    let bytes = try Self.write([zeros], limits, in: TemporaryFolder())
    #expect(bytes.count > 1_000_000)
    #expect(try ZIPArchive(MemorySource(bytes: bytes), limits: limits).entries(limits).count == 1)
    #expect(try Self.write([zeros], in: TemporaryFolder()).count < 2000)
    // Each may expand as it likes, and all of them together may not.
    let many = (0..<40).map { Self.file("\($0)", [UInt8](repeating: 0, count: 900)) }
    let whole = try Self.write(many + [Self.file("text", Array("some text\n".utf8))], limits, in: TemporaryFolder())
    #expect(try ZIPArchive(MemorySource(bytes: whole), limits: limits).entries(limits).count == 41)
    limits.ratio = 20
    let held = try Self.write(many, limits, in: TemporaryFolder())
    #expect(held.count > 36_000)
    #expect(try ZIPArchive(MemorySource(bytes: held), limits: limits).entries(limits).count == 40)
  }

  @Test("times are written as DOS has them, in UTC, as near as it can")
  func times() throws {
    func fields(_ seconds: Int64) throws -> [UInt8] {
      let bytes = try Self.write([Self.file("a", [])], time: UnixTime(seconds: seconds), in: TemporaryFolder())
      return Array(bytes[10..<14])
    }
    #expect(try fields(0) == [0, 0, 0x21, 0])
    #expect(try fields(315_532_800) == [0, 0, 0x21, 0])
    // 2027-01-15T08:00:00Z, and a second, which DOS does not have.
    #expect(try fields(1_800_000_000) == [0x00, 0x40, 0x2f, 0x5e])
    #expect(try fields(1_800_000_001) == [0x00, 0x40, 0x2f, 0x5e])
    #expect(try fields(1_800_000_002) == [0x01, 0x40, 0x2f, 0x5e])
    // 2107-12-31T23:59:58Z.
    #expect(try fields(.max) == [0x7d, 0xbf, 0x9f, 0xff])
  }

  @Test("an archive of nothing is not written")
  func nothing() throws {
    expectError(.archiveEmpty) { try Self.write([], in: TemporaryFolder()) }
  }

  /// Bytes that are not as many as they should be, or others the second time.
  struct Restless: PackedContent {
    let size: Int
    let bytes: [[UInt8]]
    let reads = Monitor(0)

    func read(_ sink: EntryReader.Sink) throws(SignetError) {
      let number = reads.withLock { count in
        defer { count += 1 }
        return count
      }
      try PackedBytes(bytes[min(number, bytes.count - 1)]).read(sink)
    }
  }

  @Test(
    "a file that changes while it is packed ends the work",
    arguments: [
      (3, [[1, 2]]), (1, [[1, 2]]), (0, [[1]]), (3, [[1, 2, 3], [1, 2, 4]]), (3, [[1, 2, 3], [1, 2]]),
    ])
  func changing(_ size: Int, _ bytes: [[UInt8]]) throws {
    // Each is read from its beginning.
    var entry: PackedEntry {
      PackedEntry(path: "a", content: .file(Restless(size: size, bytes: bytes), isExecutable: false))
    }
    guard size > 0 else {
      // What claims to be empty is not read at all.
      #expect(try Self.write([entry], in: TemporaryFolder()).count > 0)
      return
    }
    expectError(.fileChanged) { try Self.write([entry], memory: Self.memory(entry: 0), in: TemporaryFolder()) }
    guard bytes.count == 1 else {
      // In memory it is read once only.
      #expect(try Self.write([entry], in: TemporaryFolder()).count > 0)
      return
    }
    let others = (0..<500).map { Self.file("b\($0)", [1]) }
    expectError(.fileChanged) { try Self.write(others + [entry], in: TemporaryFolder()) }
  }

  static func memory(entry: Int, total: Int = 64 << 20) -> PackingMemory {
    var memory = PackingMemory()
    memory.entry = entry
    memory.total = total
    return memory
  }

  /// Files of which some can be compressed, some cannot, and some by a byte or two only.
  static let mixture: [PackedEntry] = (0..<700).map { number in
    let repeated = [UInt8](repeating: 0x61, count: number % 23)
    return file("d\(number % 7)/\(number)", Array(noise[(number * 100)..<(number * 100 + number / 4)]) + repeated)
  }

  @Test(
    "the bytes do not depend on how much is compressed in memory, and so on which thread",
    arguments: [(100, 64 << 20), (16 << 20, 64 << 20), (16 << 20, 1000), (16 << 20, 0)])
  func ahead(_ entry: Int, _ total: Int) throws {
    let entries = Self.mixture + Self.sample
    let expected = try Self.write(entries, memory: Self.memory(entry: 0), in: TemporaryFolder())
    let bytes = try Self.write(entries, memory: Self.memory(entry: entry, total: total), in: TemporaryFolder())
    // Not in the macro, which would print both.
    let isSame = bytes == expected
    #expect(isSame)
  }

  @Test("more entries than two bytes can count bring ZIP64 end records, which are read", .slow)
  func manyEntries() throws {
    var limits = ArchiveLimits()
    limits.entries = 70_000
    let folder = try TemporaryFolder()
    let bytes = try Self.write((0..<65_535).map { Self.file("\($0)", []) }, limits, in: folder)
    #expect(try ZIPArchive(MemorySource(bytes: bytes), limits: limits).entries(limits).count == 65_535)
    let fewer = try Self.write((0..<65_534).map { Self.file("\($0)", []) }, limits, in: TemporaryFolder())
    #expect(bytes.count - fewer.count == 2 * 5 + 30 + 46 + 56 + 20)
    let python = try #require(Program.find("python3"))
    let run = try Program.run(
      python, ["-B", "-c", "import zipfile; print(len(zipfile.ZipFile('m.zip').namelist()))"], in: folder.path)
    #expect(run.output == "65535\n", "\(run.errors)")
  }

  @Test("what does not fit into four bytes stands in ZIP64 fields")
  func largeNumbers() {
    let time = DOSTime(Self.time)
    var header = ZIPRecords.Header(name: [0x61], size: 5 << 32)
    header.storedSize = 7
    header.isDeflated = true
    let extra: [UInt8] = [1, 0, 16, 0, 0, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
    let local = header.local(time, at: 0)
    #expect(Array(local[4..<6]) == [45, 0] && Array(local[18..<26]) == Array(repeating: 0xff, count: 8))
    #expect(Array(local[31...]) == extra)
    let far = ZIPRecords.Header(name: [0x61], size: 0).central(time, attributes: 0, offset: 1 << 32)
    #expect(Array(far[6..<8]) == [45, 0] && Array(far[42..<46]) == Array(repeating: 0xff, count: 4))
    #expect(Array(far[47...]) == [1, 0, 8, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    // Both headers ask for the same version.
    let farLocal = ZIPRecords.Header(name: [0x61], size: 0).local(time, at: 1 << 32)
    #expect(farLocal.count == 31 && Array(farLocal[4..<6]) == [45, 0])
    let both = header.central(time, attributes: 0, offset: 0xffff_ffff)
    let offset: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]
    #expect(both[47..<51].elementsEqual([1, 0, 24, 0]))
    #expect(both[51...].elementsEqual(extra[4...] + offset))
    let near = ZIPRecords.Header(name: [0x61], size: 0xffff_fffe).central(time, attributes: 0, offset: 0xffff_fffe)
    #expect(near.count == 47 && Array(near[6..<8]) == [20, 0])
    #expect(ZIPRecords.end(count: 1, directory: 0..<0xffff_fffe).count == 22)
    let end = ZIPRecords.end(count: 1, directory: 0xffff_ffff..<0x1_0000_00ff)
    #expect(end.count == 98 && Array(end[48..<56]) == offset)
  }

  /// A small archive, with bytes in front that cannot be compressed.
  static func nested(_ noise: Int) throws -> [UInt8] {
    Array(Self.noise[..<noise]) + (try write([file("plugin.py", Array("other".utf8))], in: TemporaryFolder()))
  }

  @Test(
    "an archive in the archive keeps no end record where programs look for one, however it is compressed",
    arguments: [0, 40_000, 200_000], [0, 16 << 20])
  func nested(_ noise: Int, _ memory: Int) throws {
    let inner = try Self.nested(noise)
    let entries = [
      Self.file("a.zip", inner), Self.file("b.zip", inner, isExecutable: true), Self.file("c", Array("c".utf8)),
    ]
    let bytes = try Self.write(entries, memory: Self.memory(entry: memory), in: TemporaryFolder())
    let (archive, _, contents) = try ZIPArchiveTests.open(bytes)
    #expect(contents == [inner, inner, Array("c".utf8)])
    #expect(ZIPSignature.ends(in: Array(bytes.suffix(65_557))) == [min(bytes.count, 65_557) - 22])
    #expect(try ZIPArchive(archive.attaching(Array("{}\n".utf8)), limits: ArchiveLimits()).block != nil)
    #expect(try Self.write(entries, memory: Self.memory(entry: 1000), in: TemporaryFolder()) == bytes)
  }

  @Test("an archive that has such a signature elsewhere is not written")
  func stray() throws {
    // The checksum of these bytes is "PK", 5, 6.
    let forged = Self.file("forged", [0x93, 0x4f, 0xb0, 0x9e])
    try #require(ZIPArchiveTests.crc([0x93, 0x4f, 0xb0, 0x9e]) == 0x0605_4b50)
    expectError(.archiveEndRecord) { try Self.write([forged], in: TemporaryFolder()) }
  }

  @Test("parted blocks hold no signature of an end record, and inflate to what they are of", .slow)
  func partedBlocks() throws {
    let signatures: [[UInt8]] = [[0x50, 0x4b, 5, 6], [0x50, 0x4b, 6, 6], [0x50, 0x4b, 6, 7]]
    var inputs = [[], [0x50], Self.noise] + signatures
    // Around the ends of blocks, and one right behind another.
    for count in 32_760...32_775 { inputs.append(Array(repeating: 0, count: count) + signatures.joined()) }
    for signature in signatures { inputs.append(Array(repeatElement(signature, count: 20_000).joined())) }
    inputs.append(Array(repeating: 0x50, count: 0x50) + [0x4b, 5, 6, 6, 6, 7])
    for input in inputs {
      var blocks = PartedBlocks()
      var encoded: [UInt8] = []
      for start in stride(from: 0, to: input.count, by: 7001) {
        encoded += blocks.encode(input[start..<min(start + 7001, input.count)], isLast: false)
      }
      encoded += blocks.encode([], isLast: true)
      #expect(ZIPSignature.ends(in: encoded) == [])
      let location = ArchiveEntry.DataLocation(
        offset: 0, storedSize: encoded.count, coding: .deflated(crc: ZIPArchiveTests.crc(input)))
      let isSame =
        try EntryReader(MemorySource(bytes: encoded)).bytes(location, size: input.count, path: "blocks") == input
      #expect(isSame)
    }
  }

  @Test(
    "7-Zip and jar find the archive sound", .slow,
    .enabled(
      if: Program.find("7z") != nil && Program.find("jar") != nil,
      "7z or jar is not installed"))
  func mayBeInstalled() throws {
    try others(["7z", "t", "m.zip"])
    try others(["jar", "tf", "m.zip"])
  }

  @Test(
    "the archive is sound for other programs that unpack ZIPs", .slow,
    arguments: [
      ["python3", "-B", "-m", "zipfile", "-t", "m.zip"], ["unzip", "-tqq", "m.zip"], ["bsdtar", "-xOf", "m.zip"],
      ["zip", "-T", "m.zip"],
    ])
  func others(_ command: [String]) throws {
    let program = try #require(Program.find(command[0]), "make test installs \(command[0])")
    let folder = try TemporaryFolder()
    try Self.write(Self.sample, in: folder)
    let run = try Program.run(program, Array(command.dropFirst()), in: folder.path)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(!(run.output + run.errors).lowercased().contains("warning"), "\(run.output) \(run.errors)")
  }

  @Test("unpacked, everything is what it was, with its modes and links")
  func unpacked() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.sample, in: folder)
    let unzip = try #require(Program.find("unzip"))
    #expect(try Program.run(unzip, ["-q", "m.zip"], in: folder.path, environment: ["LC_ALL": "C.UTF-8"]).status == 0)
    #expect(try folder.read("noise") == Self.noise && folder.read("Größe.txt") == [0x61])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("lib-link")) == "lib/code.so")
    let status = try FileStatus(ofLink: folder.file("lib/code.so"))
    #expect(status.mode == 0o755 && status.size == 1_200_000)
    #expect(try FileStatus(ofLink: folder.file("nothing")).kind == .directory)
  }
}
