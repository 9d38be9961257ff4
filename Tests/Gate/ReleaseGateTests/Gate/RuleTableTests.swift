import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct RuleTableTests {
  @Test("docs/gate.md has each rule as the program explains it")
  func table() throws {
    let text = String(decoding: try Repository.bytes("docs/gate.md"), as: UTF8.self)
    let start = try #require(text.firstRange(of: "| rule | demands | level | options |\n|---|---|---|---|\n"))
    let rows = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).prefix {
      $0.hasPrefix("|")
    }
    let expected = RuleList.all.map { type in
      let about = type.about
      let options = about.options.map { "`\($0.name)`: \($0.meaning)" }.joined(separator: "; ")
      let level = about.usualLevel?.description ?? "off"
      return "| `\(about.id)` | \(about.title) | \(level) | \(options) |"
    }
    #expect(rows.map(String.init) == expected)
  }
}
