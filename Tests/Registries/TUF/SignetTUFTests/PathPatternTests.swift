import SignetBase
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct PathPatternTests {
  @Test(
    "the examples of section 4.5",
    arguments: [
      ("targets/*.tgz", "targets/foo.tgz", true), ("targets/*.tgz", "targets/bar.tgz", true),
      ("targets/*.tgz", "targets/foo.txt", false), ("foo-version-?.tgz", "foo-version-2.tgz", true),
      ("foo-version-?.tgz", "foo-version-a.tgz", true), ("foo-version-?.tgz", "foo-version-alpha.tgz", false),
      ("*.tgz", "foo.tgz", true), ("*.tgz", "targets/foo.tgz", false), ("foo.tgz", "foo.tgz", true),
      ("foo.tgz", "foo.tgz/", false), ("*", "", true), ("?", "/", false),
    ])
  func examples(pattern: String, path: String, matches: Bool) throws {
    #expect(TargetPattern(pattern).matches(try TargetPath(path)) == matches)
  }

  @Test("random patterns match what a slow model matches", .seeded)
  func random() throws {
    var numbers = SeededRandom()
    func text(_ characters: [Unicode.Scalar]) -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...8, using: &numbers) {
        text.append(characters.randomElement(using: &numbers) ?? "a")
      }
      return String(text)
    }
    var count = 0
    for _ in 0..<20_000 {
      let pattern = text(["a", "b", "*", "*", "?", "/", "[", "]", "!", "-"])
      let path = text(["a", "b", "a", "/", "]", "-"])
      let expected = Self.model(pattern, path)
      if expected { count += 1 }
      #expect(TargetPattern(pattern).matches(try TargetPath(path)) == expected, "\(pattern) \(path)")
    }
    #expect(count > 0)
  }

  @Test("many stars cost little")
  func stars() throws {
    let pattern = TargetPattern(String(repeating: "*a", count: 2000) + "b")
    #expect(!pattern.matches(try TargetPath(String(repeating: "a", count: 4000))))
    // Each bracket that is not closed stands for itself, and is looked at once.
    let brackets = String(repeating: "[", count: 200_000)
    #expect(TargetPattern(brackets).matches(try TargetPath(brackets)))
    #expect(!TargetPattern(brackets + "!").matches(try TargetPath(brackets)))
  }

  /// Every way to read the pattern, component by component.
  private static func model(_ pattern: String, _ path: String) -> Bool {
    func parts(_ text: String) -> [[Unicode.Scalar]] {
      text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    }
    let (patterns, names) = (parts(pattern), parts(path))
    guard patterns.count == names.count else { return false }
    return zip(patterns, names).allSatisfy { matches($0[...], $1[...]) }
  }

  private static func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" { return (name.startIndex...name.endIndex).contains { matches(rest, name[$0...]) } }
    guard let character = name.first else { return false }
    if first == "?" { return matches(rest, name.dropFirst()) }
    guard first == "[" else { return first == character && matches(rest, name.dropFirst()) }
    var body = rest
    let isNegated = body.first == "!"
    if isNegated { body = body.dropFirst() }
    // The first member may be a closing bracket.
    guard !body.isEmpty, let close = body.dropFirst().firstIndex(of: "]") else {
      return character == "[" && matches(rest, name.dropFirst())
    }
    var members: [Unicode.Scalar] = []
    var set = Array(body[..<close])
    while !set.isEmpty {
      if set.count > 2, set[1] == "-" {
        if set[0] <= set[2] { members += (set[0].value...set[2].value).compactMap(Unicode.Scalar.init) }
        set.removeFirst(3)
      } else {
        members.append(set.removeFirst())
      }
    }
    return members.contains(character) != isNegated && matches(pattern[(close + 1)...], name.dropFirst())
  }
}
