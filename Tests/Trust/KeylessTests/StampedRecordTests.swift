import Keyless
import SignetModules
import SignetNames
import SignetVerify
import TestSupport
import Testing

/// What is remembered of signatures with timestamps.
extension StampedSignatureTests {
  @Test("a release without the timestamp that the one before it had has less, if anybody looks at timestamps")
  func continuity() throws {
    var workshop = try Workshop()
    try workshop.trustKey()
    func record() throws -> SigningRecord {
      try SigningRecord(workshop.verdict().get().signatures, under: workshop.policy())
    }
    func lacks(_ new: SigningRecord, _ old: SigningRecord) throws -> [SignetError.Code] {
      let role = ArtifactRole.unnamed.named("tool")
      return try new.lacks(of: old, "tool", under: workshop.policy(), as: role, at: sigstore(workshop)).map(\.code)
    }
    func sigstore(_ workshop: Workshop) throws -> UnixTime { try workshop.sigstore.now() }
    let before = try record()
    #expect(before.signers.map(\.isStamped) == [true])
    workshop.timestamps = []
    let now = try record()
    #expect(now.signers.map(\.isStamped) == [false])
    #expect(try lacks(now, before) == [.continuityTimestamp])
    #expect(try lacks(before, now) == [])
    // Who is revoked owes no timestamp.
    workshop.more["revoked"] = [["key": before.signers[0].key, "reason": "stolen"]]
    #expect(try lacks(now, before) == [])
    workshop.more = [:]
    #expect(try lacks(now, before) == [])
  }
}
