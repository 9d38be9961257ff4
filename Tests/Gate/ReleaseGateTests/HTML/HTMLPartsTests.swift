import SignetBase
import Testing

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
    #expect(picture.attributes["viewBox"] == "0 0 320 \(126 + 92 + 92 + 2 * 34)")
    let roles = page.all("text").map(\.text).filter { $0.hasSuffix("certificate") || $0 == "Signer" }
    #expect(roles == ["Signer", "Intermediate certificate", "Trusted certificate"])
  }

  @Test("an expired certificate is marked by a sign and a word")
  func expired() throws {
    let page = try ScannedPage(HTMLReport().text(of: HTMLExamples.hostile))
    #expect(page.all(style: "expired").allSatisfy { $0.text == "✗ expired 1970-01-01" })
    #expect(page.all(style: "expired").count == HTMLExamples.hostileTexts.count)
  }

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
    #expect(ChainPicture.wrap(text, lines: 2) == lines)
  }

  @Test("a box never has more lines or columns than it can hold", arguments: HTMLExamples.hostileTexts)
  func boxes(text: String) {
    for text in [text, String(repeating: text, count: 100)] {
      let lines = ChainPicture.wrap(text, lines: 3)
      #expect(lines.count <= 3)
      #expect(lines.allSatisfy { $0.unicodeScalars.reduce(0) { $0 + ($1.isASCII || $1 == "…" ? 1 : 2) } <= 40 })
    }
  }

  @Test(
    "numbers have commas between thousands",
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345"),
      (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func numbers(number: Int, text: String) {
    #expect(Amount.number(number) == text)
  }

  @Test(
    "sizes have the largest unit that they reach",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (1023, "1,023 bytes"), (1024, "1.0 KiB"), (1535, "1.4 KiB"),
      (1 << 20, "1.0 MiB"), ((1 << 20) - 1, "1,023.9 KiB"), (Int.max, "7.9 EiB"), (-5, "-5 bytes"),
    ])
  func sizes(count: Int, text: String) {
    #expect(Amount.bytes(count) == text)
  }

  @Test("text and background differ by at least 4.5 to 1, light and dark")
  func contrast() throws {
    let texts = ["text", "muted", "link", "good", "bad", "warning"]
    let schemes = EmbeddedSource.style.text.components(between: ":root {", "}")
    #expect(schemes.count == 2)
    for scheme in schemes {
      func luminance(_ name: String) throws -> Double {
        let value = try #require(scheme.components(between: "--\(name): #", ";").first)
        let color = try #require(Int(value, radix: 16))
        let channels = [16, 8, 0].map { shift in
          let channel = Double(color >> shift & 255) / 255
          return channel <= 0.04045 ? channel / 12.92 : power((channel + 0.055) / 1.055)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
      }
      let pairs =
        texts.flatMap { [($0, "page"), ($0, "raised")] }
        + ["good", "bad", "warning"].map { ($0, "\($0)-tint") } + [("page", "good"), ("page", "bad")]
      for (front, behind) in pairs {
        let values = [try luminance(front), try luminance(behind)].sorted()
        #expect((values[1] + 0.05) / (values[0] + 0.05) >= 4.5, "\(front) on \(behind)")
      }
    }
  }

  /// The power of 2.4: the fifth root of the twelfth power.
  private func power(_ base: Double) -> Double {
    let twelfth = (1...12).reduce(1) { product, _ in product * base }
    return (1...100).reduce(base) { root, _ in (4 * root + twelfth / (root * root * root * root)) / 5 }
  }
}

extension String {
  /// The texts between each occurrence of one text and the next of another.
  fileprivate func components(between start: String, _ end: String) -> [String] {
    ranges(of: start).compactMap { range in
      let rest = self[range.upperBound...]
      return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
    }
  }
}
