import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// The rules about what a release manager should know of: removed, grown, and signed by others.
@Suite struct ChangeRuleTests {
  @Test("what is missing is a finding, unless only its version number or a module's file name has changed")
  func removed() throws {
    let workshop = try ReleaseWorkshop()
    for path in ["notes.txt", "tool-1.2.0.tar"] { try workshop.file(path, [1], in: .baseline) }
    try workshop.module("player.zip", ReleaseWorkshop.description("1.2.0", 7), in: .baseline)
    try workshop.module(
      "gone.zip", ReleaseWorkshop.description("2.0.0", 3, of: "com.example.gone"), in: .baseline)
    try workshop.file("tool-1.3.0.tar", [1, 2])
    try workshop.module("new-name.zip", ReleaseWorkshop.description("1.3.0", 8))
    let found = try workshop.findings(RemovedRule.self)
    #expect(
      found.map(\.words) == [
        [
          "removed", "gone.zip", nil, nil, "is a module of the last release that is missing", nil,
          "a verified archive of com.example.gone, as in version 2.0.0", "none",
        ],
        [
          "removed", "notes.txt", nil, nil, "is missing, and was in the last release", nil, "the artifact", "none",
        ],
      ])
    #expect(found[0].hint == "add it to the release, or tell its users that it is gone")
  }

  @Test("a module is missing, too, if something else has its name")
  func replaced() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.module("a.zip", ReleaseWorkshop.description("1.2.0", 7), in: .baseline)
    try workshop.module("a.zip", ReleaseWorkshop.description("1.2.0", 7, of: "com.example.other"))
    #expect(try workshop.findings(RemovedRule.self).map(\.found) == ["another artifact at a.zip"])
    try workshop.write("a.zip.sigstore.jsonl", [])
    #expect(try workshop.findings(RemovedRule.self).map(\.found) == ["a refused artifact at a.zip"])
  }

  @Test("each new demand of a module is a finding of its own")
  func permissions() throws {
    let workshop = try ReleaseWorkshop()
    let old = ReleaseWorkshop.description(
      "1.2.0", 7,
      of: "com.example.player",
      """
      "resources": ["assets"], "permissions": ["files"], "routes": ["ui://player/a"], "services": ["sound"],
      "targets": {"player": [{"name": "play", "local": true}, "stop"]}, "requires": {"host": ">=1.0.0"}
      """)
    let new = ReleaseWorkshop.description(
      "1.3.0", 8,
      of: "com.example.player",
      """
      "resources": ["assets"], "permissions": ["network", "files"], "routes": ["ui://player/b"],
      "targets": {"player": ["play", "rewind"]},
      "requires": {"host": ">=1.1.0", "modules": [{"identifier": "com.example.core", "versions": ">=1.0.0"}]}
      """)
    try workshop.module("player.zip", old, in: .baseline)
    try workshop.module("player.zip", new)
    let found = try workshop.findings(PermissionsGrownRule.self)
    func words(_ message: String, _ field: String, _ text: String) -> [String?] {
      [
        "permissions-grown", "player.zip", "module.json", field, "\(message), unlike in the last release", nil,
        "what the last release asked for", text,
      ]
    }
    #expect(
      found.map(\.words) == [
        words("asks for a permission", "permissions", "network"), words("has a route", "routes", "ui://player/b"),
        words("has an action", "targets", "player/rewind"),
        words("lets URLs call an action", "targets", "player/play"),
        words("requires these versions of its host", "requires.host", ">=1.1.0"),
        words("requires these versions of a module", "requires.modules", "com.example.core >=1.0.0"),
      ])
    #expect(found[0].hint == "make sure that it is intended, and mention it in the release notes")
    // The other way round, things are only taken away, and one requirement is another.
    let reverse = try ReleaseWorkshop()
    try reverse.module("player.zip", new, in: .baseline)
    try reverse.module("player.zip", old)
    let reversed = try reverse.findings(PermissionsGrownRule.self).map(\.found)
    #expect(reversed == ["ui://player/a", "sound", "player/stop", ">=1.0.0"])
  }

  @Test("another set of signers is a finding, and the same key twice is none")
  func signers() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.file("lost", [1], in: .baseline, by: [workshop.key, workshop.second])
    try workshop.file("lost", [1])
    try workshop.file("new", [1], in: .baseline)
    try workshop.file("new", [1], by: [workshop.second])
    try workshop.file("same", [1], in: .baseline)
    try workshop.file("same", [1, 2])
    let found = try workshop.findings(SignersChangedRule.self)
    let (first, second) = (workshop.name(of: workshop.key), workshop.name(of: workshop.second))
    let both =
      workshop.key.publicKey.id.description < workshop.second.publicKey.id.description
      ? "\(first), \(second)" : "\(second), \(first)"
    #expect(
      found.map(\.words) == [
        ["signers-changed", "lost", nil, nil, "has other signers than in the last release", nil, both, first],
        ["signers-changed", "new", nil, nil, "has other signers than in the last release", nil, first, second],
      ])
    #expect(
      found[0].hint == "make sure that the change is intended, and tell users whose policies name the signers")
  }

  @Test("growth is a finding if it is above both limits")
  func growth() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.file("tool", [UInt8](repeating: 1, count: 100), in: .baseline)
    try workshop.file("tool", [UInt8](repeating: 1, count: 1300))
    #expect(try workshop.findings(GrowthRule.self).isEmpty)
    #expect(try workshop.findings(GrowthRule.self, #""bytes": 1200"#).isEmpty)
    #expect(try workshop.findings(GrowthRule.self, #""bytes": 1199, "percent": 1200"#).isEmpty)
    let found = try workshop.findings(GrowthRule.self, #""bytes": 1199, "percent": 1199"#)
    #expect(
      found.map(\.words) == [
        [
          "growth", "tool", nil, nil, "has grown much since the last release", nil,
          "at most 1199 percent or 1,199 bytes more than 100 bytes", "1,300 bytes",
        ]
      ])
    #expect(found[0].hint == "look at what was added, and find out whether users need it")
    // It shrinks.
    let reverse = try ReleaseWorkshop()
    try reverse.file("tool", [UInt8](repeating: 1, count: 1300), in: .baseline)
    try reverse.file("tool", [])
    #expect(try reverse.findings(GrowthRule.self, #""bytes": 1, "percent": 1"#).isEmpty)
  }
}
