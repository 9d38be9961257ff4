import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct BaselineRuleTests {
  @Test("a last release that is verified is no finding, and without one no rule has any")
  func clean() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.module("player.zip", ReleaseWorkshop.description("1.0.0", 1))
    let rules: [any GateRule.Type] = [
      BaselineRule.self, SequenceRule.self, VersionRule.self, MinimumSequenceRule.self, RemovedRule.self,
      PermissionsGrownRule.self, SignersChangedRule.self, GrowthRule.self, ReproducibleRule.self,
    ]
    for rule in rules { #expect(try workshop.findings(rule).isEmpty) }
    // The same release once more.
    try workshop.module("player.zip", ReleaseWorkshop.description("1.0.0", 1), in: .baseline)
    for rule in rules { #expect(try workshop.findings(rule).isEmpty) }
  }

  @Test("an artifact of the last release that is refused cannot be compared with")
  func refused() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.file("tool", [1])
    try workshop.write("tool", [1], in: .baseline)
    let found = try workshop.findings(BaselineRule.self)
    #expect(
      found.map(\.words) == [
        [
          "baseline", "tool", nil, "in the last release",
          "is refused in the last release, so nothing can be compared with it", "signature.missing",
          "a Sigstore bundle beside it", "has no signature",
        ]
      ])
    #expect(found[0].hint == "give --baseline the last release as it was published, with its signatures")
  }

  @Test("a statement of the last release that has expired is told from others")
  func expired() throws {
    let workshop = try ReleaseWorkshop()
    let end = UnixTime(seconds: ReleaseWorkshop.time.seconds + 100)
    try workshop.module("player.zip", ReleaseWorkshop.description("1.0.0", 1), in: .baseline, notAfter: end)
    try workshop.module("player.zip", ReleaseWorkshop.description("1.1.0", 2))
    #expect(try workshop.findings(BaselineRule.self).isEmpty)
    let now = UnixTime(seconds: end.seconds + 1)
    let found = try workshop.findings(BaselineRule.self, at: now)
    #expect(
      found.map(\.words) == [
        [
          "baseline", "player.zip", nil, "in the last release",
          "has a statement in the last release that has expired since then, so nothing can be compared with it",
          "statement.expired", "a time up to \(end)", "\(now)",
        ]
      ])
    #expect(
      found[0].hint == "get the last release from where it is published: its signatures may have been renewed")
  }

  @Test("a last release without artifacts is nothing to compare with")
  func empty() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.file("tool", [1])
    try workshop.write("orphan.sigstore.json", [1], in: .baseline)
    #expect(
      try workshop.findings(BaselineRule.self).map(\.words) == [
        [
          "baseline", nil, nil, nil, "has nothing to compare in its last release", nil,
          "the artifacts of the last release", "none in baseline",
        ]
      ])
  }
}
