import SignetBase
import Testing

@testable import HTMLPages

@Suite struct HTMLTests {
  private static func text(_ write: (inout HTML) -> Void) -> String {
    var page = HTML()
    write(&page)
    return String(decoding: page.bytes, as: UTF8.self)
  }

  @Test("a text never becomes markup, in an element or in an attribute")
  func escaped() {
    let hostile = "<b>&\"'</b>"
    let shown = "&lt;b&gt;&amp;&quot;'&lt;/b&gt;"
    let page = Self.text { $0.add(.p, .label(hostile), text: hostile) }
    #expect(page == "<!DOCTYPE html>\n<p aria-label=\"\(shown)\">\(shown)</p>")
  }

  @Test("a bracket with an accent on it is a bracket")
  func combined() {
    #expect(Self.text { $0.add("<\u{301}script>") } == "<!DOCTYPE html>&lt;\u{301}script&gt;")
  }

  @Test("characters that hide or reorder others are shown, and a very long text is cut")
  func shown() {
    #expect(Self.text { $0.add("a\u{202e}b\n") } == "<!DOCTYPE html>a\\u{202e}b\\u{a}")
    let long = String(repeating: "a", count: 5000)
    #expect(Self.text { $0.add(long) } == "<!DOCTYPE html>" + long.prefix(4096) + "…")
  }

  @Test(
    "a link leads to a page of the site alone",
    arguments: [
      ("index.html", 0, "index.html"), ("modules/a_b-1.html", 2, "../../modules/a_b-1.html"), ("", 0, nil),
      ("/index.html", 0, nil), ("../index.html", 0, nil), ("a/.hidden", 0, nil), ("a//b", 0, nil),
      ("javascript:x", 0, nil), ("A", 0, nil), ("a?b", 0, nil), ("a%2fb", 0, nil),
    ] as [(String, Int, String?)])
  func links(path: String, depth: Int, expected: String?) {
    #expect(PageLink(path, fromDepth: depth)?.description == expected)
  }

  @Test("rows beyond the limit are folded, each in a list of at most as many")
  func folded() {
    var sizes: [Int] = []
    let page = Self.text { page in
      page.addFolded(Array(0..<7), limit: 3, more: { "\($0) more" }) { _, rows in sizes.append(rows.count) }
    }
    #expect(sizes == [3, 3, 1])
    #expect(page.contains("<summary>4 more</summary>"))
  }

  @Test("a site's pages run no script unless they have one")
  func policies() {
    #expect(ContentPolicy(ofSiteWithScript: false).description.contains("script-src 'none';"))
    #expect(ContentPolicy(ofSiteWithScript: true).description.contains("script-src 'self';"))
    #expect(ContentPolicy(ofSiteWithScript: true).description.contains("default-src 'none';"))
  }
}
