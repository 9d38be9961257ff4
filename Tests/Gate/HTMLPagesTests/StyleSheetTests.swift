import HTMLPages
import Testing

@Suite struct StyleSheetTests {
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
