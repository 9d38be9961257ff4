import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import ReleaseGate

@Suite struct DistinctTextTests {
  @Test(
    "what does not show itself is escaped, and so is what looks like an escape",
    arguments: [
      ("plain/é🦊", "plain/é🦊"), ("a\nb", #"a\u{a}b"#), (#"a\u{a}b"#, #"a\u{5c}u{a}b"#), (#"a\b"#, #"a\b"#),
      ("\\", "\\"), (#"\u"#, #"\u"#), (#"\\u{"#, #"\\u{5c}u{"#), ("\\\n", #"\\u{a}"#), ("\u{202e}", #"\u{202e}"#),
      ("\\u{\u{301}", "\\u{5c}u{\u{301}"), ("", ""),
    ])
  func distinct(text: String, expected: String) {
    #expect(Array(text.distinct.utf8) == Array(expected.utf8))
  }

  @Test("different texts stay different, for random texts of the characters that escapes are made of", .seeded)
  func injective() {
    var generator = SeededRandom()
    var texts: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<20_000 {
      let scalars = (0..<6).compactMap { _ in "\\u{5ca}\n|".unicodeScalars.randomElement(using: &generator) }
      let text = String(String.UnicodeScalarView(scalars))
      let form = Array(text.distinct.utf8)
      #expect(texts.updateValue(Array(text.utf8), forKey: form) ?? Array(text.utf8) == Array(text.utf8))
    }
  }

  @Test(
    "a code span holds its text, whatever it begins and ends with",
    arguments: [
      ("name", "`name`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("``a`", "``` ``a` ```"), ("", "`  `"),
      (" ", "`   `"),
      (" a", "`  a `"), ("a|b", #"`a\u{7c}b`"#), (#"a\|b"#, #"`a\\u{7c}b`"#), (#"a\"#, #"`a\`"#),
      ("a\nb", #"`a\u{a}b`"#),
      ("`\u{301}", "`` `\u{301} ``"),
    ])
  func codeSpan(text: String, expected: String) {
    #expect(Array("\(CodeSpan(text))".utf8) == Array(expected.utf8))
  }
}
