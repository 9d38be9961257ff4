import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// The rules about the order of releases: sequence, version and minimum sequence.
@Suite struct OrderRuleTests {
  /// A last release of version 1.2.0 with sequence 7, and a new one.
  private func workshop(
    _ version: String, _ sequence: Int, minimumSequence: Int? = nil, lastMinimum: Int? = nil
  ) throws -> ReleaseWorkshop {
    let workshop = try ReleaseWorkshop()
    try workshop.module(
      "player-1.2.0.zip", ReleaseWorkshop.description("1.2.0", 7), in: .baseline, minimumSequence: lastMinimum)
    try workshop.module(
      "player-new.zip", ReleaseWorkshop.description(version, sequence), ["assets/a": [7]],
      minimumSequence: minimumSequence)
    return workshop
  }

  @Test("a higher sequence with a higher version is what the rules want")
  func clean() throws {
    let workshop = try workshop("1.3.0", 8)
    #expect(try workshop.findings(SequenceRule.self).isEmpty)
    #expect(try workshop.findings(VersionRule.self).isEmpty)
    #expect(try workshop.findings(MinimumSequenceRule.self).isEmpty)
  }

  @Test("the same archive under another name, signed by somebody else, may keep both")
  func same() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.module("player-1.2.0.zip", ReleaseWorkshop.description("1.2.0", 7), in: .baseline)
    try workshop.module("player.zip", ReleaseWorkshop.description("1.2.0", 7), by: [workshop.second])
    #expect(try workshop.findings(SequenceRule.self).isEmpty)
    #expect(try workshop.findings(VersionRule.self).isEmpty)
  }

  @Test(
    "a sequence that does not grow is a finding",
    arguments: [
      (7, "has the sequence of the last release, with other bytes"),
      (6, "has a lower sequence than the last release"),
    ])
  func sequence(_ sequence: Int, _ message: String) throws {
    let found = try workshop("1.3.0", sequence).findings(SequenceRule.self)
    #expect(
      found.map(\.words) == [
        ["sequence", "player-new.zip", "module.json", "sequence", message, nil, "8 or more", "\(sequence)"]
      ])
    #expect(found[0].hint == "raise `sequence` in module.json, then pack and sign the module again")
  }

  @Test("the highest sequence of a module in the last release counts")
  func highest() throws {
    let workshop = try workshop("1.3.0", 8)
    try workshop.module(
      "other/player.zip", ReleaseWorkshop.description("1.2.5", 9), ["assets/a": [8]], in: .baseline)
    #expect(try workshop.findings(SequenceRule.self).map(\.expected) == ["10 or more"])
  }

  @Test("an archive of the last release that was not its newest is a step back, unless the newest is there, too")
  func steppedBack() throws {
    let workshop = try ReleaseWorkshop()
    for (name, version, sequence) in [("old.zip", "1.2.0", 7), ("new.zip", "1.3.0", 9)] {
      try workshop.module(name, ReleaseWorkshop.description(version, sequence), in: .baseline)
    }
    try workshop.module("old.zip", ReleaseWorkshop.description("1.2.0", 7))
    #expect(
      try workshop.findings(SequenceRule.self).map(\.words) == [
        [
          "sequence", "old.zip", "module.json", "sequence", "has a lower sequence than the last release", nil,
          "10 or more", "7",
        ]
      ])
    try workshop.module("new.zip", ReleaseWorkshop.description("1.3.0", 9))
    #expect(try workshop.findings(SequenceRule.self).isEmpty)
  }

  @Test(
    "a version that does not grow with the sequence is a finding",
    arguments: [
      ("1.2.0", 8, "has the version of the last release, with other bytes"),
      ("1.2.0", 7, "has the version of the last release, with other bytes"),
      ("1.2.0+build.2", 8, "has the version of the last release, with other bytes"),
      ("1.2.0-rc.1", 8, "has a lower version than the last release"),
      ("1.1.9", 8, "has a lower version than the last release"),
    ])
  func version(_ version: String, _ sequence: Int, _ message: String) throws {
    let found = try workshop(version, sequence).findings(VersionRule.self)
    #expect(
      found.map(\.words) == [
        ["version", "player-new.zip", "module.json", "version", message, nil, "a version above 1.2.0", version]
      ])
    #expect(found[0].hint == "raise `version` in module.json, then pack and sign the module again")
  }

  @Test("a lower version with a lower sequence is the sequence's fault")
  func older() throws { #expect(try workshop("1.1.9", 6).findings(VersionRule.self).isEmpty) }

  @Test(
    "a minimum sequence that falls is a finding",
    arguments: [
      (5, 4, "has a lower minimum sequence than the last release", "4"),
      (5, nil, "has no minimum sequence any more", "none"),
    ] as [(Int, Int?, String, String)])
  func minimum(_ last: Int, _ now: Int?, _ message: String, _ text: String) throws {
    let found = try workshop("1.3.0", 8, minimumSequence: now, lastMinimum: last).findings(MinimumSequenceRule.self)
    #expect(
      found.map(\.words) == [
        ["minimum-sequence", "player-new.zip", nil, "minimum sequence", message, nil, "5 or more", text]
      ])
    #expect(found[0].hint == "sign it with --minimum-sequence 5")
    #expect(
      try workshop("1.3.0", 8, minimumSequence: 5, lastMinimum: 5).findings(MinimumSequenceRule.self).isEmpty)
  }
}

/// The rule `reused-version`.
@Suite struct ReusedVersionRuleTests {
  private func workshop(_ path: String, _ old: [UInt8], _ new: [UInt8]) throws -> ReleaseWorkshop {
    let workshop = try ReleaseWorkshop()
    try workshop.file(path, old, in: .baseline)
    try workshop.file(path, new)
    return workshop
  }

  @Test("other bytes under a name with a version are a finding, and what stays the same is none")
  func files() throws {
    let found = try workshop("linux/tool-1.2.0.deb", [1], [2]).findings(ReusedVersionRule.self)
    #expect(
      found.map(\.words) == [
        [
          "reused-version", "linux/tool-1.2.0.deb", nil, nil,
          "has the name of a file of the last release, with its version and other bytes",
          nil, "SHA-256 \(try Digest.of([1], .sha256).hex)", try Digest.of([2], .sha256).hex,
        ]
      ])
    #expect(found.map(\.hint) == ["give it a higher version"])
    #expect(try workshop("tool-1.2.0.deb", [1], [1]).findings(ReusedVersionRule.self).isEmpty)
    #expect(try workshop("tool.deb", [1], [2]).findings(ReusedVersionRule.self).isEmpty)
    #expect(try workshop("1.2.0/tool", [1], [2]).findings(ReusedVersionRule.self).isEmpty)
  }

  @Test("a module is left to the rule on its version")
  func modules() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.module("player-1.2.0.zip", ReleaseWorkshop.description("1.2.0", 7), in: .baseline)
    try workshop.module("player-1.2.0.zip", ReleaseWorkshop.description("1.3.0", 8))
    #expect(try workshop.findings(ReusedVersionRule.self).isEmpty)
  }
}
