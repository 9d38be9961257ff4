import Foundation
import PTLaunchFace
import PluginKit
import TestSupport
import Testing

@testable import PTTestSupport

/// Launch files as editors and tools write them, and files that nobody should.
@Suite("PTRouter's launch files") struct LaunchFileTests {
  private static let name = "Settings.plist"

  private static func read(_ bytes: [UInt8]) throws -> [String: any Sendable] {
    try PTAppLaunchHelper(Switchboard(), .inProgram([name: bytes])).dict(plist: name)
  }

  private static func xml(_ content: String, before: String = "") -> [UInt8] {
    Array(
      (before + """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(content)
        </plist>

        """).utf8)
  }

  @Test(
    "each type of value is read as what it is, in both formats",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func values(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let list: [String: Any] = [
      "text": "盲僧 & <b>", "empty": "", "yes": true, "no": false, "zero": 0, "one": 1, "negative": -7,
      "big": Int.max, "real": 1.5, "whole": 2.0, "date": date, "data": Data([0, 255]), "list": ["a", 1, [true]],
      "dictionary": ["a": ["b": ["c": "d"]]], "": "no name", "a.b/c:": "odd name",
    ]
    let values = try Self.read(plist(list, format))
    #expect(values.count == list.count)
    #expect(values["text"] as? String == "盲僧 & <b>" && values["empty"] as? String == "")
    #expect(values["yes"] as? Bool == true && values["no"] as? Bool == false)
    #expect(values["zero"] as? Int == 0 && values["one"] as? Int == 1 && values["negative"] as? Int == -7)
    #expect(values["zero"] as? Bool == nil && values["yes"] as? Int == nil)
    #expect(values["big"] as? Int == Int.max && values["real"] as? Double == 1.5)
    #expect((values["whole"] as? Double ?? (values["whole"] as? Int).map(Double.init)) == 2)
    #expect(values["date"] as? Date == date && values["data"] as? [UInt8] == [0, 255])
    let list2 = try #require(values["list"] as? [any Sendable])
    #expect(list2[0] as? String == "a" && list2[1] as? Int == 1 && list2[2] as? [Bool] == [true])
    #expect(
      ((values["dictionary"] as? [String: any Sendable])?["a"] as? [String: [String: String]])?["b"]?["c"] == "d")
    #expect(values[""] as? String == "no name" && values["a.b/c:"] as? String == "odd name")
  }

  @Test(
    "XML as editors and tools write it is read",
    arguments: [
      xml("<dict><key>k</key><string>v</string></dict>"),
      xml("<dict><key>k</key><string>v</string></dict>", before: "\u{feff}"),
      xml("<dict><!-- a <b> comment --><key>k</key><!-- > --><string>v</string></dict>"),
      xml("<dict>\r\n\t<key>k</key>\r\n\t<string><![CDATA[v]]></string>\r\n</dict>"),
      xml("<dict><key>&#107;</key><string>&#x76;</string><key>h</key><integer>0x1F</integer></dict>"),
      xml("<dict><key>k</key><string>v</string><key>e</key><dict/><key>l</key><array/><key>t</key><true/></dict>"),
      Array("<plist><dict><key>k</key><string>v</string></dict></plist>".utf8),
      Array("\n  \t<plist version=\"1.0\"><dict><key>k</key><string>v</string></dict></plist>  \n".utf8),
    ])
  func xmlVariants(_ bytes: [UInt8]) throws { #expect(try Self.read(bytes)["k"] as? String == "v") }

  @Test(
    "what is no dictionary is refused, however deep or large it is",
    arguments: [
      "", " ", "x", "{}", "[]", #"{"k": "v"}"#, "<", "<plist>", "<plist/>", "<plist></plist>", "bplist00", "bplist",
      "<plist><array><string>x</string></array></plist>", "<plist><string>x</string></plist>", "<html><dict/></html>",
      "<plist><dict><key>k</key></dict></plist>", "<plist><dict><string>v</string></dict></plist>",
      "<plist><dict><key>k</key><string>v</dict></plist>", "x<plist><dict/></plist>",
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict><key>k</key><string>&a;</string></dict></plist>",
      "<plist><dict><key>k</key><string>&unknown;</string></dict></plist>",
      "<plist>" + String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 100_000)
        + "</plist>",
      "<plist><dict>" + String(repeating: "<key>k</key><dict>", count: 40)
        + String(repeating: "</dict>", count: 41) + "</plist>",
      "<plist>" + String(repeating: "<dict a='/>'>", count: 100_000) + "</plist>",
      "<plist>" + String(repeating: "<dict><!--</dict>-->", count: 100_000) + "</plist>",
      // A decoder does not end these comments where they begin.
      "<plist>" + String(repeating: "<array><!--></array>-->", count: 45_000) + "</plist>",
      "<plist>" + String(repeating: "<array><!---></array>-->", count: 40_000) + "</plist>",
      // Neither of the two formats, but one that Foundation also reads.
      "bplist = v;", "bplist = " + String(repeating: "(", count: 100_000), "{k = v;}",
      "<plist><dict><key>k</key><array>" + String(repeating: "<true/>", count: 30_000) + "</array></dict></plist>",
      String(repeating: "<", count: 100_000), "<!--", "<![CDATA[", "<?xml",
    ].map { LongText($0) })
  func malformed(_ hostile: LongText) {
    expectPluginError(.launchFile) { try Self.read(Array(hostile.text.utf8)) }
  }

  /// A binary list of these objects, the first of which is the root.
  private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for object in objects {
      places.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += places + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }

  @Test("a binary list that holds itself, or one value very often, ends; and so does one that is cut off or changed")
  func binaries() throws {
    let key: [UInt8] = [0x51, 0x6b]
    // {k: itself}, and {k: [[…[k, k]…], […]]}.
    expectPluginError(.launchFile) { try Self.read(Self.binary([[0xd1, 1, 0], key])) }
    var objects: [[UInt8]] = [[0xd1, 1, 2], key]
    for number in 3...31 as ClosedRange<UInt8> { objects.append([0xa2, number, number]) }
    objects.append(key)
    expectPluginError(.launchFile) { try Self.read(Self.binary(objects)) }
    let good = Self.binary([[0xd1, 1, 2], key, [0x51, 0x76]])
    #expect(try Self.read(good)["k"] as? String == "v")
    for end in 0..<good.count { expectPluginError(.launchFile) { try Self.read(Array(good[..<end])) } }
    // An archive of objects has values that mean nothing here.
    #expect(try Self.read(Self.binary([[0xd1, 1, 2], key, [0x80, 1]])).isEmpty)
  }

  @Test(
    "a binary list whose counts no number holds, or whose texts reach beyond its end, is refused",
    arguments: [
      [0xaf, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], [0xcf, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [0xaf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0xaf, 0x14] + [UInt8](repeating: 0xff, count: 16),
      [0xdf, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0xdf, 0x13, 0x7f, 0, 0, 0, 0, 0, 0, 0],
      [0x6f, 0x10, 100] + [UInt8](repeating: 0, count: 100), [0x6f, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0],
      [0x5f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x4f, 0x12, 0xff, 0xff, 0xff, 0xff], [0xaf],
      [0xaf, 0x1f], [0xd1, 0], [0x6f, 0x50], [0xa1, 0xff],
    ] as [[UInt8]])
  func counts(_ value: [UInt8]) {
    let key: [UInt8] = [0x51, 0x6b]
    expectPluginError(.launchFile) { try Self.read(Self.binary([[0xd1, 1, 2], key, value])) }
    expectPluginError(.launchFile) { try Self.read(Self.binary([value])) }
    // A list that ends with the value.
    var bytes = Self.binary([[0xd1, 1, 2], key, value])
    bytes[bytes.count - 25] = 8
    expectPluginError(.launchFile) { try Self.read(bytes) }
  }

  /// A binary list with references of two bytes and places of four, whose first object is the root.
  private static func large(_ objects: [[UInt8]]) -> [UInt8] {
    func four(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian, Array.init) }
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for object in objects {
      places += four(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += places + [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [objects.count, 0, table] { bytes += [0, 0, 0, 0] + four(number) }
    return bytes
  }

  @Test(
    "a small binary list that names a large value again and again is refused, and one that does so little is read")
  func repeated() throws {
    let key: [UInt8] = [0x51, 0x6b]
    func count(_ kind: UInt8, _ number: Int) -> [UInt8] {
      [kind | 0x0f, 0x11, UInt8(number >> 8), UInt8(number & 0xff)]
    }
    func reference(_ number: Int, _ times: Int) -> [UInt8] { (0..<times).flatMap { _ in [0, UInt8(number)] } }
    let root: [UInt8] = [0xd1, 0, 1, 0, 2]
    let text = [0x5f, 0x12, 0, 0x0d, 0xbb, 0xa0] + [UInt8](repeating: 0x61, count: 900_000)
    let data = [0x4f, 0x12, 0, 0x0d, 0xbb, 0xa0] + [UInt8](repeating: 0x61, count: 900_000)
    for value in [text, data] {
      for (times, isRead) in [(2, true), (1000, false)] {
        let bytes = Self.large([root, key, count(0xa0, times) + reference(3, times), value])
        if isRead {
          #expect(try Self.read(bytes).count == 1)
        } else {
          expectPluginError(.launchFile) { try Self.read(bytes) }
        }
      }
    }
    // A dictionary that has one name very often counts as large as it is, and so does what the decoder cannot read.
    let names = count(0xd0, 5000) + reference(1, 10_000)
    let set = count(0xc0, 5000) + reference(1, 5000)
    let wrong = count(0xd0, 5000) + reference(3, 10_000)
    for value in [names, set, wrong] {
      let bytes = Self.large([root, key, count(0xa0, 1000) + reference(3, 1000), value])
      expectPluginError(.launchFile) { try Self.read(bytes) }
    }
  }

  @Test(
    "numbers and dates that nothing holds are left out, or read as nearly as possible",
    arguments: [
      "<integer>99999999999999999999</integer>", "<integer>-99999999999999999999</integer>",
      "<integer>18446744073709551615</integer>", "<integer></integer>", "<integer>0x</integer>",
      "<integer>0xffffffffffffffffff</integer>", "<integer>1e9</integer>", "<real>1e999</real>", "<real>nan</real>",
      "<real>-infinity</real>", "<real>0x1p9</real>", "<real> </real>", "<real>1,5</real>", "<date>now</date>",
      "<date>9223372036854775807-99-99T99:99:99Z</date>", "<date>-9223372036854775807-01-01T00:00:00Z</date>",
      "<date>99999999999999999999-01-01T00:00:00Z</date>", "<date>0000-00-00T00:00:00Z</date>",
      "<date>200000000-12-31T23:59:59Z</date>", "<date>2026-02-31T24:60:60Z</date>", "<data>&</data>",
      "<data>====</data>", "<data>A</data>", "<string>$null</string>",
      "<dict><key>CF$UID</key><integer>1</integer></dict>",
      "<dict><key>$null</key><true/></dict>",
    ])
  func numbers(_ value: String) {
    do {
      let values = try Self.read(Self.xml("<dict><key>v</key>\(value)<key>k</key><true/></dict>"))
      #expect(values["k"] as? Bool == true)
    } catch { #expect((error as? PluginError)?.code == .launchFile) }
  }

  @Test(
    "files that a tool has damaged are read or refused, and never end the process", .seeded, .timeLimit(.minutes(60)))
  func damaged() throws {
    var random = SeededRandom()
    let lists = try [PropertyListSerialization.PropertyListFormat.xml, .binary].flatMap { format in
      try [Sample.appConfigurator, Sample.autoRegistURL, Sample.autoInitialize].map { try plist($0, format) }
    }
    for _ in 0..<3000 {
      var bytes = lists[Int.random(in: 0..<lists.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      do { _ = try Self.read(bytes) } catch { #expect((error as? PluginError)?.code == .launchFile) }
    }
  }

  @Test("a file on disk is read as it is if the host says so; without one, nothing happens")
  func folders() async throws {
    let folder = try TemporaryFolder()
    let helper = PTAppLaunchHelper(Switchboard(), .unsigned(in: folder.path))
    #expect(try await helper.autoInitModule().entries.isEmpty)
    #expect(try helper.autoRegistURL().entries.isEmpty && helper.autoRegistDataModules().entries.isEmpty)
    try folder.write("AutoInitialize.plist", plist(Sample.autoInitialize, .binary))
    try folder.write("AutoRegistURL.plist", plist(Sample.autoRegistURL))
    #expect(try await helper.autoInitModule().failures.map(\.error?.code) == [.launchNotLoaded, .launchNotLoaded])
    #expect(try helper.autoRegistURL().failures.isEmpty)
    // A folder is no file, and a file has an end.
    try FileManager.default.createDirectory(
      atPath: folder.file("DataModules.plist"), withIntermediateDirectories: false)
    expectPluginError(.launchFile) { try helper.autoRegistDataModules() }
    try folder.write("AppConfigurator.plist", [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20 + 1))
    let error = await #expect(throws: PluginError.self) { try await helper.autoInitModule() }
    #expect(error?.code == .launchFile)
    let missing = PTAppLaunchHelper(Switchboard(), .unsigned(in: folder.file("none")))
    #expect(try await missing.autoInitModule().entries.isEmpty)
  }
}
