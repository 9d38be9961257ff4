import SignetBase
import Testing

@testable import GateReports
@testable import HTMLPages
@testable import ReleaseGate

@Suite struct HTMLPartsTests {
  @Test("a distinct chain is drawn once, with the artifacts that it signs for")
  func chainsOnce() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.refused))
    #expect(page.all(style: "picture").count == 1)
    let chain = try #require(page.element("chain-0")).text
    #expect(chain.contains("signs for 2 artifacts"))
    #expect(chain.contains("modules/com.example.maps-0.9.1.zip\nmodules/com.example.player-1.2.0.zip"))
    #expect(chain.contains("\(HTMLExamples.chain[0].subject), identity email:release@example.com, valid until "))
  }

  @Test("a picture says in words what it shows, from the signer to the trusted certificate")
  func pictureInWords() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.refused))
    let picture = try #require(page.all(style: "picture").first)
    let subjects = HTMLExamples.chain.map(\.subject).joined(separator: ", issued by ")
    #expect(
      picture.attributes["aria-label"]
        == "Certificate chain of 3 certificates, from the signer to the trusted one: \(subjects)")
    // Boxes of 126, 92 and 92 rows, and two arrows of 34.
    #expect(picture.attributes["viewBox"] == "0 0 320 378")
    let roles = page.all("text").map(\.text).filter { $0.hasSuffix("certificate") || $0 == "Signer" }
    #expect(roles == ["Signer", "Intermediate certificate", "Trusted certificate"])
  }

  @Test("an expired certificate is marked by a sign and a word")
  func expired() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.hostile))
    #expect(page.all(style: "expired").allSatisfy { $0.text == "✗ expired 1970-01-01" })
    #expect(page.all(style: "expired").count == HTMLExamples.hostileTexts.count)
  }

  @Test("a box never has more lines or columns than it can hold", arguments: HTMLExamples.hostileTexts)
  func boxes(text: String) {
    for text in [text, String(repeating: text, count: 100)] {
      let lines = BoxText.wrap(text, lines: 3)
      #expect(lines.count <= 3)
      #expect(lines.allSatisfy { $0.unicodeScalars.reduce(0) { $0 + ($1.isASCII || $1 == "…" ? 1 : 2) } <= 40 })
    }
  }
}
