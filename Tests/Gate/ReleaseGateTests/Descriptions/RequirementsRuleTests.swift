import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// The rules about modules that belong together.
@Suite struct RequirementsRuleTests {
  /// Adds a module that requires others.
  private func add(
    _ name: String, _ version: String = "1.0.0", requires others: [String: String] = [:], host: String? = nil,
    to workshop: ReleaseWorkshop
  ) throws {
    let modules = others.sorted { $0.key < $1.key }.map { name, versions in
      "{\"identifier\": \"com.example.\(name)\", \"versions\": \"\(versions)\"}"
    }
    let fields =
      (host.map { ["\"host\": \"\($0)\""] } ?? [])
      + (modules.isEmpty ? [] : ["\"modules\": [\(modules.joined(separator: ", "))]"])
    let requires = fields.isEmpty ? "" : ", \"requires\": {\(fields.joined(separator: ", "))}"
    try workshop.module(
      "\(name).zip",
      ReleaseWorkshop.description(
        version, 1, of: "com.example.\(name)", ReleaseWorkshop.resources + requires))
  }

  private func words(_ path: String, _ field: String, _ message: String, _ expected: String, _ found: String)
    -> [String?]
  {
    ["requirements", path, "module.json", field, message, nil, expected, found]
  }

  @Test("requirements that the release meets, or leaves to others, are no findings")
  func clean() throws {
    let workshop = try ReleaseWorkshop()
    try add("core", "1.4.0", to: workshop)
    try add("player", requires: ["core": ">=1.0.0 <2.0.0", "elsewhere": ">=1.0.0"], host: ">=3.0.0", to: workshop)
    #expect(try workshop.findings(RequirementsRule.self).isEmpty)
    let found = try workshop.findings(RequirementsRule.self, #""complete": true"#)
    #expect(
      found.map(\.words) == [
        words(
          "player.zip", "requires.modules", "requires a module that the release does not hold",
          "com.example.elsewhere >=1.0.0", "none")
      ])
    #expect(found[0].hint == "add the module to the release")
  }

  @Test("another version than the required one is a finding")
  func versions() throws {
    let workshop = try ReleaseWorkshop()
    try add("core", "1.4.0", to: workshop)
    try add("player", requires: ["core": ">=2.0.0"], to: workshop)
    let found = try workshop.findings(RequirementsRule.self)
    #expect(
      found.map(\.words) == [
        words(
          "player.zip", "requires.modules", "requires other versions of a module than the release holds",
          "com.example.core >=2.0.0", "1.4.0")
      ])
    #expect(found[0].hint == "publish versions that belong together, or correct the range")
  }

  @Test("a range that no version is in is a finding")
  func ranges() throws {
    let workshop = try ReleaseWorkshop()
    try add("player", requires: ["core": ">1.0.0 <1.0.0"], host: ">=2.0.0 <1.0.0", to: workshop)
    try add("sound", requires: ["core": ">=1.0.0 <=1.0.0"], host: "=1.0.0", to: workshop)
    let (message, expected) = ("requires versions that cannot exist", "a lower bound below the upper one")
    #expect(
      try workshop.findings(RequirementsRule.self).map(\.words) == [
        words("player.zip", "requires.host", message, expected, ">=2.0.0 <1.0.0"),
        words("player.zip", "requires.modules", message, expected, ">1.0.0 <1.0.0"),
      ])
  }

  @Test("modules that require each other in a circle are one finding, and those that require them are none")
  func circles() throws {
    let workshop = try ReleaseWorkshop()
    let any = ">=1.0.0"
    try add("app", requires: ["c": any], to: workshop)
    try add("b", requires: ["c": any, "leaf": any], to: workshop)
    try add("c", requires: ["d": any], to: workshop)
    try add("d", requires: ["b": any], to: workshop)
    try add("leaf", to: workshop)
    try add("x", requires: ["y": any], to: workshop)
    try add("y", requires: ["x": any], to: workshop)
    let found = try workshop.findings(RequirementsRule.self)
    #expect(
      found.map(\.words) == [
        words(
          "b.zip", "requires.modules", "requires itself through other modules", "requirements without a circle",
          "com.example.b requires com.example.c requires com.example.d requires com.example.b"),
        words(
          "x.zip", "requires.modules", "requires itself through other modules", "requirements without a circle",
          "com.example.x requires com.example.y requires com.example.x"),
      ])
    #expect(found[0].hint == "remove the requirement from one of these modules")
  }

  @Test("a module that is there twice is a finding, by its sequence")
  func duplicates() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.module("new.zip", ReleaseWorkshop.description("1.1.0", 8))
    try workshop.module("old.zip", ReleaseWorkshop.description("1.0.0", 7))
    let older = try workshop.findings(DuplicateModuleRule.self)
    #expect(
      older.map(\.words) == [
        [
          "duplicate-module", "old.zip", nil, nil,
          "is an older release of a module that is here in a newer one, too", nil,
          "com.example.player with sequence 8 only, as in new.zip", "sequence 7",
        ]
      ])
    #expect(older[0].hint == "leave the older one out")
    #expect(try workshop.findings(DuplicateSequenceRule.self).isEmpty)
    // A copy is the same release; other bytes are not.
    try workshop.module("old.zip", ReleaseWorkshop.description("1.1.0", 8))
    #expect(try workshop.findings(DuplicateModuleRule.self).isEmpty)
    #expect(try workshop.findings(DuplicateSequenceRule.self).isEmpty)
    try workshop.module("old.zip", ReleaseWorkshop.description("1.1.0", 8), ["assets/a": [7]])
    let found = try workshop.findings(DuplicateSequenceRule.self)
    #expect(
      found.map(\.words) == [
        [
          "duplicate-sequence", "old.zip", "module.json", "sequence",
          "is the same release of a module as another archive, with other bytes", nil,
          "another sequence, or the bytes of new.zip", "com.example.player with sequence 8",
        ]
      ])
    #expect(found[0].hint == "put the code for all platforms into one archive, or give each its own sequence")
    #expect(try workshop.findings(DuplicateModuleRule.self).isEmpty)
  }
}
