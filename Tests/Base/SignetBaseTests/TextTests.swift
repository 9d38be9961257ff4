import SignetBase
import Testing

@Suite struct TextTests {
  @Test("all bytes of a text are encoded but those that URLs keep, and those that are asked for")
  func percentEncoding() {
    #expect(PercentEncoding.encode("a b/ä~") == "a%20b%2F%C3%A4~")
    #expect(PercentEncoding.encode("a b/ä~", keeping: "/") == "a%20b/%C3%A4~")
    #expect(PercentEncoding.decode("a%20b/%C3%A4~") == "a b/ä~")
    for text in ["%", "%2", "%2g", "%C3"] { #expect(PercentEncoding.decode(text) == nil, "\(text)") }
  }

  @Test("a text that is shown has up to 400 characters, and each of them shows itself")
  func display() {
    let longest = String(repeating: "a", count: 400)
    #expect(longest.display == longest)
    #expect((longest + "a").display == longest + "…")
    #expect("a\u{1f} ~\u{7f}\u{202e}".display == "a\\u{1f} ~\\u{7f}\\u{202e}")
  }
}
