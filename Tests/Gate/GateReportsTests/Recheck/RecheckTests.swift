import Foundation
import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct RecheckTests {
  private static func release() throws -> ReleaseFolder {
    let release = try ReleaseFolder()
    try release.add("linux/tool", "linux")
    try release.add("tool", "tool")
    try release.write("docs/index", "index")
    try release.sign("docs")
    try release.write("NOTES.md", "notes")
    try release.write("left/out/file", "file")
    try release.link("latest", to: "tool")
    return release
  }

  private static func differences(_ release: ReleaseFolder, _ change: (ReleaseFolder) throws -> Void) throws
    -> [String]
  {
    let report = try release.check(rules: #"{"link": "off"}"#, exclude: ["*.md", "left"])
    try #require(report.isClean, "\(report.lines)")
    let listing = try JSONReport.Listing(reading: JSONReport().text(of: report))
    try change(release)
    return try Recheck(listing).differences(in: [release.path]).map { "\($0.code) \($0.object) \($0.message)" }
  }

  @Test("an unchanged release is confirmed")
  func unchanged() throws { #expect(try Self.differences(Self.release()) { _ in } == []) }

  @Test("every change is told")
  func changed() throws {
    let found = try Self.differences(Self.release()) { release in
      try release.write("tool", "TOOL")
      try release.write("linux/tool", "longer than before")
      try release.write("docs/index", "INDEX")
      try release.write("left/out/file", "FILE")
      try release.write("linux/more", "more")
      try FileManager.default.removeItem(atPath: release.file("NOTES.md"))
      try FileManager.default.removeItem(atPath: release.file("latest"))
      try release.link("latest", to: "linux/tool")
      try FileManager.default.removeItem(atPath: release.file("tool.sigstore.json"))
      try release.link("tool.sigstore.json", to: "NOTES.md")
    }
    #expect(
      found == [
        "gate.changed NOTES.md is missing", "gate.changed docs was changed", "gate.changed latest leads elsewhere",
        "gate.changed left/out/file was changed", "gate.changed linux/more was added",
        "gate.changed linux/tool was changed", "gate.changed tool was changed",
        "gate.changed tool.sigstore.json is of another kind",
      ])
  }

  @Test("what is added to a directory that is signed as a whole is told")
  func directory() throws {
    #expect(
      try Self.differences(Self.release()) { try $0.write("docs/more", "x") } == ["gate.changed docs was changed"])
  }

  @Test("other permissions, new folders and missing ones are told")
  func modesAndFolders() throws {
    let release = try Self.release()
    for (name, mode) in [("empty", 0o755), ("left/folder", 0o755), ("opened", 0o755)] as [(String, mode_t)] {
      mkdir(release.file(name), 0o755)
      chmod(release.file(name), mode)
    }
    let found = try Self.differences(release) { release in
      chmod(release.file("tool"), 0o755)
      chmod(release.file("NOTES.md"), 0o4644)
      chmod(release.file("linux"), 0o777)
      chmod(release.file("docs"), 0o700)
      chmod(release.file("opened"), 0o1777)
      rmdir(release.file("empty"))
      rmdir(release.file("left/folder"))
      mkdir(release.file("new"), 0o755)
      mkdir(release.file("left/new"), 0o755)
    }
    #expect(
      found == [
        "gate.changed NOTES.md has other permissions", "gate.changed docs has other permissions",
        "gate.changed empty is missing", "gate.changed left/folder is missing", "gate.changed left/new was added",
        "gate.changed linux has other permissions", "gate.changed new was added",
        "gate.changed opened has other permissions", "gate.changed tool has other permissions",
      ])
    let (expected, told) = try Self.modes(of: release)
    #expect(expected == "0644" && told == "4755")
  }

  /// What a recheck says of the mode of one file.
  private static func modes(of release: ReleaseFolder) throws -> (expected: String?, found: String?) {
    chmod(release.file("tool"), 0o644)
    let rules = #"{"link": "off", "world-writable": "off", "special-mode": "off"}"#
    let listing = try JSONReport.Listing(
      reading: JSONReport().text(of: release.check(rules: rules, exclude: ["*.md", "left"])))
    chmod(release.file("tool"), 0o4755)
    let differences = try Recheck(listing).differences(in: [release.path])
    try #require(differences.count == 1)
    return (differences[0].expected, differences[0].found)
  }

  @Test("a report of a refused release confirms nothing")
  func refused() throws {
    let release = try ReleaseFolder()
    try release.write("tool", "x")
    let listing = try JSONReport.Listing(reading: JSONReport().text(of: release.check()))
    let found = try Recheck(listing).differences(in: [release.path])
    #expect(found.map(\.code) == [.gateRefused])
  }
}
