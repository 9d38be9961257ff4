internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What other programs have stated about an artifact, in one file of a release.
struct Attestation: Sendable {
  /// The path of the file with the bundles.
  let path: String
  /// The signatures that count; empty if the file is refused.
  let signatures: [VerifiedSignature]
  /// Every reason to refuse the file, the most telling first; empty if it is verified.
  let reasons: [SignetError]

  /// Notes why the file is refused.
  func noteReasons(about artifact: ExaminedArtifact, in findings: inout RuleFindings) {
    for reason in reasons {
      guard reason.code != .digestMismatch else {
        // To the verifier, the artifact has changed. Here, the artifact is what is released.
        findings.note(
          "is not what its attestation is about", about: artifact.path, place: path, code: reason.code.rawValue,
          expected: reason.expected, found: reason.found,
          hint: "find out which of the two the release was built with; then build and attest it again")
        continue
      }
      findings.note(
        "has an attestation that does not hold: it \(reason.message)", about: artifact.path,
        place: place(of: reason, about: artifact), code: reason.code.rawValue,
        expected: reason.expected?.display ?? "an attestation by a trusted signer",
        found: reason.found?.display,
        hint: "find out who has made the attestation, and from what; then have the artifact attested again")
    }
  }

  /// The file, and the line or the field that a reason is about.
  private func place(of reason: SignetError, about artifact: ExaminedArtifact) -> String {
    if reason.object.utf8.starts(with: path.utf8) { return reason.object }
    return reason.object.isExactly(artifact.baseName) ? path : "\(path), \(reason.object)"
  }
}

/// A difference between an attestation and what a policy demands. The artifact is the subject of its message.
struct AttestationObjection: Sendable {
  let message: String
  /// The field of the statement.
  let place: String?
  let expected: String?
  let found: String?
  let hint: String

  /// - Parameter found: a text of the statement, of any length.
  init(_ message: String, place: String? = nil, expected: String?, found: String?, hint: String) {
    self.message = message
    self.place = place
    self.expected = expected?.display
    self.found = found?.display
    self.hint = hint
  }

  /// Notes it.
  ///
  /// - Parameter path: the path of the attestation.
  func note(about artifact: ExaminedArtifact, in path: String, _ findings: inout RuleFindings) {
    findings.note(
      message, about: artifact.path, place: place.map { "\(path), \($0)" } ?? path, expected: expected, found: found,
      hint: hint)
  }
}
