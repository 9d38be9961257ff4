import PluginHost
import PluginKit
import TestSupport
import Testing

@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// What rules make of URLs, without a module behind them.
@Suite("Small's rules") struct SmallRulesTests {
  private typealias Workshop = SmallWorkshop

  /// The bundles of a manifest with these entries.
  static func table(
    _ entries: [String], base: String = SmallWorkshop.base, entranceAppliesToAliases: Bool = true
  ) throws -> SMBundleTable {
    let workshop = try SmallWorkshop()
    try workshop.manifest(
      #"{"version": "1.0.0", "bundles": [\#(entries.joined(separator: ", "))]}"#)
    let host = try workshop.host()
    return SMBundleTable(
      try host.manifest(user: nil, embedded: workshop.main.file("bundle.json")), base: base,
      entranceAppliesToAliases: entranceAppliesToAliases, of: host)
  }

  /// `uri target` of what a URL stands for, with the query after it; nil if it stands for nothing.
  private func found(_ table: SMBundleTable, _ rest: String, base: String = SmallWorkshop.base) throws -> String? {
    guard let match = table.match(try PluginURL(base + rest)) else { return nil }
    return "\(match.bundle.uri.dropFirst(base.count)) \(match.target)" + (match.query.map { "?" + $0 } ?? "")
  }

  @Test(
    "SM7: the URI, .html, /index and /index.html lead to the principal, nothing else does, and null removes a rule")
  func defaults() throws {
    let table = try Self.table([Workshop.entry("main")])
    for rest in ["main", "main.html", "main/index", "main/index.html"] {
      #expect(try found(table, rest) == "main ", "\(rest)")
    }
    for rest in [
      "main/", "main2", "main/x", "main/index/", "main/index.htm", "main/.html", "Main", "main.html/", "mai",
    ] {
      #expect(try found(table, rest) == nil, "\(rest)")
    }
    let less = try Self.table([Workshop.entry("main", rules: #"{".html": null, "index": null}"#)])
    #expect(try found(less, "main.html") == nil)
    #expect(try found(less, "main/index") == nil)
    #expect(try found(less, "main") == "main " && found(less, "main/index.html") == "main ")
    #expect(less.bundles[0].rules == ["": "", "/index.html": ""])
  }

  @Test("SM8: a rule for the URI itself is for its aliases too, and not in the way of iOS")
  func entrance() throws {
    let entry = Workshop.entry("main", rules: #"{"": "Main/MainViewController"}"#)
    let aliases = ["main.html", "main/index", "main/index.html"]
    let table = try Self.table([entry])
    for rest in ["main"] + aliases { #expect(try found(table, rest) == "main Main/MainViewController", "\(rest)") }
    let iOS = try Self.table([entry], entranceAppliesToAliases: false)
    #expect(try found(iOS, "main") == "main Main/MainViewController")
    for rest in aliases { #expect(try found(iOS, rest) == "main ", "\(rest)") }
    // A rule of their own counts, and a bundle may have no entrance.
    let own = try Self.table([Workshop.entry("main", rules: #"{"": "A", ".html": "B", "index": null}"#)])
    #expect(try found(own, "main") == "main A" && found(own, "main.html") == "main B")
    #expect(try found(own, "main/index") == nil)
    let none = try Self.table([Workshop.entry("main", rules: #"{"": null, "x": "X"}"#)])
    for rest in ["main"] + aliases { #expect(try found(none, rest) == nil, "\(rest)") }
    #expect(try found(none, "main/x") == "main X")
  }

  @Test("SM9: a key without a slash or a dot at its beginning gets a slash; that of a query has none")
  func keys() throws {
    let table = try Self.table([
      Workshop.entry("detail", rules: #"{"sub": "Sub", "abc.html": "AbcController", ".htm": "Old", "?x=1": "One"}"#)
    ])
    #expect(try found(table, "detail/sub") == "detail Sub")
    #expect(try found(table, "detailsub") == nil)
    #expect(try found(table, "detail/abc.html") == "detail AbcController")
    #expect(try found(table, "detail.htm") == "detail Old")
    #expect(try found(table, "detail?x=1") == "detail One?x=1")
    #expect(try found(table, "detail?x=2") == "detail ?x=2")
    // Both spellings of one key: the one that is written whole counts.
    #expect(SMRules.merged(["sub": "A", "/sub": "B"])["/sub"] == "B")
    #expect(SMRules.merged(["sub": nil, "/sub": "B"])["/sub"] == "B")
    #expect(SMRules.merged(["sub": "A", "/sub": nil])["/sub"] == nil)
  }

  @Test("SM10: a key with the query of the URL comes before one without a query")
  func exact() throws {
    let table = try Self.table([Workshop.entry("list", rules: #"{"/l?type=1": "A", "/l": "B"}"#)])
    #expect(try found(table, "list/l?type=1") == "list A?type=1")
    let other = try #require(table.match(try PluginURL(Workshop.base + "list/l?type=2")))
    #expect(other.target == "B" && other.query == "type=2" && other.queryParams == ["type": "2"])
    #expect(try found(table, "list/l") == "list B")
    #expect(try found(table, "list/l?type=1&x") == "list B?type=1&x")
    // The same parameter, encoded in another way.
    #expect(try found(table, "list/l?type=%31") == "list A?type=%31")
  }

  @Test("SM11: the query of a rule follows that of the request, and its values count")
  func queries() throws {
    let table = try Self.table([
      Workshop.entry("detail", rules: #"{"sub": "Sub?y=2&x=9", "own": "?y=2", "bare": "T?", "two": "T?a=1?b"}"#)
    ])
    func match(_ rest: String) throws -> SMMatch {
      try #require(table.match(try PluginURL(Workshop.base + rest)), "\(rest)")
    }
    let both = try match("detail/sub?x=1")
    #expect(both.target == "Sub" && both.query == "x=1&y=2&x=9")
    #expect(both.queryParams == ["x": "9", "y": "2"])
    let rule = try match("detail/sub")
    #expect(rule.query == "y=2&x=9" && rule.queryParams == ["x": "9", "y": "2"])
    let principal = try match("detail/own")
    #expect(principal.target == "" && principal.query == "y=2" && principal.queryParams == ["y": "2"])
    #expect(try match("detail/own?x=1").query == "x=1&y=2")
    #expect(try match("detail/own?").query == "y=2")
    #expect(try match("detail/bare?x=1").query == "x=1")
    let two = try match("detail/two")
    #expect(two.target == "T" && two.queryParams == ["a": "1?b"])
  }

  @Test("SM12: a query is split at & and the first =, each value is decoded once, and without a query there is none")
  func parsing() throws {
    let table = try Self.table([Workshop.entry("detail", rules: #"{"r": "T?a=%E5%AE%B6&k"}"#)])
    func params(_ rest: String) throws -> [String: String]? {
      try #require(table.match(try PluginURL(Workshop.base + rest)), "\(rest)").queryParams
    }
    #expect(try params("detail?from=app.home") == ["from": "app.home"])
    #expect(try params("detail?a=b=c") == ["a": "b=c"])
    #expect(try params("detail?k") == [:])
    #expect(try params("detail?=v") == ["": "v"])
    #expect(try params("detail?a=%E5%AE%B6") == ["a": "家"])
    #expect(try params("detail?a=%2541") == ["a": "%41"])
    #expect(try params("detail?a%3Db=1") == ["a=b": "1"])
    #expect(try params("detail?a=1&a=2") == ["a": "2"])
    #expect(try params("detail") == nil)
    #expect(try params("detail/r") == ["a": "家"])
  }

  @Test("SM13 D1: a URI is the beginning of a URL part by part; the longest counts, and of equal ones the first")
  func longest() throws {
    let table = try Self.table([
      Workshop.entry("main", rules: #"{"sub": "Wrong", "other": "Other"}"#),
      #"{"uri": "main/sub", "pkg": "net.wequick.example.small.app.sub"}"#,
      #"{"uri": "main", "pkg": "net.wequick.example.small.app.second", "rules": {"second": "Second"}}"#,
      Workshop.entry("home"),
    ])
    #expect(try found(table, "main/sub") == "main/sub ")
    #expect(try found(table, "main/sub.html") == "main/sub ")
    #expect(try found(table, "main/sub/x") == nil)
    #expect(try found(table, "main/other") == "main Other")
    #expect(try found(table, "main/second") == nil, "it belongs to the first entry")
    #expect(table.match(try PluginURL(Workshop.base + "main"))?.bundle.pkg == "net.wequick.example.small.app.main")
    // D1: a URI within a query, and without a base.
    #expect(
      try found(table, "home?back=http://m.wequick.net/demo/main") == "home ?back=http://m.wequick.net/demo/main")
    let bare = try Self.table([Workshop.entry("main"), Workshop.entry("home")], base: "ui://")
    #expect(try found(bare, "home?x=main", base: "ui://") == "home ?x=main")
    #expect(try found(bare, "main", base: "ui://") == "main ")
  }

  @Test("D8: what a URL stands for belongs to its request, whoever asks meanwhile")
  func requests() async throws {
    let table = try Self.table([Workshop.entry("detail", rules: #"{"sub": "Sub"}"#)])
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for step in 0..<500 {
            let path = (worker + step).isMultiple(of: 2) ? "detail" : "detail/sub"
            let url = try? PluginURL("\(Workshop.base)\(path)?n=\(worker).\(step)")
            let match = url.flatMap { table.match($0) }
            #expect(match?.target == (path == "detail" ? "" : "Sub"))
            #expect(match?.queryParams == ["n": "\(worker).\(step)"])
          }
        }
      }
    }
  }

  @Test("a rule that makes no URL, or whose query is none, has no effect, and is told")
  func faults() throws {
    let long = String(repeating: "a/", count: 70)
    let table = try Self.table([
      Workshop.entry(
        "main", rules: #"{"a//b": "A", "/../up": "B", "\u0001": "C", "\#(long)": "D", "q": "T?a=\u0007"}"#)
    ])
    #expect(
      table.faults.map(\.rule).sorted()
        == ["/\u{1}", "/../up", "/a//b", "/\(long)", "/q"].map { "net.wequick.example.small.app.main: \($0)" }
        .sorted())
    #expect(
      Set(table.faults.map(\.error.code)) == [.urlControlCharacter, .urlDotSegment, .urlEmptySegment, .urlTooLong])
    #expect(try found(table, "main") == "main ")
  }
}
