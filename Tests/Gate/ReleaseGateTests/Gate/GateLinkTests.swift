import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct GateLinkTests {
  @Test("a link to what is left out is found, whatever the policy allows")
  func linkToExcluded() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    try release.write("notes/NEWS.md", "evil")
    try release.link("news", to: "notes/NEWS.md")
    try release.link("folder", to: "notes")
    try release.link("again", to: "news")
    let report = try release.check(rules: #"{"link": {"allow": ["news", "folder", "again"]}}"#, exclude: ["notes"])
    #expect(
      report.lines
        == ["again", "folder", "news"].map { name in
          let target = name == "folder" ? "notes" : "notes/NEWS.md"
          return "link | \(name) | is a link to what is left out, and so not verified | a link to a signed file "
            + "| a link to \(target), which notes leaves out"
        })
  }

  @Test("forty links may lead to a file, and what all links name is bounded")
  func chains() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    for number in 0..<39 { try release.link("l\(number)", to: "l\(number + 1)") }
    try release.link("l39", to: "./tool")
    #expect(try release.check(rules: #"{"link": "off"}"#).isClean)
    try release.link("first", to: "l0")
    let error = expectError(.gateLink) { _ = try release.check(rules: #"{"link": "off"}"#) }
    #expect(error?.message == "is a link that leads in a circle, or through too many links")
    let directory = try Directory(opening: release.path)
    let paths = try DirectoryScan(directory, limits: ReleaseFiles.limits).entries.reduce(0) { $0 + $1.path.count }
    expectError(.pathBounds) {
      _ = try DirectoryScan(
        directory, limits: DirectoryScan.Limits(entries: 1000, pathLength: 4096, depth: 128, allPaths: paths))
    }
  }
}
