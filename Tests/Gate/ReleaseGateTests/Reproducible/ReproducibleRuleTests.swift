import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct ReproducibleRuleTests {
  private static let content = "look for times, paths, random names and unsorted lists in what makes this file"
  private static let packing = "pack with fixed times, owners, modes and order, as signet pack does"

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { Hexadecimal.encode([$0]) }.joined(separator: " ")
  }

  private func words(_ path: String, _ rest: String?...) -> [String?] { ["reproducible", path] + rest }

  @Test("equal bytes are no finding, whoever has signed them, and whether in the archive or beside it")
  func equal() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.file("linux/tool", [UInt8](repeating: 7, count: 600_000))
    try workshop.write("linux/tool", [UInt8](repeating: 7, count: 600_000), in: .rebuild)
    try workshop.module("player.zip", ReleaseWorkshop.description("1.0.0", 1))
    let archive = try workshop.read("player.zip")
    try workshop.write("player.zip", archive, in: .rebuild)
    #expect(try workshop.findings(ReproducibleRule.self).isEmpty)
    // The signature moves into the archive of the release.
    let bundle = try workshop.read("player.zip.sigstore.jsonl")
    let attached = try ArchiveFile(BytesInMemory(archive, path: "player.zip"), limits: ArchiveLimits())
      .attaching(bundle)
    try workshop.write("player.zip", attached.bytes(in: 0..<attached.size))
    #expect(try workshop.artifacts(.release).map(\.isVerified) == [true, true])
    #expect(try workshop.findings(ReproducibleRule.self).isEmpty)
  }

  @Test("a file that is missing, is something else, or has other bytes is a finding with the first of them")
  func files() throws {
    let workshop = try ReleaseWorkshop()
    let bytes = [UInt8](repeating: 7, count: 300_000)
    try workshop.file("changed", bytes)
    var other = bytes
    other[270_000] = 8
    try workshop.write("changed", other, in: .rebuild)
    try workshop.file("folder", [1])
    try workshop.write("folder/a", [1], in: .rebuild)
    try workshop.file("longer", [1, 2, 3])
    try workshop.write("longer", [1, 2], in: .rebuild)
    try workshop.file("missing", [1])
    let found = try workshop.findings(ReproducibleRule.self)
    let sevens = hex([UInt8](repeating: 7, count: 15))
    #expect(
      found.map(\.words) == [
        words(
          "changed", nil, "offset 270,000", "has other bytes than the rebuild", nil, "08 \(sevens), of 300,000 bytes",
          "07 \(sevens), of 300,000 bytes"),
        words(
          "folder", nil, nil, "is missing in the rebuild", nil, "the same artifact at the same path",
          "something that is not a file"),
        words(
          "longer", nil, "offset 2", "has other bytes than the rebuild", nil, "the end, after 2 bytes",
          "03, of 3 bytes"),
        words(
          "missing", nil, nil, "is missing in the rebuild", nil, "the same artifact at the same path", "nothing"),
      ])
    #expect(found[0].hint == Self.content)
    #expect(found[1].hint == "make it in the second build, too, at the same path below the folder after --rebuild")
  }

  @Test("archives are compared entry by entry")
  func entries() throws {
    let workshop = try ReleaseWorkshop()
    let text = [UInt8](repeating: 0x61, count: 2000)
    try workshop.archive(
      "a.zip", ["more": [1], "mode": [2], "other": text, "same": [3], "size": [4]], executable: "mode")
    try workshop.signFile("a.zip")
    var changed = text
    changed[1234] = 0x62
    try workshop.archive(
      "a.zip", ["less": [1], "mode": [2], "other": changed, "same": [3], "size": [4, 5]], in: .rebuild)
    let found = try workshop.findings(ReproducibleRule.self)
    let rest = hex([UInt8](repeating: 0x61, count: 15))
    #expect(
      found.map(\.words) == [
        words(
          "a.zip", "mode", nil, "has an entry of another mode than the rebuild's archive", nil, "0644", "0755"),
        words(
          "a.zip", "more", nil, "has an entry that the rebuild's archive does not have", nil, "no entry",
          "file 0644, 1 byte"),
        words(
          "a.zip", "other", "offset 1,234", "has an entry with other bytes than the rebuild's archive", nil,
          "62 \(rest), of 2,000 bytes", "61 \(rest), of 2,000 bytes"),
        words(
          "a.zip", "size", "offset 1", "has an entry with other bytes than the rebuild's archive", nil,
          "05, of 2 bytes", "the end, after 1 byte"),
        words(
          "a.zip", "less", nil, "does not have an entry of the rebuild's archive", nil, "file 0644, 1 byte",
          "no entry"),
      ])
    #expect(found.map(\.hint) == [Self.packing, found[1].hint, Self.content, Self.content, found[1].hint])
    #expect(found[1].hint == "make both builds from the same sources, with the same programs and settings")
  }

  @Test("if only the archive around the entries differs, the finding says where")
  func container() throws {
    let workshop = try ReleaseWorkshop()
    let files: [String: [UInt8]] = ["a": [1], "b": [2]]
    try workshop.archive("a.zip", files)
    try workshop.signFile("a.zip")
    let later = UnixTime(seconds: ReleaseWorkshop.time.seconds + 2)
    try workshop.archive("a.zip", files, at: later, in: .rebuild)
    let found = try workshop.findings(ReproducibleRule.self)
    let (made, rebuilt) = (try workshop.read("a.zip"), try workshop.read("a.zip", in: .rebuild))
    let size = Amount.of(made.count, "byte", "bytes")
    #expect(
      found.map(\.words) == [
        words(
          "a.zip", "a", "offset 10, the time in its header",
          "has the entries of the rebuild's archive, and only the archive around them differs", nil,
          "\(hex(rebuilt[10..<26])), of \(size)", "\(hex(made[10..<26])), of \(size)")
      ])
    #expect(found[0].hint == Self.packing)
  }

  @Test("of compressed tars, the entries and then the compression are compared")
  func tars() throws {
    let workshop = try ReleaseWorkshop()
    let description = ReleaseWorkshop.description("1.0.0", 1, of: "com.example.player", #""resources": ["a"]"#)
    for (name, place) in [("made", ReleaseWorkshop.Place.release), ("again", .rebuild)] {
      let source = try TemporaryFolder()
      try source.write("module.json", Array(description.utf8))
      try source.write("a", Array(name.utf8))
      try workshop.write("x", [], in: place)
      _ = try ModulePacker().pack(
        .directory(Directory(opening: source.path)), to: workshop.path("m.tar.gz", in: place), as: .tarGzip)
      try FileManager.default.removeItem(atPath: workshop.path("x", in: place))
    }
    try workshop.signFile("m.tar.gz")
    #expect(
      try workshop.findings(ReproducibleRule.self).map(\.words) == [
        words(
          "m.tar.gz", "a", "offset 0", "has an entry with other bytes than the rebuild's archive", nil,
          "\(hex("again".utf8)), of 5 bytes", "\(hex("made".utf8)), of 4 bytes")
      ])
    // Only the time in gzip's header is another.
    var bytes = try workshop.read("m.tar.gz")
    bytes[4] ^= 1
    try workshop.write("m.tar.gz", bytes, in: .rebuild)
    let found = try workshop.findings(ReproducibleRule.self)
    #expect(found.map(\.place) == ["offset 4"])
    #expect(found.map(\.message) == ["has the same tar as the rebuild, and only its compression differs"])
    #expect(
      found[0].hint == "compress it with the same program, version and level, and without a time and a name")
  }

  @Test("an entry that is damaged in one of the archives is a finding, and no failure")
  func damage() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.archive("a.zip", ["a": [UInt8](repeating: 0x61, count: 2000)])
    try workshop.signFile("a.zip")
    var bytes = try workshop.read("a.zip")
    // A block of a type that deflate does not have, behind the local header with its name of one byte.
    bytes[31] = 0xff
    try workshop.write("a.zip", bytes, in: .rebuild)
    #expect(
      try workshop.findings(ReproducibleRule.self).map(\.words) == [
        words(
          "a.zip", "a", nil,
          "has an entry that cannot be compared with the rebuild's archive: it has damaged compressed data",
          "archive.data", "an entry that can be read", nil)
      ])
    // What is no archive any more is compared as bytes.
    try workshop.write("a.zip", Array(bytes.dropLast()), in: .rebuild)
    let found = try workshop.findings(ReproducibleRule.self)
    #expect(found.map(\.message) == ["has other bytes than the rebuild"])
    #expect(found.map(\.place) == ["offset 31"])
  }

  @Test("directories are compared entry by entry, whether or not the rebuild is signed")
  func directories() throws {
    let workshop = try ReleaseWorkshop()
    for place in [ReleaseWorkshop.Place.release, .rebuild] {
      try workshop.write("site/same", [1], in: place)
      try workshop.write("site-map", [1], in: place)
    }
    try workshop.signFile("site-map")
    try workshop.write("site/css/a", [1, 2, 3])
    try workshop.write("site/css/a", [1, 2, 4], in: .rebuild)
    try workshop.write("site/link", [1], in: .rebuild)
    symlink("same", workshop.path("site/link"))
    try workshop.write("site/mode", [1], mode: 0o755)
    try workshop.write("site/mode", [1], in: .rebuild)
    try workshop.write("site/more", [1], in: .rebuild)
    try workshop.signFile("site")
    let other = "has another entry than the rebuild's directory"
    #expect(
      try workshop.findings(ReproducibleRule.self).map(\.words) == [
        words(
          "site", "css/a", "offset 2", "has an entry with other bytes than the rebuild's directory", nil,
          "04, of 3 bytes", "03, of 3 bytes"),
        words("site", "link", nil, other, nil, "file 0644, 1 byte", "link to same"),
        words("site", "mode", nil, "has an entry of another mode than the rebuild's directory", nil, "0644", "0755"),
        words("site", "more", nil, other, nil, "file 0644, 1 byte", "no entry"),
      ])
    try FileManager.default.removeItem(atPath: workshop.path("site", in: .rebuild))
    #expect(try workshop.findings(ReproducibleRule.self).map(\.message) == ["is missing in the rebuild"])
  }

  @Test("no more than five differences of an artifact are looked for")
  func bounds() throws {
    let workshop = try ReleaseWorkshop()
    let names = (0..<20).map { "entry\(10 + $0)" }
    try workshop.archive("a.zip", Dictionary(uniqueKeysWithValues: names.map { ($0, [UInt8(1)]) }))
    try workshop.signFile("a.zip")
    try workshop.archive("a.zip", Dictionary(uniqueKeysWithValues: names.map { ($0, [UInt8(2)]) }), in: .rebuild)
    #expect(try workshop.findings(ReproducibleRule.self).map(\.entry) == names.prefix(5).map { Optional($0) })
  }
}
