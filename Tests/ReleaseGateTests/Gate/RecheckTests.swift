import Foundation
import SignetBase
import TestSupport
import Testing

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

  @Test("a report of a refused release confirms nothing")
  func refused() throws {
    let release = try ReleaseFolder()
    try release.write("tool", "x")
    let listing = try JSONReport.Listing(reading: JSONReport().text(of: release.check()))
    let found = try Recheck(listing).differences(in: [release.path])
    #expect(found.map(\.code) == [.gateRefused])
  }
}
