import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

/// The rule about files that several modules hold.
@Suite struct SharedFileRuleTests {
  private static let picture = [UInt8](repeating: 7, count: 1024)

  private func add(
    _ name: String, _ files: [String: [UInt8]], sequence: Int = 1, as archive: String? = nil,
    to workshop: ReleaseWorkshop
  ) throws {
    try workshop.module(
      "\(archive ?? name).zip",
      ReleaseWorkshop.description("1.0.\(sequence)", sequence, of: "com.example.\(name)", ReleaseWorkshop.resources),
      files)
  }

  @Test("HS7: a file that two modules hold is a warning, whatever it is called")
  func shared() throws {
    let workshop = try ReleaseWorkshop()
    try add("icons", ["assets/play.png": Self.picture, "assets/own.png": Self.picture + [1]], to: workshop)
    #expect(try workshop.findings(SharedFileRule.self).isEmpty)
    try add("player", ["assets/button.png": Self.picture, "assets/copy.png": Self.picture], to: workshop)
    try add("radio", ["assets/play.png": Self.picture], to: workshop)
    let found = try workshop.findings(SharedFileRule.self)
    func words(_ archive: String, _ entry: String) -> [String?] {
      [
        "shared-file", archive, entry, nil, "is a file that another module holds, too", nil,
        "one module that holds it, and others that require it", "assets/play.png in icons.zip",
      ]
    }
    #expect(found.map(\.words) == [words("player.zip", "assets/button.png"), words("radio.zip", "assets/play.png")])
    #expect(found[0].hint == "put the file into a module of its own, or remove the copy that is not needed")
    #expect(SharedFileRule.about.usualLevel == .warning)
  }

  @Test("HS7: small files, files that the policy allows, and other releases of one module are no findings")
  func others() throws {
    let workshop = try ReleaseWorkshop()
    let small = [UInt8](Self.picture.dropLast())
    try add("icons", ["assets/LICENSE": Self.picture, "assets/small": small], to: workshop)
    try add("icons", ["assets/LICENSE": Self.picture, "assets/small": small], sequence: 2, as: "newer", to: workshop)
    #expect(try workshop.findings(SharedFileRule.self).isEmpty)
    try add("player", ["assets/LICENSE": Self.picture, "assets/small": small], to: workshop)
    #expect(try workshop.findings(SharedFileRule.self).map(\.entry) == ["assets/LICENSE"])
    #expect(try workshop.findings(SharedFileRule.self, #""allow": ["LICENSE"]"#).isEmpty)
    #expect(try workshop.findings(SharedFileRule.self, #""bytes": 1025"#).isEmpty)
    let all = try workshop.findings(SharedFileRule.self, #""bytes": 1023"#)
    #expect(all.map(\.entry) == ["assets/LICENSE", "assets/small"])
  }
}
