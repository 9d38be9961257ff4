import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetArchive

/// What programs see that know no extended headers.
@Suite struct TarHeaderNamesTests {
  static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count + 1
    while length != rest.utf8.count + "\(length)".utf8.count { length = rest.utf8.count + "\(length)".utf8.count }
    return "\(length)\(rest)"
  }

  static func extended(_ name: String, _ records: String, prefix: String = "") -> [UInt8] {
    let digits = String(records.utf8.count, radix: 8)
    let size = String(repeating: "0", count: 11 - digits.utf8.count) + digits
    let block = TarBlock(name: name, size: size, type: UInt8(ascii: "x"), prefix: prefix)
    return block.bytes() + Array(records.utf8)
      + [UInt8](repeating: 0, count: TarField.padding(behind: records.utf8.count))
  }

  /// A tar of one file whose path stands in an extended header.
  static func file(
    _ path: String, header: String, prefix: String = "", extended: String = "PaxHeaders/headers/1"
  ) -> [UInt8] {
    Self.extended(extended, record("path", path)) + TarBlock(name: header, prefix: prefix).bytes()
  }

  static func link(_ target: String, header: String, name: String = "l", path: String? = nil) -> [UInt8] {
    let records = record("linkpath", target) + (path.map { record("path", $0) } ?? "")
    return extended("PaxHeaders/headers/2", records)
      + TarBlock(name: name, type: UInt8(ascii: "2"), linkName: header).bytes()
  }

  static let n100 = String(repeating: "n", count: 100)
  static let long = n100 + "/plugin.py"

  static let accepted: [(name: String, bytes: [UInt8])] = [
    ("the path itself", file("d/\u{e9}", header: "d/\u{e9}")),
    ("the path in prefix and name", file("d/e", header: "e", prefix: "d")),
    ("GNU's: the first 100 bytes", file(n100 + "m", header: n100)),
    ("bsdtar's: a little less", file(n100 + "m", header: String(n100.dropLast(3)))),
    ("bsdtar's, with a prefix", file("d/" + n100 + "m", header: n100, prefix: "d")),
    ("Signet's", file("d/\u{e9}", header: "PaxHeaders/entries/17")),
    ("GNU's extended header", file("d/\u{e9}", header: "d/\u{e9}", extended: "d/PaxHeaders/\u{e9}")),
    ("GNU's at the top", file("\u{e9}", header: "\u{e9}", extended: "./PaxHeaders/\u{e9}")),
    ("GNU's with a process", file("\u{e9}", header: "\u{e9}", extended: "./PaxHeaders.4711/\u{e9}")),
    ("GNU's, cut", file(n100 + "m", header: n100, extended: "./PaxHeaders/" + n100.dropLast(13))),
    ("bsdtar's", file("d/\u{e9}", header: "d/\u{e9}", extended: "d/PaxHeader/\u{e9}")),
    ("Python's", file("d/e", header: "d/e", extended: "././@PaxHeader")),
    (
      "Python's twice",
      file("d/e", header: "d/e", extended: "././@PaxHeader") + file("d/f", header: "d/f", extended: "././@PaxHeader")
    ),
    ("a target", link("\u{e9}", header: "\u{e9}")),
    ("GNU's target, cut", link(n100 + "m", header: n100)),
    ("libarchive's target", link(n100 + "m", header: "././@LongSymLink")),
    ("Signet's target", link(n100 + "m", header: "PaxHeaders/links/1")),
  ]

  @Test("names that are the entry's own, cut off, or known stand-ins are read", arguments: accepted.indices)
  func reads(_ index: Int) throws {
    #expect(
      try TarReaderTests.read(Self.accepted[index].bytes + TarBlock.end).count > 0, "\(Self.accepted[index].name)")
  }

  static let refused: [(code: SignetError.Code, name: String, bytes: [UInt8])] = [
    (.archiveTarHeader, "another name", file("readme.txt", header: "plugin.py")),
    (.archiveTarHeader, "a name that leads out", file("up.txt", header: "../up.txt")),
    (.archiveTarHeader, "a beginning where there is room for more", file("plugin.py.txt", header: "plugin.py")),
    (.archiveTarHeader, "a beginning, four bytes short", file(n100 + "m", header: String(n100.dropLast(4)))),
    (.archiveTarHeader, "no name", file("a", header: "")),
    (.archiveTarHeader, "Python's marks in the place of letters", file("\u{e9}.txt", header: "?.txt")),
    (.archiveTarHeader, "Go's names without them", file("\u{e9}.txt", header: ".txt")),
    (.archiveTarHeader, "Signet's stand-in for another thing", file("a", header: "PaxHeaders/links/1")),
    (.archiveTarHeader, "a stand-in without a number", file("a", header: "PaxHeaders/entries/")),
    (.archiveTarHeader, "a stand-in with more", file("a", header: "PaxHeaders/entries/1/x")),
    (.archiveTarHeader, "another prefix", file("d/a", header: "a", prefix: "e")),
    (.archiveTarHeader, "another name of the extended header", file("a", header: "a", extended: "plugin.py")),
    (.archiveTarHeader, "an extended header that leads out", file("a", header: "a", extended: "../PaxHeaders/a")),
    (.archiveTarHeader, "an absolute extended header", file("a", header: "a", extended: "/PaxHeaders/a")),
    (.archiveTarHeader, "an extended header of another entry", file("a", header: "a", extended: "PaxHeaders/b")),
    (.archiveTarHeader, "an extended header elsewhere", file("d/a", header: "d/a", extended: "PaxHeaders/a")),
    (
      .archiveTarHeader, "an extended header's number that is none",
      file("a", header: "a", extended: "PaxHeaders.x/a")
    ),
    (.archiveTarHeader, "another target", link("b", header: "/etc/passwd")),
    (.archiveTarHeader, "a target's beginning", link("b/c", header: "b")),
    (.archiveTarHeader, "no target", link("b", header: "")),
    (
      .archiveTarHeader, "a size of its own",
      extended("PaxHeaders/headers/1", record("size", "8589934592")) + TarBlock(size: "00000000001").bytes()
    ),
    (
      .pathNotUTF8, "cut within a letter",
      extended("PaxHeaders/headers/1", record("path", String(repeating: "n", count: 99) + "\u{e9}"))
        + TarBlock(patches: [(0, Array(repeating: UInt8(ascii: "n"), count: 99) + [0xc3])]).bytes()
    ),
    (.pathEmptyName, "cut behind a slash", file(n100.dropLast() + "/" + n100, header: n100.dropLast() + "/")),
    (.pathTrailing, "cut behind a dot", file(n100.dropLast() + ".so", header: n100.dropLast() + ".")),
    (
      .pathParent, "a target that leads out from where the stand-in lies",
      link("../../../a", header: "../../../a", name: "PaxHeaders/entries/1", path: "a/b/c/\u{e9}")
    ),
    (.archiveDuplicatePath, "two cut names", file(n100 + "a", header: n100) + file(n100 + "b", header: n100)),
    (.archiveTarHeader, "an entry with the name of a stand-in", TarBlock(name: "PaxHeaders/entries/1").bytes()),
    (.archiveTarHeader, "an entry in its folder, in capitals", TarBlock(name: "PAXHEADERS/b").bytes()),
    (.archiveTarHeader, "a file with its folder's name", TarBlock(name: "PaxHeader\u{17f}").bytes()),
    (
      .archiveDuplicatePath, "a stand-in twice",
      file("a", header: "PaxHeaders/entries/1", extended: "PaxHeaders/a")
        + file("b", header: "PaxHeaders/entries/1", extended: "PaxHeaders/b")
    ),
    (
      .archiveDuplicatePath, "an entry with the name of an extended header",
      file("a", header: "a", extended: "././@PaxHeader") + TarBlock(name: "@PaxHeader").bytes()
    ),
    (
      .pathCaseCollision, "a cut name that is another's in capitals",
      file(n100 + "a", header: n100) + TarBlock(name: n100.uppercased()).bytes()
    ),
    (
      .archivePathConflict, "a file where another lies",
      file(long, header: n100) + TarBlock(name: "y", prefix: n100).bytes()
    ),
    (
      .archivePathConflict, "a file where the extended headers lie",
      file("d/a", header: "d/a", extended: "d/PaxHeader/a") + TarBlock(name: "d/PaxHeader").bytes()
    ),
  ]

  @Test("every other name in a header below an extended one is refused", arguments: refused.indices)
  func refuses(_ index: Int) throws {
    let (code, name, bytes) = Self.refused[index]
    expectError(code, "\(name)") { _ = try TarReaderTests.read(bytes + TarBlock.end) }
  }

  @Test("what Signet writes keeps the rules, links deep below a name that is not ASCII among it")
  func written() throws {
    let items: [TarWriterTests.Item] = [
      .directory("\u{e9}"), .directory("\u{e9}/d"), .directory("\u{e9}/d/e"), .link("\u{e9}/d/e/l", "../../../a"),
    ]
    #expect(
      try TarReaderTests.read(TarWriterTests.written(items)).last?.content == .symbolicLink(target: "../../../a"))
  }
}
