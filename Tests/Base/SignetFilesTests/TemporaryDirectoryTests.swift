import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetFiles

@Suite struct TemporaryDirectoryTests {
  @Test("a sweep removes directories that no process holds, and follows no link")
  func sweep() throws {
    let folder = try TemporaryFolder()
    for name in [".signet-a.draft/deep", "other", ".signet-b", "a.draft"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try folder.write("other/kept", [1])
    try folder.write(".signet-file.draft", [1])
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".signet-link.draft"), withDestinationPath: "other")
    let held = try TemporaryDirectory(in: folder.path)
    TemporaryDirectory.sweep(try Directory(opening: folder.path))
    #expect(
      try Set(folder.listing()) == [
        ".signet-b", ".signet-file.draft", ".signet-link.draft", "a.draft", "other",
        String(held.path.split(separator: "/").last ?? ""),
      ])
    #expect(try folder.read("other/kept") == [1])
  }

  @Test(
    "a folder in which others could rename what this user has is not swept for temporary files",
    arguments: [(0o700, true), (0o755, true), (0o1777, true), (0o777, false), (0o775, false)])
  func shared(mode: Int, keepsNames: Bool) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    #expect(TemporaryDirectory.keepsNames(try Directory(opening: folder.path)) == keepsNames)
  }
}
