import Testing

@testable import ReleaseGate

@Suite struct RuleFindingsTests {
  private static func shown(_ findings: RuleFindings) -> [String] { findings.all.map(ContentCheck.shown) }

  private static func note(_ findings: inout RuleFindings, _ entry: String?, _ place: String) {
    findings.noteShared(entry: entry, place: place, expected: "none", found: place, hint: "look") { "has \($0)" }
  }

  @Test("places of one file share a finding, which shows the first")
  func shared() {
    var findings = RuleFindings("rule", .warning, about: "file")
    for (entry, place) in [("a", "1"), ("a", "2"), ("b", "3"), ("a", "4")] { Self.note(&findings, entry, place) }
    findings.note("other", entry: "a", hint: "look")
    Self.note(&findings, "a", "5")
    Self.note(&findings, nil, "6")
    Self.note(&findings, nil, "7")
    #expect(
      Self.shown(findings) == [
        "rule warning file a at 1: has 2; expected none; found 1; look",
        "rule warning file b at 3: has 1; expected none; found 3; look",
        "rule warning file a at 4: has 1; expected none; found 4; look",
        "rule warning file a: other; look",
        "rule warning file a at 5: has 1; expected none; found 5; look",
        "rule warning file at 6: has 2; expected none; found 6; look",
      ])
  }

  @Test("names that only look alike do not share a finding")
  func canonicalEquivalence() {
    var findings = RuleFindings("rule", .error, about: "file")
    Self.note(&findings, "\u{e9}", "1")
    Self.note(&findings, "e\u{301}", "2")
    #expect(findings.all.map(\.message) == ["has 1", "has 1"])
  }

  @Test("the hundred and first file is left out once, however many places it has")
  func limit() {
    var findings = RuleFindings("rule", .error, about: "file")
    for number in 0..<102 { for place in 0..<3 { Self.note(&findings, "\(number)", "\(place)") } }
    #expect(findings.all.count == 101)
    #expect(findings.all[99].message == "has 3")
    #expect(findings.all[100].message == "has 2 more findings of this rule")
  }

  @Test("findings about one file leave room for those about others, and each file's rest is told")
  func limitPerFile() {
    var findings = RuleFindings("rule", .error, about: nil)
    for number in 0..<101 { findings.note("is \(number)", about: "loud", hint: "look") }
    for _ in 0..<103 { findings.note("is wrong", hint: "look") }
    findings.note("is wrong", about: "quiet", hint: "look")
    findings.note("is wrong", about: "loud", hint: "look")
    let all = findings.all
    #expect(all.count == 203)
    #expect(all.filter { $0.path == "quiet" }.map(\.message) == ["is wrong"])
    #expect(
      all.suffix(2).map { "\($0.path ?? "-") \($0.message)" } == [
        "loud has 2 more findings of this rule", "- has 3 more findings of this rule",
      ])
    var one = RuleFindings("rule", .error, about: "file")
    for _ in 0..<101 { one.note("is wrong", hint: "look") }
    #expect(one.all.last?.message == "has 1 more finding of this rule")
  }
}
