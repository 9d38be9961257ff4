import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct ReleaseComparisonTests {
  private func changes(_ workshop: ReleaseWorkshop) throws -> [[String]] {
    let comparison = ReleaseComparison.compare(
      try workshop.artifacts(.baseline), try workshop.artifacts(.release), baselineName: "last")
    #expect(comparison.baseline == "last")
    return comparison.changes.map(\.words)
  }

  private func size(_ path: String, _ place: ReleaseWorkshop.Place, _ workshop: ReleaseWorkshop) throws -> String {
    Amount.number(try workshop.read(path, in: place).count)
  }

  @Test("a module is compared with the same module under another name, in everything that its statement says")
  func module() throws {
    let workshop = try ReleaseWorkshop()
    let old = ReleaseWorkshop.description(
      "1.0.0", 1,
      of: "com.example.player",
      """
      "resources": ["assets"], "permissions": ["files"], "targets": {"player": [{"name": "play", "local": true}]},
      "requires": {"host": ">=1.0.0", "modules": [{"identifier": "com.example.core", "versions": ">=1.0.0"}]}
      """)
    let new = ReleaseWorkshop.description(
      "1.1.0", 2,
      of: "com.example.player",
      """
      "resources": ["assets"], "permissions": ["files", "network"], "routes": ["ui://player/:item"],
      "targets": {"player": ["play"]}, "services": ["sound"], "embedded": true,
      "requires": {"host": ">=2.0.0", "modules": [{"identifier": "com.example.core", "versions": ">=1.5.0"}]}
      """)
    let files = ["assets/a": Array("hello".utf8), "assets/tool": [1], "assets/old": [2, 3]]
    try workshop.module("player-1.0.0.zip", old, files, in: .baseline)
    let changed = ["assets/a": Array("hello world".utf8), "assets/tool": [1], "assets/b": [4]]
    try workshop.module(
      "player-1.1.0.zip", new, changed, executable: "assets/tool", by: [workshop.key, workshop.second],
      minimumSequence: 1)
    let sizes = [
      try size("player-1.0.0.zip", .baseline, workshop), try size("player-1.1.0.zip", .release, workshop),
    ]
    #expect(
      try changes(workshop) == [
        [
          "changed player-1.1.0.zip",
          "was player-1.0.0.zip",
          "~ size \(sizes[0]) to \(sizes[1]) bytes",
          "+ minimum sequence 1",
          "+ signer \(workshop.name(of: workshop.second))",
          "~ version 1.0.0 to 1.1.0",
          "~ sequence 1 to 2",
          "+ embedding in the host",
          "+ permission network",
          "+ route ui://player/:item",
          "+ service sound",
          "~ action player/play local to open",
          "~ host >=1.0.0 to >=2.0.0",
          "~ requirement com.example.core >=1.0.0 to >=1.5.0",
          "~ assets/a 5 to 11 bytes",
          "+ assets/b 1 byte",
          "- assets/old 2 bytes",
          "~ assets/tool mode 0644 to 0755",
          "~ module.json \(old.utf8.count) to \(new.utf8.count) bytes",
        ]
      ])
  }

  @Test("what is equal is no change, and what only one release has is told in short")
  func sides() throws {
    let workshop = try ReleaseWorkshop()
    for place in [ReleaseWorkshop.Place.baseline, .release] { try workshop.file("same", [1], in: place) }
    try workshop.file("gone", [1, 2], in: .baseline)
    try workshop.module("player.zip", ReleaseWorkshop.description("1.0.0", 7))
    let bytes = try size("player.zip", .release, workshop)
    #expect(
      try changes(workshop) == [
        ["removed gone", "- kind file", "- size 2 bytes", "- signer \(workshop.name(of: workshop.key))"],
        [
          "added player.zip", "+ kind module", "+ size \(bytes) bytes", "+ signer \(workshop.name(of: workshop.key))",
          "+ module com.example.player", "+ version 1.0.0", "+ sequence 7", "+ format zip", "+ resource assets",
          "+ 2 entries",
        ],
      ])
  }

  @Test("a file whose name has a version number is found again, and a name stays in its line")
  func names() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.file("linux/tool-1.2.0.bin", [1], in: .baseline)
    try workshop.file("linux/tool-1.3.0.bin", [1, 2])
    try workshop.file("a\n+ permission x-1.0.bin", [7], in: .baseline)
    try workshop.file("a\n+ permission x-1.1.bin", [8])
    try workshop.file("x86_64", [1], in: .baseline)
    try workshop.file("x86_65", [1])
    let signer = workshop.name(of: workshop.key)
    #expect(
      try changes(workshop) == [
        [
          "changed a\n+ permission x-1.1.bin", #"was "a\u{a}+ permission x-1.0.bin""#,
          "~ content, with the same size of 1 byte",
        ],
        ["changed linux/tool-1.3.0.bin", "was linux/tool-1.2.0.bin", "~ size 1 to 2 bytes"],
        ["removed x86_64", "- kind file", "- size 1 byte", "- signer \(signer)"],
        ["added x86_65", "+ kind file", "+ size 1 byte", "+ signer \(signer)"],
      ])
  }

  @Test("of what is refused, only size and digest are compared")
  func refused() throws {
    let workshop = try ReleaseWorkshop()
    try workshop.write("a", [1], in: .baseline)
    try workshop.write("a", [1, 2])
    try workshop.write("equal", [3], in: .baseline)
    try workshop.write("equal", [3])
    try workshop.write("gone", [4], in: .baseline)
    try workshop.file("was", [5], in: .baseline)
    try workshop.write("was", [5])
    let (old, new) = (try Digest.of([1], .sha256).hex, try Digest.of([1, 2], .sha256).hex)
    #expect(
      try changes(workshop) == [
        [
          "changed a", "~ size 1 to 2 bytes", "~ sha256 \(old) to \(new)",
          "is refused, so its content is not compared",
        ],
        ["removed gone", "- size 1 byte", "was refused, so its content is not compared"],
        [
          "changed was", "- kind file", "- signer \(workshop.name(of: workshop.key))",
          "is refused, so its content is not compared",
        ],
      ])
  }

  @Test("a directory is compared entry by entry, in at most 200 lines and one that counts the others")
  func directories() throws {
    let workshop = try ReleaseWorkshop()
    for place in [ReleaseWorkshop.Place.baseline, .release] { try workshop.write("site/index", [1], in: place) }
    for number in 0..<250 { try workshop.write("site/page\(1000 + number)", [7]) }
    try workshop.signFile("site", in: .baseline)
    try workshop.signFile("site")
    let change = try #require(try changes(workshop).first)
    #expect(change.count == 202)
    #expect(Array(change.prefix(3)) == ["changed site", "~ size 1 to 251 bytes", "+ page1000 1 byte"])
    #expect(change[201] == "and 51 more differences")
  }
}
