import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// The rules about what modules say of themselves.
@Suite struct DescriptionRuleTests {
  #if arch(arm64)
    private static let platform = "linux-aarch64"
    private static let other = "linux-x86_64"
  #else
    private static let platform = "linux-x86_64"
    private static let other = "linux-aarch64"
  #endif
  private static let compiler = Program.find("clang") ?? Program.find("cc")

  private func words(_ rest: String?...) -> [String?] { ["description", "player.zip"] + rest }

  /// A release with one module.
  private func workshop(
    _ more: String, _ files: [String: [UInt8]] = ReleaseWorkshop.hello
  ) throws -> ReleaseWorkshop {
    let workshop = try ReleaseWorkshop()
    try workshop.module(
      "player.zip", ReleaseWorkshop.description("1.0.0", 1, of: "com.example.player", more), files)
    return workshop
  }

  /// A library with a function.
  private func library(_ function: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("a.c", Array("int \(function)(void) { return 1; }".utf8))
    let run = try Program.run(
      try #require(Self.compiler), ["-shared", "-fPIC", "-nostdlib", "-o", "a.so", "a.c"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try folder.read("a.so")
  }

  private func code(on platform: String, at path: String = "com_example_player.so") -> String {
    "\"binary\": {\"\(platform)\": {\"path\": \"\(path)\"}}, \"principal\": \"player_main\""
  }

  @Test("a module of resources, and files that are no modules, are no findings")
  func clean() throws {
    let workshop = try workshop(ReleaseWorkshop.resources)
    try workshop.file("libc.so", [0x7f, 0x45, 0x4c, 0x46])
    #expect(try workshop.findings(DescriptionRule.self).isEmpty)
  }

  @Test("what only code can register needs code, and a module brings something")
  func withoutCode() throws {
    let workshop = try workshop(#""routes": ["ui://player/a", "ui://player/b"], "services": ["sound"]"#)
    let found = try workshop.findings(DescriptionRule.self)
    #expect(
      found.map(\.words) == [
        words(
          "module.json", "routes", "has no code that could register its routes", nil, "a binary, or no routes",
          "2"),
        words(
          "module.json", "services", "has no code that could register its services", nil, "a binary, or no services",
          "1"),
        words("module.json", nil, "has neither code nor resources", nil, "`binary` or `resources`", "neither"),
      ])
    #expect(found[0].hint == "name the code in `binary`, or remove `routes`")
  }

  @Test("a library is named, unless it is part of a resource")
  func libraries() throws {
    let files: [String: [UInt8]] = ["assets/libdata.so": [1], "lib/libstray.so.1": [2], "assets.so": [3]]
    let found = try workshop(ReleaseWorkshop.resources, files).findings(DescriptionRule.self)
    let message = "has a file that is named like a shared library, and module.json does not name it"
    let expected = "a library among the `libraries` of a binary"
    #expect(
      found.map(\.words) == [
        words("assets.so", nil, message, nil, expected, "no such name"),
        words("lib/libstray.so.1", nil, message, nil, expected, "no such name"),
      ])
    #expect(found[0].hint == "name it there, or leave it out")
  }

  @Test("a binary is named after its module, and is a library")
  func binaries() throws {
    let found = try workshop(code(on: Self.platform, at: "lib/player.so"), ["lib/player.so": [1, 2, 3]])
      .findings(DescriptionRule.self)
    #expect(
      found.map(\.words) == [
        words(
          "lib/player.so", nil, "is not named after its module", "packing.binary-name", "com_example_player.so",
          "player.so"),
        words(
          "lib/player.so", nil, "has a binary that is not in the ELF format", nil,
          "a shared library for \(Self.platform)", "a file of another format"),
      ])
    // What cannot be read as one is a finding, too.
    let broken = try workshop(code(on: Self.platform), ["com_example_player.so": [0x7f, 0x45, 0x4c, 0x46]])
      .findings(DescriptionRule.self)
    #expect(broken.map(\.code) == ["elf.malformed"] && broken.map(\.entry) == ["com_example_player.so"])
    // macOS's binaries cannot be looked into.
    let foreign = try workshop(
      code(on: "macos-arm64", at: "com_example_player.dylib"), ["com_example_player.dylib": [1]])
    #expect(try foreign.findings(DescriptionRule.self).isEmpty)
  }

  @Test(
    "a binary is for its platform, and exports the principal",
    .enabled(if: Program.find("clang") != nil || Program.find("cc") != nil, "no compiler for ELF libraries"))
  func principal() throws {
    let sound = try library("player_main")
    let clean = try workshop(code(on: Self.platform), ["com_example_player.so": sound])
    #expect(try clean.findings(DescriptionRule.self).isEmpty)
    let wrong = try workshop(code(on: Self.platform), ["com_example_player.so": library("player_start")])
      .findings(DescriptionRule.self)
    #expect(
      wrong.map(\.words) == [
        words(
          "com_example_player.so", "player_main", "has a binary that does not define its principal",
          "elf.principal", "a global function, or data, of the library's own", "no such symbol")
      ])
    #expect(
      wrong[0].hint == "export it: `@c(player_main) public func` in Swift; in C, with default visibility")
    let elsewhere = try workshop(code(on: Self.other), ["com_example_player.so": sound])
      .findings(DescriptionRule.self)
    #expect(elsewhere.map(\.code) == ["elf.architecture"])
  }

  @Test("each platform that the policy names has code, in modules with any")
  func platforms() throws {
    let workshop = try workshop(code(on: Self.platform), ["com_example_player.so": [1]])
    try workshop.module(
      "pictures.zip", ReleaseWorkshop.description("1.0.0", 1, of: "com.example.pictures"))
    #expect(try workshop.findings(PlatformsRule.self).isEmpty)
    #expect(try workshop.findings(PlatformsRule.self, "\"names\": [\"\(Self.platform)\"]").isEmpty)
    let found = try workshop.findings(
      PlatformsRule.self, "\"names\": [\"\(Self.platform)\", \"\(Self.other)\"]")
    #expect(
      found.map(\.words) == [
        [
          "platforms", "player.zip", "module.json", "binary", "has no code for a platform of the release", nil,
          Self.other, Self.platform,
        ]
      ])
    #expect(found[0].hint == "build it for \(Self.other), and name the binary there")
    let error = expectError(.jsonWrongValue) {
      _ = try ReleaseWorkshop.rule(PlatformsRule.self, #""names": ["beos-ppc"]"#)
    }
    #expect(error?.found == "beos-ppc")
  }

  @Test("a pre-release is a finding, and build metadata with a hyphen is none")
  func prereleases() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.module("a.zip", ReleaseWorkshop.description("1.4.0-beta.2", 1))
    try workshop.module("b.zip", ReleaseWorkshop.description("1.4.0+date-2", 2))
    let found = try workshop.findings(PrereleaseRule.self)
    #expect(
      found.map(\.words) == [
        [
          "prerelease", "a.zip", "module.json", "version", "has the version of a pre-release", nil,
          "a version without a hyphen", "1.4.0-beta.2",
        ]
      ])
    #expect(found[0].hint == "raise `version` in module.json, then pack and sign the module again")
  }
}
