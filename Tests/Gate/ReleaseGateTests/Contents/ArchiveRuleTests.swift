import SignetArchive
import SignetBase
import SignetCrypto
import Testing

@testable import ReleaseGate

@Suite struct ArchiveRuleTests {
  private static func findings(_ failure: SignetError?) throws -> [String] {
    try ContentCheck(ArchiveRule.self).findings(
      in: ArtifactContents(entries: [], format: .zip, archiveFailure: failure))
  }

  @Test("the reader's refusal is a finding with its code")
  func refusals() throws {
    #expect(
      try Self.findings(
        SignetError(
          .archiveDuplicatePath, "a/b", "occurs twice", expected: "once", found: "twice", hint: "pack it again"))
        == [
          "archive error app.zip at a/b: occurs twice (archive.duplicate-path); expected once; found twice; "
            + "pack it again"
        ])
    for object in ["archive", "app.zip", "/builds/release/app.zip"] {
      #expect(
        try Self.findings(SignetError(.archiveTruncated, object, "is truncated"))
          == [
            "archive error app.zip: is truncated (archive.truncated); expected an archive that every program reads "
              + "alike; find out what has made it, and pack it again"
          ])
    }
  }

  @Test("an archive that can be read has no finding")
  func clean() throws { #expect(try Self.findings(nil) == []) }

  @Test("an entry whose bytes are not what the archive says is a finding")
  func damage() throws {
    var options = RuleOptions.none
    var findings = RuleFindings(ArchiveRule.about.id, .error, about: "app.zip")
    let artifact = ExaminedArtifact(
      path: "app.zip", isDirectory: false, size: 0, sha256: try Digest.of([], .sha256), .notVerified)
    let answers = ArchiveRule(&options).check(
      SignetError(.archiveChecksum, "a/b", "does not have its checksum"), of: "a/b", in: artifact, &findings)
    #expect(answers)
    #expect(
      findings.all.map(ContentCheck.shown) == [
        """
        archive error app.zip a/b: does not have its checksum (archive.checksum); expected an archive that every \
        program reads alike; find out what has made it, and pack it again
        """
      ])
  }
}
