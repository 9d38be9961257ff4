import TestSupport
import Testing

@testable import SignetBase

@Suite struct CanonicalJSONTests {
  private func write(_ value: JSONValue) throws -> String {
    String(decoding: try CanonicalJSON.write(value), as: UTF8.self)
  }

  @Test("names are sorted by their bytes, text is escaped only where it must be")
  func text() throws {
    let value = JSONValue.object(
      ("\u{10000}", .integer(1)), ("\u{ffff}", .integer(2)),
      ("b", .array([JSONValue(.null), JSONValue(.bool(true))])),
      ("a", .string("\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}é\u{2028}")), ("", .integer(-7)), ("left out", nil))
    #expect(
      try write(value)
        == "{\"\":-7,\"a\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}é\u{2028}\",\"b\":[null,true],\"\u{ffff}\":2,\"\u{10000}\":1}"
    )
  }

  @Test("indented text has one member or element a line, and nothing between the brackets of an empty one")
  func indented() throws {
    let value = JSONValue.object(
      ("b", .array([.integer(1), .string("x\n")])), ("a", .object(("c", .array([])), ("d", .object()))))
    let expected = """
      {
        "b": [
          1,
          "x\\n"
        ],
        "a": {
          "c": [],
          "d": {}
        }
      }

      """
    #expect(String(decoding: try JSONWriter.indented(by: 2).write(value), as: UTF8.self) == expected)
  }

  @Test("a number that is not whole has no canonical form")
  func decimal() throws {
    let value = try JSONReader.read(Array("[1.5]".utf8), limits: .bundle)
    expectError(.jsonNumber) { _ = try CanonicalJSON.write(value) }
  }

  @Test("a number that readers of JSON may round has no canonical form")
  func rounded() throws {
    for most in [(Int64(1) << 53) - 1, -(Int64(1) << 53) + 1] {
      let next = JSONValue(.integer(most + most.signum()))
      #expect(try write(JSONValue(.integer(most))) == "\(most)")
      expectError(.jsonNumber) { _ = try CanonicalJSON.write(next) }
      #expect(throws: Never.self) { try JSONWriter.canonical(isBounded: false).write(next) }
    }
  }

  @Test(
    "another spelling of the same value is not canonical",
    arguments: ["[1, 2]", " 1", "1\n", "{\"b\":1,\"a\":2}", "\"\\u0041\"", "\"\\/\"", "\"\\u001F\"", "{\"a\":1 }"])
  func notCanonical(text: String) {
    expectError(.jsonNotCanonical) { _ = try CanonicalJSON.read(Array(text.utf8), limits: .bundle) }
  }

  @Test("what is written reads back as the same bytes, for random values", .seeded)
  func roundTrip() throws {
    var generator = SeededRandom()
    func value(_ depth: Int) -> JSONValue {
      switch Int.random(in: 0...(depth > 3 ? 3 : 5), using: &generator) {
      case 0: return JSONValue(.null)
      case 1: return JSONValue(.bool(.random(using: &generator)))
      case 2: return JSONValue(.integer(.random(in: -(1 << 53 - 1)...(1 << 53 - 1), using: &generator)))
      case 3: return .string(text())
      case 4: return .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth + 1) })
      default:
        var names = Set<[UInt8]>()
        return JSONValue(
          .object(
            (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ in
              let name = text()
              return names.insert(Array(name.utf8)).inserted ? JSONValue.Member(name, value(depth + 1)) : nil
            }))
      }
    }
    func text() -> String {
      let scalars = (0..<Int.random(in: 0...5, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x11000, using: &generator))
      }
      return String(String.UnicodeScalarView(scalars))
    }
    for _ in 0..<2000 {
      let bytes = try CanonicalJSON.write(value(0))
      #expect(try CanonicalJSON.write(CanonicalJSON.read(bytes, limits: .bundle)) == bytes)
    }
  }
}
