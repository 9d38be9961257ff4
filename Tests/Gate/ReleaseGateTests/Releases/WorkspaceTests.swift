import Foundation
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct WorkspaceTests {
  @Test("paths that differ only in how a character is composed are in their own folders")
  func composed() throws {
    let top = try TemporaryFolder()
    let (one, two) = ("caf\u{e9}", "cafe\u{301}")
    for (folder, name) in [("a", one), ("b", two)] {
      try FileManager.default.createDirectory(atPath: top.file(folder), withIntermediateDirectories: false)
      try top.write("\(folder)/\(name)", [1])
    }
    let folders = [top.file("a"), top.file("b")]
    let workspace = try Workspace(of: folders, from: top.path)
      .knowing(ReleaseFiles(in: folders, excluding: [], wholes: []))
    #expect(Array(workspace.path(of: one).utf8) == Array("a/\(one)".utf8))
    #expect(Array(workspace.path(of: two).utf8) == Array("b/\(two)".utf8))
  }
}
