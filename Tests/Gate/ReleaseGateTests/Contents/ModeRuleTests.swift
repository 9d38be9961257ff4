import Foundation
import SignetArchive
import SignetNames
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct ModeRuleTests {
  @Test("what everybody may write is found in an archive, except links")
  func worldWritable() throws {
    let check = try ContentCheck(WorldWritableRule.self)
    let hint = "take the permission away: chmod o-w"
    #expect(
      try check.findings(inEntries: ["a", "d/"], mode: 0o777) == [
        "world-writable error app.zip a: can be written by everybody; expected 0775; found 0777; \(hint)",
        "world-writable error app.zip d: can be written by everybody; expected 0775; found 0777; \(hint)",
      ])
    #expect(try check.findings(inEntries: ["a", "d/"], mode: 0o775) == [])
    #expect(try check.findings(inEntries: ["d/"], mode: 0o1777) == [])
    #expect(try check.findings(inEntries: ["a"], mode: 0o1777).count == 1)
    for (special, count) in [(ListedEntry.Special.other, 0), (.blockDevice, 1)] {
      let device = ArtifactContents.Entry(path: "dev/x", content: .file(size: 0), mode: 0o666, special: special)
      let found = try check.findings(in: ArtifactContents(entries: [device], format: .tar, archiveFailure: nil))
      #expect(found.count == count)
    }
    let link = ArtifactContents.Entry(path: "l", content: .symbolicLink(target: "a"), mode: 0o777)
    #expect(try check.findings(in: ArtifactContents(entries: [link], format: .tar, archiveFailure: nil)) == [])
  }

  @Test(
    "permissions that nobody ever gets are not judged",
    arguments: [
      ("a.whl", "zip", "a/b", false), ("a.jar", "zip", "a/b", false), ("a.apk", "zip", "a/b", false),
      ("a.zip", "zip", "a/b", true), ("a.whl", "w:gz", "package/package.json", true),
      ("a.tgz", "w:gz", "package/package.json", false), ("a.tgz", "w:gz", "package/lib/package.json", true),
      ("a.tar.gz", "w:gz", "package/package.json", true), ("a.JAR", "zip", "a/b", false),
      ("a.tgz", "w:gz", "other/run,package/package.json", true), ("a.tgz", "w:gz", "tool/package.json", true),
    ])
  func lostPermissions(name: String, form: String, entry: String, isFound: Bool) throws {
    let make = """
      python3 - <<'X'
      import zipfile, tarfile
      if '\(form)' == 'zip':
        i = zipfile.ZipInfo('\(entry)'); i.external_attr = 0o100666 << 16
        z = zipfile.ZipFile('o', 'w'); z.writestr(i, ''); z.close()
      else:
        t = tarfile.open('o', '\(form)')
        for n in '\(entry)'.split(','):
          i = tarfile.TarInfo(n); i.mode = 0o666; t.addfile(i)
        t.close()
      X
      """
    let findings = try WalkedFile.findings(try WalkedFile.made(make, "o"), name)
    #expect(
      findings.contains { $0.hasPrefix("world-writable | \(entry.prefix { $0 != "," })") } == isFound, "\(findings)")
  }

  @Test("what everybody may write is found in the release")
  func worldWritableInRelease() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [1], mode: 0o666)
    try folder.write("a.sigstore.json", [1], mode: 0o646)
    try folder.write("b", [1], mode: 0o664)
    symlink("b", folder.file("l"))
    let check = try ContentCheck(WorldWritableRule.self)
    let hint = "take the permission away: chmod o-w"
    #expect(
      try check.findings(inRelease: folder.path) == [
        "world-writable error a: can be written by everybody; expected 0664; found 0666; \(hint)",
        "world-writable error a.sigstore.json: can be written by everybody; expected 0644; found 0646; \(hint)",
      ])
    #expect(try check.findings(inRelease: folder.path, excluding: ["a*"]) == [])
  }

  @Test("folders of the release that everybody may write are found, unless they are left out")
  func worldWritableFolders() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [1], mode: 0o644)
    for name in ["empty", "open", "out"] { mkdir(folder.file(name), 0o755) }
    chmod(folder.file("open"), 0o1777)
    chmod(folder.file("out"), 0o777)
    #expect(
      try ContentCheck(WorldWritableRule.self).findings(inRelease: folder.path, excluding: ["out"]) == [
        "world-writable error open: can be written by everybody; expected 1775; found 1777; "
          + "take the permission away: chmod o-w"
      ])
  }

  @Test("programs with the rights of others are found")
  func specialModes() throws {
    let check = try ContentCheck(SpecialModeRule.self)
    #expect(
      try check.findings(inEntries: ["bin/su", "d/"], mode: 0o4755) == [
        "special-mode error app.zip bin/su: runs with the rights of its owner; expected 0755; found 4755; "
          + "take the bit away: chmod u-s"
      ])
    #expect(
      try check.findings(inEntries: ["bin/wall"], mode: 0o2755) == [
        "special-mode error app.zip bin/wall: runs with the rights of its group; expected 0755; found 2755; "
          + "take the bit away: chmod g-s"
      ])
    #expect(try check.findings(inEntries: ["a", "d/"], mode: 0o1777) == [])
  }

  @Test("programs with the rights of others are found in the release")
  func specialModesInRelease() throws {
    let folder = try TemporaryFolder()
    try folder.write("su", [1], mode: 0o4755)
    try folder.write("tool", [1], mode: 0o755)
    #expect(
      try ContentCheck(SpecialModeRule.self).findings(inRelease: folder.path) == [
        "special-mode error su: runs with the rights of its owner; expected 0755; found 4755; "
          + "take the bit away: chmod u-s"
      ])
  }
}
