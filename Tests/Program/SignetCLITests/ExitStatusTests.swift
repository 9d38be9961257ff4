import Foundation
import SignetBase
import TestSupport
import Testing

@testable import SignetCLI

/// The exit status of a command that ends with an error is what the error's code says of itself. The table has all codes,
/// so that a reader of a change sees it: scripts of others depend on it.
@Suite struct ExitStatusTests {
  private static let table = Repository.root + "/Tests/exit-statuses.txt"

  /// The codes as the sources declare them, each with the status that a command then has.
  private static func declared() throws -> [String] {
    let sources = Repository.root + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
    var lines: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      for match in text.matches(of: /static let \w+ = Self\("([a-z0-9-]+\.[a-z0-9.-]+)", \.(\w+)\)/) {
        let nature = try #require(SignetError.Code.Nature.allCases.first { "\($0)" == match.output.2 })
        let code = SignetError.Code(String(match.output.1), nature)
        lines.insert("\(code) \(ExitStatus(SignetError(code, "x", "y")).rawValue)")
      }
    }
    return lines.sorted()
  }

  @Test("each code has the exit status that the table has")
  func table() throws {
    let declared = try Self.declared()
    let expected = try String(contentsOfFile: Self.table, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(declared.filter { !expected.contains($0) } == [], "new, or changed")
    #expect(expected.filter { !declared.contains($0) } == [], "gone, or changed")
    #expect(expected == expected.sorted())
    // No code is in the table twice, with two statuses.
    #expect(Set(expected.map { $0.prefix { $0 != " " } }).count == expected.count)
  }

  @Test(
    "the nature of an error decides",
    arguments: [(SignetError.Code.Nature.refusal, 1), (.failure, 2), (.usage, 64)]
      as [(SignetError.Code.Nature, Int32)])
  func nature(nature: SignetError.Code.Nature, status: Int32) {
    #expect(ExitStatus(SignetError(SignetError.Code("x.y", nature), "a", "b")).rawValue == status)
  }

  @Test("what a verdict refuses is refused, also for a reason that would be a failure elsewhere")
  func verdict() {
    var error = SignetError(SignetError.Code("x.y", .failure), "a", "b")
    #expect(ExitStatus(error) == .failed)
    error.isVerdict = true
    #expect(ExitStatus(error) == .refused)
  }
}
