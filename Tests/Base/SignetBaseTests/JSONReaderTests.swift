import Foundation
import TestSupport
import Testing

@testable import SignetBase

@Suite struct JSONReaderTests {
  static func read(_ text: String, _ limits: JSONLimits = .bundle) throws -> JSONValue {
    try JSONReader.read(Array(text.utf8), limits: limits)
  }

  @Test(
    "what is not JSON is refused at its line and column",
    arguments: [
      ("", "line 1, column 1"), ("{", "line 1, column 2"), ("[1,]", "line 1, column 4"),
      ("{\"a\":1,}", "line 1, column 8"),
      ("[\n 01]", "line 2, column 3"), ("[1 2]", "line 1, column 4"), ("nul", "line 1, column 1"),
      ("\"\t\"", "line 1, column 2"), ("\"\u{1f}\"", "line 1, column 2"), ("\"\\u0041", "line 1, column 1"),
      ("\"\\x\"", "line 1, column 2"),
      ("\"\\u12g4\"", "line 1, column 2"),
      ("\"\\udc00\"", "line 1, column 2"), ("\"\\ud800x\"", "line 1, column 2"), ("\"abc", "line 1, column 1"),
      ("-", "line 1, column 2"), ("1.", "line 1, column 3"), ("1e", "line 1, column 3"), ("+1", "line 1, column 1"),
      (".5", "line 1, column 1"), ("0x10", "line 1, column 2"), ("'a'", "line 1, column 1"),
      ("{a:1}", "line 1, column 2"),
      ("{\"a\" 1}", "line 1, column 6"), ("1 1", "line 1, column 3"), ("\"é\" x", "line 1, column 5"),
      ("NaN", "line 1, column 1"),
      ("\u{a0}1", "line 1, column 1"), ("[1\u{c}]", "line 1, column 3"), ("\"a\\", "line 1, column 3"),
    ])
  func syntax(text: String, place: String) {
    #expect(expectError(.jsonSyntax) { _ = try Self.read(text) }?.object == place)
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [
      [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80],
      [0xef, 0xbb, 0xbf, 0x31],
    ] as [[UInt8]])
  func encoding(bytes: [UInt8]) {
    let text = bytes.first == 0xef ? bytes : [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    expectError(.jsonEncoding) { _ = try JSONReader.read(text, limits: .bundle) }
  }

  @Test("UTF-8 is what the standard library takes for it", .seeded)
  func utf8() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        [UInt8.random(in: 0...255, using: &random), 0xe0, 0xed, 0xf0, 0xf4, 0xa0, 0x8f, 0x41]
          .randomElement(using: &random) ?? 0
      }
      #expect(
        (UTF8Check.firstFault(in: bytes) == nil) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }

  @Test("every first byte of UTF-8 is taken with every second byte that it may have, and with no other")
  func beginnings() {
    for first in UInt8(0x80)...0xff {
      for second in [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0] as [UInt8] {
        for rest in [[], [0x80], [0x80, 0xbf], [0x80, 0x7f], [0x80, 0xc0], [0x80, 0xbf, 0x80]] as [[UInt8]] {
          let bytes = [first, second] + rest
          let isText = String(validating: bytes, as: UTF8.self) != nil
          #expect((UTF8Check.firstFault(in: bytes) == nil) == isText, "\(bytes)")
        }
      }
    }
  }

  @Test("a name that stands twice is refused, however it is written; one that only normalises to the same is not")
  func duplicates() throws {
    for text in [
      "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":{\"c\":1,\"c\":2}}", "{\"\\u0061\":1,\"a\":2}", "[{\"\":1,\"\":2}]",
    ] {
      expectError(.jsonDuplicateName) { _ = try Self.read(text) }
    }
    guard case .object(let members) = try Self.read("{\"\u{e9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212a}\":4}").content
    else {
      Issue.record("no object")
      return
    }
    #expect(members.count == 4)
  }

  @Test("a name that stands twice is found among many", arguments: [15, 16, 17, 40])
  func duplicatesAmongMany(_ count: Int) throws {
    let members = (0..<count).map { "\"\($0)\":1" }
    _ = try Self.read("{\(members.joined(separator: ","))}")
    for name in [0, count / 2, count - 1] {
      expectError(.jsonDuplicateName) {
        _ = try Self.read("{\((members + ["\"\(name)\":2"]).joined(separator: ","))}")
      }
    }
  }

  @Test("numbers are exact or refused")
  func numbers() throws {
    func integer(_ text: String) throws -> Int64? {
      if case .integer(let number) = try Self.read(text).content { return number }
      return nil
    }
    #expect(try integer("9007199254740991") == 9_007_199_254_740_991)
    #expect(try integer("-9007199254740991") == -9_007_199_254_740_991)
    #expect(try integer("0") == 0)
    for text in ["1.0", "1e2", "-0", "0.5", "1E-3"] {
      guard case .decimal(let number) = try Self.read(text).content else {
        Issue.record("\(text)")
        continue
      }
      #expect(number == text)
    }
    for text in [
      "9007199254740992", "-9007199254740992", String(repeating: "9", count: 41),
      "0." + String(repeating: "1", count: 40), "0." + String(repeating: "1", count: 39),
    ] {
      expectError(.jsonNumber) { _ = try Self.read(text) }
    }
    let longest = "0." + String(repeating: "1", count: 38)
    #expect(throws: Never.self) { try Self.read(longest) }
  }

  @Test("members that are null can be left out, at every depth")
  func withoutNulls() throws {
    let value = try Self.read(#"{"a":null,"b":[null,{"c":null,"d":1}]}"#).withoutNulls
    #expect(try CanonicalJSON.write(value) == Array(#"{"b":[null,{"d":1}]}"#.utf8))
  }

  @Test("size, depth and count are bounded")
  func bounds() throws {
    let limits = JSONLimits(size: 100, depth: 3, values: 5)
    #expect(
      expectError(.jsonBounds) { _ = try Self.read(String(repeating: " ", count: 101), limits) }?.expected
        == "at most 100 bytes")
    _ = try Self.read("[[[1]]]", limits)
    expectError(.jsonBounds) { _ = try Self.read("[[[[1]]]]", limits) }
    _ = try Self.read("[1,2,3,4]", limits)
    expectError(.jsonBounds) { _ = try Self.read("[1,2,3,4,5]", limits) }
    expectError(.jsonBounds) { _ = try Self.read(String(repeating: "[", count: 1_000_000)) }
    expectError(.jsonBounds) { _ = try Self.read(String(repeating: "{\"a\":", count: 100_000)) }
  }

  @Test("escapes are decoded once")
  func escapes() throws {
    guard case .string(let text) = try Self.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00\\u0000\"").content
    else {
      Issue.record("no string")
      return
    }
    #expect(Array(text.unicodeScalars) == Array("\"\\/\u{8}\u{c}\n\r\tA😀\u{0}".unicodeScalars))
  }

  @Test("what the strict reader accepts, Foundation reads too")
  func agreement() throws {
    var count = 0
    for vector in try Vector.all(in: "bundles") where vector.name.hasPrefix("accepted") {
      guard let text = vector.inputs["plugin.bin.sigstore.json"],
        (try? JSONReader.read(text, limits: .bundle)) != nil
      else { continue }
      #expect((try? JSONSerialization.jsonObject(with: Data(text))) != nil)
      count += 1
    }
    #expect(count > 0)
  }
}
