import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate
@testable import SignetCrypto

@Suite struct UnverifiedAttestationTests {
  /// A finding about an attestation that the verifier refuses.
  private func refused(
    _ message: String, _ place: String, _ code: String, _ expected: String, _ found: String
  ) -> Found {
    Found(
      "has an attestation that does not hold: it \(message)", rule: "unverified-attestation", place: place,
      code: code, expected: expected, found: found)
  }

  @Test("an attestation of any type by a trusted signer is no finding, and one by a stranger is")
  func signers() throws {
    let release = try AttestedRelease()
    let rule = try AttestedRelease.rule(UnverifiedAttestationRule.self, #""warning""#)
    try release.attest("{}", "https://example.com/a", label: "a", by: "build")
    try release.attest("{}", "https://example.com/b", label: "b", by: "release")
    #expect(try release.findings(rule, release.examined()) == [])
    try release.attest("{}", "https://example.com/c", label: "c", by: "stranger")
    let id = try release.key("stranger").publicKey.id
    let expected = refused(
      "is not signed by a trusted signer", "tool.c.sigstore.json", "signer.untrusted",
      "a signature by build or release", "a bundle that names \(id)")
    #expect(try release.findings(rule, release.examined()) == [expected])
  }

  @Test("a statement of Signet's own is no attestation")
  func ownType() throws {
    let release = try AttestedRelease()
    let claims = try Signer.FileClaims(name: "tool", signedAt: AttestedRelease.time)
    let bundle = try Signer(release.key("build")).sign(.bytes(Array("tool".utf8)), claims)
    try release.write("tool.copy.sigstore.json", bundle.canonicalBytes())
    let rule = try AttestedRelease.rule(UnverifiedAttestationRule.self, #""warning""#)
    let expected = refused(
      "has a statement of another type", "tool.copy.sigstore.json", "statement.predicate-type",
      "a type of another program than Signet", "urn:signet:file:v1")
    #expect(try release.findings(rule, release.examined()) == [expected])
  }

  @Test("in a list, the line that is refused is named")
  func lines() throws {
    let release = try AttestedRelease()
    try release.attest("{}", "https://example.com/a", label: "a")
    let bundle = try release.folder.read("tool.a.sigstore.json")
    try release.write("tool.b.sigstore.jsonl", bundle + Array("\n{}\n".utf8))
    let rule = try AttestedRelease.rule(UnverifiedAttestationRule.self, #""warning""#)
    let found = try release.findings(rule, release.examined())
    #expect(found.count == 1)
    let fields = try #require(found.first).fields
    #expect(fields[3] == "tool.b.sigstore.jsonl, line 2")
    #expect(fields[5] == "signature.malformed")
  }

  @Test("an attestation of a folder that is no artifact is a finding")
  func unattached() throws {
    let release = try AttestedRelease()
    try FileManager.default.createDirectory(
      atPath: release.folder.file("folder"), withIntermediateDirectories: false)
    try release.write("folder.a.sigstore.json", Array("{}".utf8))
    let rule = try AttestedRelease.rule(UnverifiedAttestationRule.self, #""error""#)
    let expected = Found(
      "is about a file that the gate does not look at", rule: "unverified-attestation",
      path: "folder.a.sigstore.json",
      expected: "an attestation of an artifact", found: "one of a file or folder that is no artifact")
    #expect(try release.findings(rule, release.examined()) == [expected])
    #expect(try release.findings(rule, release.examined(excluding: ["folder.*"])) == [])
  }
}
