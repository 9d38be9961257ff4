import SignetBase
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct OLPCJSONTests {
  @Test("numbers with a fraction and names that occur twice have no canonical form")
  func refused() throws {
    for text in ["1.5", "[1e3]", "-0"] {
      expectError(.tufNotCanonical) { _ = try OLPCJSON.encode(JSONReader.read(Array(text.utf8), limits: .payload)) }
    }
    expectError(.tufNotCanonical) { _ = try OLPCJSON.encode(.object(("a", .integer(1)), ("a", .integer(2)))) }
  }

  @Test("random values have the text that a slow model writes", .seeded)
  func random() throws {
    var numbers = SeededRandom()
    for _ in 0..<2000 {
      let value = Self.value(depth: 4, &numbers)
      let encoded = try OLPCJSON.encode(value)
      #expect(encoded == Self.model(value))
      let readable = try ReadableJSON.write(value)
      #expect(try OLPCJSON.encode(JSONReader.read(readable, limits: .payload)) == encoded)
    }
  }

  private static let characters: [Unicode.Scalar] = [
    "a", "b", "\"", "\\", "/", "\n", "\u{0}", "\u{7f}", "é", "\u{301}", "\u{ffff}", "😀",
  ]

  private static func text(_ numbers: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...4, using: &numbers) {
      text.append(characters.randomElement(using: &numbers) ?? "a")
    }
    return String(text)
  }

  private static func value(depth: Int, _ numbers: inout SeededRandom) -> JSONValue {
    switch Int.random(in: 0...(depth == 0 ? 3 : 5), using: &numbers) {
    case 0: return JSONValue(.null)
    case 1: return JSONValue(.bool(Bool.random(using: &numbers)))
    case 2: return .integer(Int.random(in: -9_007_199_254_740_991...9_007_199_254_740_991, using: &numbers))
    case 3: return .string(text(&numbers))
    case 4:
      let count = Int.random(in: 0...4, using: &numbers)
      return .array((0..<count).map { _ in value(depth: depth - 1, &numbers) })
    default:
      var members: [JSONValue.Member] = []
      for _ in 0..<Int.random(in: 0...4, using: &numbers) {
        let name = text(&numbers)
        guard !members.contains(where: { $0.name.isExactly(name) }) else { continue }
        members.append(JSONValue.Member(name, value(depth: depth - 1, &numbers)))
      }
      return JSONValue(.object(members))
    }
  }

  /// The definition, word by word: sorted by code point, only the quotation mark and the backslash escaped.
  private static func model(_ value: JSONValue) -> [UInt8] {
    func quoted(_ text: String) -> String {
      var result = String.UnicodeScalarView()
      result.append("\"")
      for scalar in text.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { result.append("\\") }
        result.append(scalar)
      }
      result.append("\"")
      return String(result)
    }
    func text(_ value: JSONValue) -> String {
      switch value.content {
      case .null: return "null"
      case .bool(let truth): return "\(truth)"
      case .integer(let number): return "\(number)"
      case .decimal(let number): return number
      case .string(let string): return quoted(string)
      case .array(let elements): return "[" + elements.map(text).joined(separator: ",") + "]"
      case .object(let members):
        let sorted = members.sorted {
          $0.name.unicodeScalars.map(\.value).lexicographicallyPrecedes($1.name.unicodeScalars.map(\.value))
        }
        return "{" + sorted.map { quoted($0.name) + ":" + text($0.value) }.joined(separator: ",") + "}"
      }
    }
    return Array(text(value).utf8)
  }
}
