import SignetBase
import TestSupport
import Testing

@Suite struct StarPatternTests {
  @Test("random patterns cover what a slow model covers", .seeded)
  func random() {
    var numbers = SeededRandom()
    var count = 0
    for _ in 0..<20_000 {
      let pattern = Self.text(of: "ab**", &numbers)
      let name = Self.text(of: "aab*", &numbers)
      let expected = Self.model(pattern[...], name[...])
      if expected { count += 1 }
      let shown = "\(String(decoding: pattern, as: UTF8.self)) \(String(decoding: name, as: UTF8.self))"
      #expect(StarPattern(pattern, star: UInt8(ascii: "*")).covers(name) == expected, "\(shown)")
    }
    #expect(count > 1000)
  }

  @Test("a comparison takes at most the product of the two lengths, and says how many steps it took")
  func steps() {
    let pattern = StarPattern(String(repeating: "*a", count: 200).utf8.map { $0 } + [0x62], star: 0x2a)
    var steps = 0
    #expect(!pattern.covers([UInt8](repeating: 0x61, count: 2000), steps: &steps, ==))
    #expect((2000...(401 * 2000)).contains(steps))
    var none = 0
    #expect(!pattern.covers([UInt8](repeating: 0x61, count: 200), steps: &none, ==))
    #expect(none == 0, "a name that is too short is not compared")
  }

  @Test("a part stands for one element, as its format says")
  func parts() {
    let pattern = StarPattern<ClosedRange<Int>>([1...3, nil, 7...7])
    #expect(pattern.covers([2, 7]) { $0.contains($1) })
    #expect(pattern.covers([3, 9, 7, 7]) { $0.contains($1) })
    #expect(!pattern.covers([4, 7]) { $0.contains($1) })
    #expect(!pattern.covers([2, 7, 6]) { $0.contains($1) })
    #expect(pattern.hasStars)
    #expect(!StarPattern<Int>([1]).hasStars)
    #expect(StarPattern<Int>([]).covers([]) && !StarPattern<Int>([]).covers([1]))
  }

  private static func text(of characters: String, _ numbers: inout SeededRandom) -> [UInt8] {
    let bytes = Array(characters.utf8)
    return (0..<Int.random(in: 0...8, using: &numbers)).map { _ in bytes.randomElement(using: &numbers) ?? 0x61 }
  }

  /// Every way to read the pattern.
  private static func model(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == UInt8(ascii: "*") {
      return (0...name.count).contains { model(pattern.dropFirst(), name.dropFirst($0)) }
    }
    return name.first == first && model(pattern.dropFirst(), name.dropFirst())
  }
}
