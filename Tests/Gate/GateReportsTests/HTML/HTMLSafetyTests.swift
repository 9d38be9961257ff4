import SignetBase
import SignetCrypto
import Testing

@testable import GateReports
@testable import HTMLPages
@testable import ReleaseGate

@Suite struct HTMLSafetyTests {
  private static let elements = Set(HTML.Element.allCases.map(\.rawValue))
    .union(HTML.VoidElement.allCases.map(\.rawValue)).union(["script", "style"])
  private static let attributes: Set = [
    "aria-hidden", "aria-label", "aria-live", "charset", "checked", "class", "content", "data-level", "data-rule",
    "datetime", "height", "hidden", "href", "http-equiv", "id", "lang", "name", "open", "points", "role", "rx",
    "scope",
    "tabindex", "title", "type", "value", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
  ]
  /// The attributes that describe something, and may have text from outside.
  private static let descriptions: Set = ["aria-label", "title"]

  @Test("the page has no elements and attributes but its own, all closed and quoted", arguments: HTMLExamples.all)
  func onlyOurs(example: HTMLExamples.Example) throws {
    let page = try ScannedPage(HTMLReport().text(of: example.report))
    for element in page.elements {
      #expect(Self.elements.contains(element.name))
      #expect(Self.attributes.isSuperset(of: element.attributes.keys))
    }
    #expect(page.all("script").count == 1)
    #expect(page.all("style").count == 1)
  }

  @Test("what a browser acts on comes from the page alone", arguments: HTMLExamples.all)
  func attributesThatAct(example: HTMLExamples.Example) throws {
    let report = example.report
    let page = try ScannedPage(HTMLReport().text(of: report))
    let words = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -,.:;=#'+/".unicodeScalars)
    let identifiers = page.elements.compactMap { $0.attributes["id"] }
    #expect(Set(identifiers).count == identifiers.count)
    for element in page.elements {
      for (name, value) in element.attributes where !Self.descriptions.contains(name) {
        #expect(words.isSuperset(of: value.unicodeScalars), "\(name)=\(value)")
        #expect(value.utf8.count < 40 || name == "content" || name == "points")
      }
    }
    for link in page.elements.compactMap({ $0.attributes["href"] }) {
      #expect(link.first == "#")
      #expect(identifiers.contains(String(link.dropFirst())) || report.files.count > 100)
    }
  }

  @Test("every link of a large page leads to a place that exists")
  func links() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.large(450)))
    let identifiers = Set(page.elements.compactMap { $0.attributes["id"] })
    let links = Set(page.all("a").compactMap { $0.attributes["href"] })
    #expect(links.filter { !identifiers.contains(String($0.dropFirst())) } == [])
  }

  @Test("a hostile text is shown as text wherever it stands")
  func hostileTexts() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.hostile))
    let body = page.all("body").map(\.text).joined()
    let code = Set(page.all("code").map { Array($0.text.utf8) })
    let options = Set(page.all("option").map { Array($0.text.utf8) })
    for text in HTMLExamples.hostileTexts {
      let shown = text.visible
      #expect(body.ranges(of: shown).count >= 20, "\(shown)")
      #expect(code.contains(Array(shown.utf8)), "\(shown)")
      #expect(options.contains(Array(shown.utf8)), "\(shown)")
    }
    #expect(page.all("title").map(\.text) == ["✗ Release refused - Signet"])
  }

  @Test("no character of the page hides, reorders or ends what is read")
  func characters() throws {
    let page = String(decoding: try HTMLReport().text(of: HTMLExamples.hostile), as: UTF8.self)
    let hidden = page.unicodeScalars.filter {
      $0.isASCII ? $0 != "\n" && !(0x20..<0x7f).contains($0.value) : !$0.isVisible
    }
    #expect(Array(hidden) == [])
    #expect(!page.contains("two\nlines"))
  }

  @Test("a very long text is cut, and the cut is marked")
  func longText() throws {
    let name = String(repeating: "a", count: 5000)
    let report = HTMLExamples.report(files: [HTMLExamples.file(name, 1, HTMLExamples.unsigned)])
    let page = try ScannedPage(HTMLReport().text(of: report))
    #expect(page.all("code").contains { $0.text == String(repeating: "a", count: 4096) + "…" })
    #expect(!page.all("code").contains { $0.text.utf8.count > 4100 })
  }

  @Test("the page allows its own style sheet and script, by their digests, and nothing else")
  func contentPolicy() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.refused))
    let policy = page.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
    func digest(_ name: String) throws -> String {
      let text = try #require(page.all(name).first).text
      return "'sha256-\(Base64.encode(try Digest.of(Array(text.utf8), .sha256).bytes))'"
    }
    let expected = """
      default-src 'none'; style-src \(try digest("style")); script-src \(try digest("script")); \
      base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'
      """
    #expect(policy?.attributes["content"] == expected)
    // A policy only holds for what comes after it.
    let names = page.elements.map(\.name)
    #expect(names.prefix(4) == ["html", "head", "meta", "meta"])
  }

  @Test("the style sheet and the script load nothing and write no markup")
  func sources() {
    for source in [EmbeddedSource.style, .script] {
      for word in [
        "url(", "@import", "http:", "https:", "innerHTML", "outerHTML", "insertAdjacent", "document.write",
        "eval", "Function(", "fetch", "XMLHttpRequest", "setAttribute", "<", "localStorage",
      ] {
        #expect(!source.text.contains(word), "\(word)")
      }
    }
  }
}
