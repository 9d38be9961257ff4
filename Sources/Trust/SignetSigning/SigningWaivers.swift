internal import SignetArchive
public import SignetBase
internal import SignetCrypto
public import SignetModules
internal import SignetVerify

extension Signer {
  /// Signs that a release may have less than the one before it: fewer signers or timestamps, or others.
  ///
  /// - Parameters:
  ///   - module: the release's archive, signed or not.
  ///   - reason: why, for people; 1 to 1000 bytes.
  ///   - others: the waiver that other signers have signed already, which this signature is added to; nil for a new one.
  /// - Returns: the waiver, with this signer's bundle.
  /// - Throws: `continuity.waiver` if the other signers have waived something else; `signing.twice`; `archive.…`,
  ///   `module.malformed`, `file.…`, `crypto.failure`, `signing.self-check`.
  public func waive(
    _ module: ModuleToSign, reason: String, addingTo others: ContinuityWaiver? = nil
  ) throws(SignetError) -> ContinuityWaiver {
    let description = try module.opened.uncheckedDescription()
    let digests = try ArchiveDigests(of: module.artifact.source())
    let payload = try ContinuityWaiver.payload(
      description.identifier, sequence: description.sequence, sha256: (digests.signed ?? digests.whole).sha256,
      reason: reason)
    if let others, others.bundles[0].envelope.payload != payload {
      throw SignetError(
        .continuityWaiver, "waiver", "is about another release, or gives another reason",
        expected: "\(others.module), sequence \(others.sequence): \(others.reason.visible)",
        found: "\(description.identifier), sequence \(description.sequence): \(reason.visible)",
        hint: "give the same reason, or make another waiver: --out PATH")
    }
    let bundle = try addSignature(to: others?.bundles ?? [], over: payload, "\(description.identifier)")
    let text = (others?.text ?? []) + (try bundle.canonicalBytes()) + [UInt8(ascii: "\n")]
    return try ContinuityWaiver(reading: text)
  }
}
