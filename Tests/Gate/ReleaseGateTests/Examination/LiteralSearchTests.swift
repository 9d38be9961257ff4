import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct LiteralSearchTests {
  private static let literals = [
    "ghp_", "PRIVATE KEY-----", "KEY-", "/home/", "home", "aaaa", "aaaaa", "ghp_", "\u{0}\u{0}\u{0}\u{1}",
  ]
  .map { Array($0.utf8) }

  /// What a scan says of bytes that come in pieces of these sizes; the last size is repeated.
  private static func scan(_ literals: [[UInt8]], _ bytes: [UInt8], _ sizes: [Int]) -> [ContentMatch] {
    var matches: [ContentMatch] = []
    var scan = LiteralScan(LiteralSearch(literals), isELF: false, entry: "e", reading: 1)
    var (start, turn) = (0, 0)
    while start < bytes.count {
      let end = min(bytes.count, start + sizes[min(turn, sizes.count - 1)])
      Array(bytes[start..<end]).withUnsafeBytes { piece in
        try? scan.scan(piece) { (match) throws(SignetError) in
          matches.append(match)
          return .done
        }
      }
      (start, turn) = (end, turn + 1)
    }
    try? scan.finish { (match) throws(SignetError) in
      matches.append(match)
      return .done
    }
    return matches
  }

  /// The same, found by comparing at each offset.
  private static func naive(_ literals: [[UInt8]], _ bytes: [UInt8]) -> [String] {
    var matches: [String] = []
    for offset in bytes.indices {
      for (index, literal) in literals.enumerated()
      where literal[0] == bytes[offset] && bytes[offset...].starts(with: literal) {
        matches.append("\(index)@\(offset)")
      }
    }
    return matches
  }

  private static func shown(_ matches: [ContentMatch]) -> [String] { matches.map { "\($0.literal)@\($0.offset)" } }

  /// Whether each match has the bytes around it.
  private static func haveContext(_ matches: [ContentMatch], of bytes: [UInt8]) -> Bool {
    matches.allSatisfy {
      $0.before[...] == bytes[max(0, $0.offset - 64)..<$0.offset]
        && $0.after[...] == bytes[$0.offset..<min(bytes.count, $0.offset + 512)] && $0.entry == "e" && !$0.isELF
    }
  }

  @Test("a text that is cut anywhere gives the same matches, in the order of their offsets")
  func everyCut() {
    var text = Array("ghp_ -----BEGIN PRIVATE KEY-----aaaaaa/home/\u{0}\u{0}\u{0}\u{0}\u{1}".utf8)
    text += [UInt8](repeating: 0x78, count: 500) + text + [UInt8](repeating: 0x78, count: 30) + Array("ghp_".utf8)
    let expected = Self.naive(Self.literals, text)
    #expect(expected.prefix(4) == ["0@0", "7@0", "1@16", "2@24"])
    for cut in 1..<text.count {
      for sizes in [[cut, text.count], [cut]] {
        let matches = Self.scan(Self.literals, text, sizes)
        #expect(Self.shown(matches) == expected, "\(sizes)")
        #expect(Self.haveContext(matches, of: text), "\(sizes)")
      }
    }
  }

  @Test("matches near the borders of large pieces are found, with what is around them")
  func largePieces() {
    let size = 5000
    let filling = patternBytes(3 * size, seed: 7).map { $0 | 0x80 }
    for offset in stride(from: size - 700, through: size + 700, by: 7) {
      var bytes = filling
      bytes.replaceSubrange(offset..<offset + 16, with: Self.literals[1])
      for sizes in [[size], [4096], [10, size], [size, 100, size]] {
        let matches = Self.scan(Self.literals, bytes, sizes)
        #expect(Self.shown(matches) == ["1@\(offset)", "2@\(offset + 8)"], "\(sizes)")
        #expect(Self.haveContext(matches, of: bytes), "\(sizes)")
      }
    }
  }

  @Test("random texts give what comparing at each offset gives", .seeded)
  func random() {
    var random = SeededRandom()
    for _ in 0..<40 {
      // Few characters, so that literals and parts of them are frequent.
      let letters = Array("abAB-_/\u{0}".utf8).prefix(Int.random(in: 2...8, using: &random))
      func text(_ count: Int) -> [UInt8] { (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 } }
      let literals = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        text(Int.random(in: 4...32, using: &random))
      }
      var bytes = text(Int.random(in: 0...20_000, using: &random))
      for _ in 0..<20 {
        let literal = literals.randomElement(using: &random) ?? []
        guard bytes.count > literal.count else { continue }
        let start = Int.random(in: 0...bytes.count - literal.count, using: &random)
        bytes.replaceSubrange(start..<start + literal.count, with: literal)
      }
      let sizes = (0..<20).map { _ in Int.random(in: 1...9000, using: &random) }
      let matches = Self.scan(literals, bytes, sizes)
      #expect(Self.shown(matches) == Self.naive(literals, bytes), "\(literals) \(sizes)")
      #expect(Self.haveContext(matches, of: bytes), "\(literals) \(sizes)")
    }
  }

  @Test("every place is found, however often the same text comes before it")
  func flood() {
    let bytes = Array(repeating: Array("ghp_".utf8), count: 100_000).flatMap(\.self) + Array("/home/".utf8)
    let matches = Self.scan(Self.literals, bytes, [256 << 10])
    #expect(matches.filter { $0.literal == 0 }.count == 100_000)
    #expect(matches.filter { $0.literal == 7 }.count == 100_000)
    #expect(matches.filter { $0.literal == 0 }.last?.offset == 399_996)
    #expect(Self.shown(matches.suffix(2)) == ["3@400000", "4@400001"])
  }

  @Test("a literal that overlaps itself is found at each offset")
  func overlaps() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 9000)
    let literals = [Array("aaaa".utf8), Array("aaaaaa".utf8)]
    for size in [1000, 4999, 9000] {
      #expect(Self.shown(Self.scan(literals, bytes, [size])) == Self.naive(literals, bytes), "\(size)")
    }
  }

  @Test("a literal may want more around it than the others, wherever the pieces end")
  func reaches() {
    let bytes = patternBytes(20_000, seed: 3).map { $0 | 0x80 }
    for offset in [0, 1500, 2048, 5000, 8190, 17_990, 19_990] {
      var bytes = bytes
      bytes.replaceSubrange(offset..<offset + 4, with: Array("ghp_".utf8))
      for size in [1, 100, 4096, 9000, 20_000] {
        var matches: [ContentMatch] = []
        var scan = LiteralScan(
          LiteralSearch([Array("ghp_".utf8), Array("ghp_".utf8)]), [.wide, .usual], isELF: false, entry: nil,
          reading: 1)
        for start in stride(from: 0, to: bytes.count, by: size) {
          Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { piece in
            try? scan.scan(piece) { (match) throws(SignetError) in
              matches.append(match)
              return .done
            }
          }
        }
        try? scan.finish { (match) throws(SignetError) in
          matches.append(match)
          return .done
        }
        #expect(Self.shown(matches) == ["0@\(offset)", "1@\(offset)"])
        for (match, reach) in zip(matches, [ContentMatch.Reach.wide, .usual]) {
          #expect(match.before[...] == bytes[max(0, offset - reach.near.before)..<offset])
          #expect(match.after[...] == bytes[offset..<min(bytes.count, offset + reach.near.after)])
        }
      }
    }
  }

  @Test("nothing is found in nothing, and without literals")
  func empty() {
    #expect(Self.scan(Self.literals, [], [1]).isEmpty)
    #expect(Self.scan([], Array("ghp_".utf8), [1]).isEmpty)
    #expect(Self.shown(Self.scan(Self.literals, Array("ghp_".utf8), [1])) == ["0@0", "7@0"])
    #expect(Self.scan(Self.literals, Array("ghp".utf8), [1]).isEmpty)
  }

  @Test("every rule's literals have the lengths that the search takes")
  func lengths() throws {
    for type in RuleList.all {
      guard let rule = try ContentCheck(type).rule as? any LiteralRule else { continue }
      for (index, literal) in rule.literals.enumerated() {
        #expect(LiteralSearch.lengths.contains(literal.count), "\(type.about.id)")
        #expect(rule.reach(of: index).near.after > literal.count)
      }
    }
  }
}
