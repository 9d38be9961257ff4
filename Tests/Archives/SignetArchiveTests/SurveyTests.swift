import SignetBase
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// What a survey says of archives that the strict readers refuse.
@Suite struct SurveyTests {
  private static func zip(_ bytes: [UInt8], in surroundings: ZIPSurvey.Surroundings = .nothing) -> String {
    do throws(SignetError) {
      let behind = try ZIPSurvey.check(BytesInMemory(bytes, path: "a"), in: surroundings).trailing
      return behind?.code.rawValue ?? "accepted"
    } catch { return error.code.rawValue }
  }

  private static func tar(_ bytes: [UInt8]) -> String {
    do throws(SignetError) {
      try TarSurvey.check(BytesInMemory(bytes, path: "a"))
      return "accepted"
    } catch { return error.code.rawValue }
  }

  // MARK: ZIPs

  @Test("whatever the strict reader accepts, the survey does, too")
  func strictZIPs() throws {
    let vectors = try Vector.all(in: "archives").filter { $0.expected == ["accepted"] || $0.expected == ["valid"] }
    #expect(vectors.count > 5)
    for vector in vectors {
      #expect(Self.zip(try vector.bytes("module.zip")) == "accepted", "\(vector.name)")
    }
  }

  @Test(
    "dangers of the vectors are dangers of the survey",
    arguments: [
      ("archive.trailing-data", ["archive.trailing-data"]), ("archive.leading-data", ["archive.leading-data"]),
      ("archive.gap", ["archive.gap"]), ("archive.overlap", ["archive.overlap", "archive.gap", "archive.truncated"]),
      ("archive.encrypted", ["archive.encrypted"]),
    ])
  func dangers(code: String, found: [String]) throws {
    // Signatures of Android are no danger, nor is the marker of an archive that was to be split.
    let ordinary = ["block-foreign", "place-leading-marker", "place-leading-marker-single"]
    let all = try Vector.all(in: "archives")
    for vector in all where ordinary.contains(vector.name) {
      #expect(Self.zip(try vector.bytes("module.zip")) == "accepted", "\(vector.name)")
    }
    let vectors = all.filter { $0.expected.first == code && !ordinary.contains($0.name) }
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let result = Self.zip(try vector.bytes("module.zip"))
      #expect(result != "accepted", "\(vector.name)")
      if vectors.count == 1 { #expect(found.contains(result), "\(vector.name): \(result)") }
    }
  }

  @Test("a data descriptor must say what the central directory says", arguments: [true, false])
  func descriptors(hasSignature: Bool) {
    func little(_ value: Int, _ count: Int) -> [UInt8] { ZIPBytes.little(value, count) }
    func archive(_ descriptor: [UInt8], localFlags: Int = 8) -> [UInt8] {
      let crc = 0xd877_5dd1
      let local =
        little(0x0403_4b50, 4) + little(20, 2) + little(localFlags, 2) + little(0, 6)
        + little(0, 12) + little(1, 2) + little(0, 2) + Array("a".utf8) + Array("data".utf8)
      let central =
        little(0x0201_4b50, 4) + little(0x31e, 2) + little(20, 2) + little(8, 2) + little(0, 6) + little(crc, 4)
        + little(4, 4) + little(4, 4) + little(1, 2) + little(0, 12) + little(0, 4) + Array("a".utf8)
      let body = local + descriptor
      return body + central + little(0x0605_4b50, 4) + little(0, 4) + little(1, 2) + little(1, 2)
        + little(central.count, 4) + little(body.count, 4) + little(0, 2)
    }
    let start = hasSignature ? little(0x0807_4b50, 4) : []
    let right = start + little(0xd877_5dd1, 4)
    #expect(Self.zip(archive(right + little(4, 4) + little(4, 4))) == "accepted")
    #expect(Self.zip(archive(right + little(4, 8) + little(4, 8))) == "accepted")
    #expect(Self.zip(archive(right + little(4, 4) + little(5, 4))) == "archive.header-mismatch")
    #expect(Self.zip(archive(start + little(1, 4) + little(4, 4) + little(4, 4))) == "archive.header-mismatch")
    #expect(Self.zip(archive([])) == "archive.header-mismatch")
    #expect(Self.zip(archive(right + little(4, 4) + little(4, 4) + [0])) == "archive.gap")
    #expect(Self.zip(archive(right + little(4, 4) + little(4, 4), localFlags: 9)) == "archive.encrypted")
  }

  @Test("only behind a program may a ZIP have something before it")
  func prefix() throws {
    let vector = try #require(try Vector.all(in: "archives").first { $0.name == "place-leading" })
    let bytes = try vector.bytes("module.zip")
    #expect(Self.zip(bytes) == "archive.leading-data")
    #expect(Self.zip(bytes, in: .program) == "accepted")
  }

  // MARK: Tars

  /// A header, with a right checksum whatever is in it.
  private static func header(
    _ name: String, type: String = "0", size: String = "00000000000", rest: [Int: UInt8] = [:]
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
    }
    put(name, at: 0)
    put("0000644", at: 100)
    put(size, at: 124)
    put(type, at: 156)
    put("ustar  ", at: 257)
    for (offset, byte) in rest { block[offset] = byte }
    let sum = String(TarField.sum(of: block), radix: 8)
    put(String(repeating: "0", count: 6 - sum.count) + sum, at: 148)
    block[155] = 0x20
    return block
  }

  private static let end = [UInt8](repeating: 0, count: 1024)

  private static func padded(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: TarField.padding(behind: text.utf8.count))
  }

  private static func extended(_ records: String, type: String = "x") -> [UInt8] {
    header("x", type: type, size: String(records.utf8.count, radix: 8)) + padded(records)
  }

  @Test("GNU's and old tars are accepted")
  func forms() {
    let name = String(repeating: "n", count: 200) + "\u{0}"
    for bytes in [
      Self.header("a"), Self.header("a", size: "3") + Self.padded("abc"), Self.header("a", type: "\u{0}"),
      Self.header("L", type: "L", size: "311") + Self.padded(name) + Self.header("n"),
      Self.extended("52 comment=1234567890123456789012345678901234567890\n", type: "g") + Self.header("a"),
      Self.extended("9 size=3\n") + Self.header("a", size: "3") + Self.padded("abc"),
      Self.extended("9 size=3\n") + Self.header("a", size: "0") + Self.padded("abc"),
      Self.header("a", type: "S", size: "3") + Self.padded("abc"),
      Self.header("a", type: "S", size: "3", rest: [482: 1]) + [UInt8](repeating: 0, count: 512) + Self.padded("abc"),
      Self.header("a", type: "V"),
    ] {
      #expect(Self.tar(bytes + Self.end) == "accepted")
      #expect(Self.tar(bytes + Self.end + [UInt8](repeating: 0, count: 77_777)) == "accepted")
    }
  }

  @Test("what two readers could cut in two ways is refused")
  func contradictions() {
    let content = Self.padded("abc")
    let sizes = Self.extended("9 size=3\n")
    for (bytes, code) in [
      (sizes + Self.header("a", size: "2") + content, "archive.tar-header"),
      (sizes + sizes + Self.header("a", size: "3") + content, "archive.tar-header"),
      (Self.extended("9 size=3\n9 size=3\n") + Self.header("a", size: "3") + content, "archive.tar-header"),
      (Self.extended("9 size=3\n", type: "g") + Self.header("a", size: "3") + content, "archive.tar-header"),
      (Self.extended("9 size=x\n") + Self.header("a"), "archive.tar-header"),
      (Self.extended("99 size=3\n") + Self.header("a"), "archive.tar-header"),
      (Self.header("a", type: "2", size: "3") + content, "archive.tar-header"),
      (Self.header("a", type: "5", size: "3") + content, "archive.tar-header"),
      (Self.header("a", size: "3x") + content, "archive.tar-header"),
      (Self.header("a", rest: [124: 0xff, 125: 0xff]), "archive.tar-header"),
      (Self.header("a", size: "3") + Array("abcX".utf8) + content.dropFirst(4), "archive.gap"),
      (Self.header("a", size: "7777"), "archive.truncated"),
    ] {
      #expect(Self.tar(bytes + Self.end) == code)
    }
    #expect(Self.tar(Self.header("a") + Self.end + [1]) == "archive.trailing-data")
    #expect(Self.tar(Self.header("a")) == "archive.truncated")
    #expect(Self.tar([]) == "archive.truncated")
    var damaged = Self.header("a")
    damaged[0] ^= 1
    #expect(Self.tar(damaged + Self.end) == "archive.tar-header")
  }

  // MARK: Paths

  @Test("a path is dangerous if it leads out or is not what it seems to be")
  func paths() {
    for (path, code) in [
      ("/a", SignetError.Code.pathAbsolute), ("../a", .pathParent), ("a/..", .pathParent), ("a\\b", .pathBackslash),
      ("C:a", .pathDrive), ("c:/a", .pathDrive), ("a\u{1}", .pathControl), ("a\u{202e}b", .pathInvisible),
      (String(repeating: "d/", count: 800) + "../../x", .pathParent), ("a\u{308}/../b", .pathParent),
    ] { #expect(PathDanger.of(ListedName(Array(path.utf8)))?.code == code, "\(path)") }
    for path in ["a", "./a", "a//b", "a/b/", "con", "ab:c", "Foo::Bar.3pm", "a.", "a b", "..a", "a..", "é", "a?"] {
      #expect(PathDanger.of(ListedName(Array(path.utf8))) == nil, "\(path)")
    }
  }

  private static func danger(_ target: String, isRooted: Bool) -> SignetError? {
    PathDanger.of(target: ListedName(Array(target.utf8)), ofLinkAt: ListedName(Array("d/l".utf8)), isRooted: isRooted)
  }

  @Test("a link is dangerous if it leads out, and in a package an absolute one is not")
  func links() {
    for target in ["/a", "../../a", "a/../../b", "a/../b", "../../../a"] {
      #expect(Self.danger(target, isRooted: false) != nil, "\(target)")
      #expect(Self.danger(target, isRooted: true) == nil, "\(target)")
    }
    for target in ["a", "../a", "./a", "..", "", "a//b"] {
      #expect(Self.danger(target, isRooted: false) == nil, "\(target)")
    }
    #expect(Self.danger("..\\a", isRooted: false) != nil)
    #expect(Self.danger("..\\a", isRooted: true) == nil)
    for target in ["C:/a", "a\u{0}"] {
      #expect(Self.danger(target, isRooted: true) != nil, "\(target)")
    }
  }
}
