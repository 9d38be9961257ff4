import SignetBase
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct TextFormTests {
  @Test(
    "times are read with a fraction or an offset, and written in one form",
    arguments: [
      ("2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z"), ("2021-12-18T13:28:12.99008-06:00", "2021-12-18T19:28:12Z"),
      ("2030-01-01T00:00:00.5Z", "2030-01-01T00:00:00Z"), ("2030-01-01T00:00:00+23:59", "2029-12-31T00:01:00Z"),
    ])
  func times(text: String, expected: String) { #expect(ExpiryTime.read(text)?.description == expected) }

  @Test(
    "other times are not",
    arguments: [
      "", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01T00:00:00.Z", "2030-01-01T00:00:00+24:00",
      "2030-01-01T00:00:00+00:60", "2030-01-01T00:00:00+0000", "2030-02-30T00:00:00Z", "2030-01-01T00:00:00ZZ",
      "2030-01-01T00:00:00.5", "2030-01-01 00:00:00Z", "2030-01-01T00:00:00Z\n", "２030-01-01T00:00:00Z",
    ])
  func badTimes(text: String) { #expect(ExpiryTime.read(text) == nil) }

  @Test("names are percent-encoded, and decode to themselves", .seeded)
  func percent() {
    #expect(PercentEncoding.roleName("../a b/é~_.-Z9") == "..%2Fa%20b%2F%C3%A9~_.-Z9")
    #expect(PercentEncoding.fileName("..") == "%2E%2E")
    #expect(PercentEncoding.urlPath("a/b c?d#e%5Bf%zz[") == "a/b%20c%3Fd%23e%5Bf%25zz%5B")
    for bad in ["%", "%a", "%zz", "%ff"] { #expect(PercentEncoding.decode(bad) == nil) }
    var numbers = SeededRandom()
    for _ in 0..<500 {
      var text = String.UnicodeScalarView()
      for _ in 0..<6 { text.append(Unicode.Scalar(UInt32.random(in: 1...0x2ff, using: &numbers)) ?? "a") }
      let name = String(text)
      for encoded in [PercentEncoding.roleName(name), PercentEncoding.fileName(name)] {
        #expect(PercentEncoding.decode(encoded)?.utf8.elementsEqual(name.utf8) == true)
        #expect(!encoded.utf8.contains(UInt8(ascii: "/")))
      }
    }
  }

  @Test("readable JSON has one member a line")
  func readable() throws {
    let value = JSONValue.object(
      ("a", .array([])), ("b", .object()), ("c", .array([.integer(1), .string("x\n")])), ("d", JSONValue(.null)))
    let expected = """
      {
       "a": [],
       "b": {},
       "c": [
        1,
        "x\\n"
       ],
       "d": null
      }

      """
    #expect(String(decoding: try ReadableJSON.write(value), as: UTF8.self) == expected)
    expectError(.tufNotCanonical) { _ = try ReadableJSON.write(.array([JSONValue(.decimal("1.5"))])) }
  }
}
