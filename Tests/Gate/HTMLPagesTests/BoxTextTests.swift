import HTMLPages
import Testing

@Suite struct BoxTextTests {
  @Test(
    "text in a box is broken after a comma or a space, and cut after the last line",
    arguments: [
      ("", []), ("CN=short", ["CN=short"]),
      (String(repeating: "x", count: 40), [String(repeating: "x", count: 40)]),
      (String(repeating: "x", count: 41), [String(repeating: "x", count: 40), "x"]),
      (
        "CN=Release Signing 2026,OU=Media,O=Example Software",
        ["CN=Release Signing 2026,OU=Media,", "O=Example Software"]
      ),
      (
        String(repeating: "y", count: 4000),
        [String(repeating: "y", count: 40), String(repeating: "y", count: 39) + "…"]
      ),
      (String(repeating: "漢", count: 30), [String(repeating: "漢", count: 20), String(repeating: "漢", count: 10)]),
      ("a\u{202e}b", ["a\\u{202e}b"]),
    ])
  func wrapping(text: String, lines: [String]) {
    #expect(BoxText.wrap(text, lines: 2) == lines)
  }
}
