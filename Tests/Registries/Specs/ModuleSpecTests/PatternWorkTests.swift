import SignetBase
import TestSupport
import Testing

@testable import ModuleSpec

@Suite struct PatternWorkTests {
  private func spec(_ patterns: [String]) throws -> ModuleSpec {
    let list = patterns.map { "\"\($0)\"" }.joined(separator: ",")
    return try ModuleSpec(json: Array("{\"name\":\"A\",\"version\":\"1.0.0\",\"source_files\":[\(list)]}".utf8))
  }

  private func steps(_ patterns: [String], _ files: [String], limit: Int = MatchBudget.usual) throws -> Int {
    try LintedSpec(spec(patterns), fileName: "A", files: files, module: .missing, limit: limit).steps
  }

  @Test("stars and braces that are made to be hard take at most the product of the lengths")
  func hostileName() throws {
    let name = String(repeating: "a", count: 200)
    for pattern in [
      String(repeating: "*a", count: 99) + "b", String(repeating: "*a?", count: 60) + "*b",
      "*" + String(repeating: "a", count: 99) + "b",
    ] {
      #expect(try steps([pattern], [name]) <= 2 * pattern.utf8.count * name.utf8.count, "\(pattern)")
    }
    // A name that is too short for a pattern is not looked at.
    #expect(try steps([String(repeating: "*a", count: 300)], [name]) < 10)
    let deep = (0..<31).map { _ in "a" }.joined(separator: "/")
    let stars = Array(repeating: "**/a", count: 20).joined(separator: "/") + "/b"
    #expect(try steps([stars], [deep]) <= 4 * 31 * 41)
    #expect(try steps([Array(repeating: "**", count: 300).joined(separator: "/")], [deep]) <= 31 * 302)
  }

  @Test("a folder's name is compared once, however many files are in it")
  func shared() throws {
    let files = (0..<5000).map { "Sources/file\($0).c" }
    let one = try steps(["Classes/**/*.{h,c}"], files)
    #expect(one <= 20)
    #expect(try steps(["Sources/*.c"], files) <= 5000 * 20)
  }

  @Test("a large spec of a large folder is far from the limit, and the hardest one ends at it")
  func limit() throws {
    let files = (0..<20_000).map { "Sources/Part\($0 % 40)/Group\($0 % 7)/file\($0).c" }
    let honest = (0..<40).map { "Sources/Part\($0)/**/*.{h,c,m,swift}" }
    #expect(try steps(honest, files) < MatchBudget.usual / 20)

    let names = (0..<2000).map { String(repeating: "a", count: 190) + "\($0)" }
    let hard = (0..<100).map {
      "{\((0..<16).map { "a\($0)," }.joined().dropLast())}*" + String(repeating: "a", count: 50) + "*\($0)b"
    }
    let error = expectError(.specTooHard) { _ = try steps(hard + [], names, limit: 100_000) }
    #expect(error?.expected == "at most 100000 steps")
    // One more step than the limit allows is too much, and none less.
    let taken = try steps(["*a*b"], ["aaab", "b"])
    #expect(try steps(["*a*b"], ["aaab", "b"], limit: taken) == taken)
    expectError(.specTooHard) { _ = try steps(["*a*b"], ["aaab", "b"], limit: taken - 1) }
  }
}
