import Testing

@testable import SmallRuntimeFace

@Suite("Small's rules") struct SmallRulesTests {
  @Test("SM9: a key without a slash, a dot or a question mark at its beginning gets a slash")
  func keys() {
    let rules = SMRules.merged(["sub": "Sub", ".htm": "A", "?x=1": "B", "/whole": "C"])
    #expect(
      rules == [
        "": "", ".html": "", "/index": "", "/index.html": "", "/sub": "Sub", ".htm": "A", "?x=1": "B", "/whole": "C",
      ])
  }
}
