import Foundation
import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct NamedFileRuleTests {
  // MARK: Version control

  @Test("a version control folder in an archive is one finding")
  func versionControl() throws {
    let check = try ContentCheck(VersionControlRule.self)
    #expect(
      try check.findings(inEntries: [
        "src/", "src/.git/", "src/.git/HEAD", "src/.git/objects/aa/bb", "src/main.c", "other/.git", "x/.Hg/store",
        "_darcs/a",
      ]) == [
        "version-control error app.zip src/.git: holds what a version control system keeps; "
          + "expected only files for users; found Git; leave it out when packing",
        "version-control error app.zip other/.git: holds what a version control system keeps; "
          + "expected only files for users; found Git; leave it out when packing",
        "version-control error app.zip x/.Hg: holds what a version control system keeps; "
          + "expected only files for users; found Mercurial; leave it out when packing",
        "version-control error app.zip _darcs: holds what a version control system keeps; "
          + "expected only files for users; found Darcs; leave it out when packing",
      ])
    #expect(
      try check.findings(inEntries: [
        ".gitignore", "a.git/x", ".gitattributes", "git/.github/x", "svn/.svnignore", ".g\u{301}it/x",
      ])
        == [])
  }

  @Test("a version control folder in the release is one finding, and an excluded one is none")
  func versionControlInRelease() throws {
    let folder = try Self.folder([".git/config", ".git/refs/head", "a/tool", "b/.svn"])
    let check = try ContentCheck(VersionControlRule.self)
    #expect(
      try check.findings(inRelease: folder.path) == [
        "version-control error .git/config: belongs to what a version control system keeps; "
          + "expected only files for users; found Git, in .git; leave the folder out of the release",
        "version-control error b/.svn: belongs to what a version control system keeps; "
          + "expected only files for users; found Subversion, in b/.svn; leave the folder out of the release",
      ])
    #expect(try check.findings(inRelease: folder.path, excluding: [".git/**", ".svn"]) == [])
  }

  @Test("an empty folder of a version control system is found")
  func emptyFolder() throws {
    let folder = try Self.folder(["tool"])
    mkdir(folder.file(".git"), 0o755)
    mkdir(folder.file(".git/refs"), 0o755)
    #expect(
      try ContentCheck(VersionControlRule.self).findings(inRelease: folder.path) == [
        "version-control error .git: belongs to what a version control system keeps; "
          + "expected only files for users; found Git, in .git; leave the folder out of the release"
      ])
  }

  @Test("what is in a directory that is signed as a whole is found by its contents alone")
  func signedDirectory() throws {
    let folder = try Self.folder(["whole/.git/config", "whole.sigstore.json"])
    #expect(try ContentCheck(VersionControlRule.self).findings(inRelease: folder.path) == [])
  }

  private static func folder(_ paths: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for path in paths {
      let names = path.split(separator: "/")
      for count in 1..<max(1, names.count) {
        mkdir(folder.file(names[..<count].joined(separator: "/")), 0o755)
      }
      try folder.write(path, [1])
    }
    return folder
  }

  // MARK: Environment files

  @Test("a .env file is found, and an example is none")
  func environment() throws {
    let check = try ContentCheck(EnvironmentFileRule.self)
    #expect(
      try check.findings(inEntries: [
        "web/.env", ".env.production", ".env.example", ".env.local.template", ".envrc", "x.env", ".env/",
      ])
        == ["web/.env", ".env.production"].map {
          "environment-file error app.zip \($0): holds settings of one machine; expected no .env files; "
            + "found \($0.split(separator: "/").last ?? ""); leave it out when packing, and replace the secrets in it"
        })
    let folder = try Self.folder(["a/.env", "tool"])
    #expect(
      try check.findings(inRelease: folder.path) == [
        "environment-file error a/.env: holds settings of one machine; expected no .env files; "
          + "found .env; leave it out of the release, and replace the secrets in it"
      ])
  }

  // MARK: Droppings

  @Test(
    "what other programs leave behind is found by its name",
    arguments: [
      (".DS_Store", "the view of a folder from macOS"), ("a/Thumbs.db", "thumbnails from Windows"),
      ("DESKTOP.INI", "the view of a folder from Windows"), ("a/._tool", "attributes of a file from macOS"),
      ("main.c~", "a backup copy"), (".main.c.swp", "a swap file of Vim"), (".x.swa", "a swap file of Vim"),
      ("#main.c#", "a copy that Emacs saves"), (".#main.c", "a lock of Emacs"),
      ("a.orig", "the copy from before a merge or a patch"),
      ("a.rej", "the rest of a patch"), ("a.bak", "a backup copy"), ("a.TMP", "a temporary file"),
      ("npm-debug.log", "a log of npm"),
    ])
  func droppings(path: String, words: String) throws {
    let check = try ContentCheck(DroppingRule.self)
    #expect(
      try check.findings(inEntries: ["ok", path]) == [
        "dropping warning app.zip \(path): holds what another program left behind; expected only files for users; "
          + "found \(words); leave it out when packing"
      ])
    let folder = try Self.folder(["ok", path])
    #expect(
      try check.findings(inRelease: folder.path) == [
        "dropping warning \(path): was left behind by another program; expected only files for users; "
          + "found \(words); leave it out of the release"
      ])
  }

  @Test("a folder that is left behind is one finding")
  func folders() throws {
    let findings = try ContentCheck(DroppingRule.self).findings(inEntries: [
      "__MACOSX/", "__MACOSX/._a", "a/.idea/x.xml", "a/.idea/y.xml", ".vscode/settings.json",
    ])
    #expect(
      findings.map { $0.split(separator: ":")[0] }
        == ["__MACOSX", "a/.idea", ".vscode"].map { "dropping warning app.zip \($0)" })
  }

  @Test("other names are none")
  func ordinaryNames() throws {
    #expect(
      try ContentCheck(DroppingRule.self).findings(inEntries: [
        "~", "._", ".#", "##", ".sw", ".swp", "swp", "a.swp", ".a.swq", "a.orig.tar.gz", "tmp", "a.tmp/", "x.bak/",
        "idea",
        "node_modules/x", ".gitignore", "thumbs", "#", "Thumbs.db/",
      ]) == [])
  }

  @Test("a core dump is found by its type, in either byte order")
  func coreDumps() throws {
    let check = try ContentCheck(DroppingRule.self)
    func elf(_ order: UInt8, _ type: [UInt8]) -> [UInt8] {
      [0x7f, 0x45, 0x4c, 0x46, 2, order, 1] + [UInt8](repeating: 0, count: 9) + type + [62, 0]
    }
    let finding = "holds the memory of a program that crashed; expected only files for users; found a core dump; "
    for bytes in [elf(1, [4, 0]), elf(2, [0, 4])] {
      #expect(
        try check.findings(in: bytes, entry: "core") == [
          "dropping warning app.zip core: \(finding)leave it out of the release"
        ])
    }
    for bytes in [
      elf(1, [3, 0]), elf(1, [0, 4]), elf(2, [4, 0]), Array(elf(1, [4, 0]).prefix(17)), Array("core".utf8),
    ] {
      #expect(try check.findings(in: bytes, entry: "core") == [])
    }
  }
}
