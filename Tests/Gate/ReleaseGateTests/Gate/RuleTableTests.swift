import Foundation
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

  /// The protocols of the things that a rule can look at.
  private static func kinds(_ rule: any GateRule) -> [Any.Type] {
    var kinds: [Any.Type] = []
    if rule is any ArtifactRule { kinds.append((any ArtifactRule).self) }
    if rule is any ContentsRule { kinds.append((any ContentsRule).self) }
    if rule is any FileRule { kinds.append((any FileRule).self) }
    if rule is any LiteralRule { kinds.append((any LiteralRule).self) }
    if rule is any DamageRule { kinds.append((any DamageRule).self) }
    if rule is any UnsearchedFileRule { kinds.append((any UnsearchedFileRule).self) }
    if rule is any ReleaseRule { kinds.append((any ReleaseRule).self) }
    return kinds
  }

  /// A check that stands in a rule without its protocol would never be called.
  @Test("the engine calls every check that a rule has", arguments: RuleList.all.map { $0.about.id })
  func called(id: String) throws {
    let type = try #require(RuleList.rule(id))
    var options = RuleOptions.none
    let kinds = Self.kinds(try type.init(&options))
    #expect(!kinds.isEmpty)
    let folder = "Sources/Gate/ReleaseGate/Rules"
    let paths = try #require(FileManager.default.subpaths(atPath: Repository.root + "/" + folder))
    let file = try #require(paths.first { $0.hasSuffix("/\(type).swift") })
    let text = try Repository.text("\(folder)/\(file)")
    let checks = text.split(separator: "\n").filter {
      $0.hasPrefix("  func check(") || $0.hasPrefix("  package func check(")
    }
    #expect(checks.count == kinds.count, "\(file): \(kinds)")
  }
}
