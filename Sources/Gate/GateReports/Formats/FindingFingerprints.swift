internal import ReleaseGate
internal import SignetBase
internal import SignetCrypto

/// The fingerprints of a report's findings, by which GitHub and GitLab know a finding again in the next run.
///
/// A fingerprint depends on the rule, the file, the entry and the code. It does not depend on lines and texts, which
/// change without the finding becoming another one. Findings that are equal in these four are numbered: of several
/// findings with one fingerprint, GitHub and GitLab would show the first alone.
enum FindingFingerprints {
  /// A fingerprint for each finding, in order: SHA-256 in hexadecimal, a colon, and the number among equals from 1.
  ///
  /// What is hashed is the canonical JSON of the list of the four texts, where `null` stands for a missing one.
  static func of(_ findings: [GateReport.Finding]) throws(SignetError) -> [String] {
    var occurrences: [[UInt8]: Int] = [:]
    var fingerprints: [String] = []
    for finding in findings {
      let identity = [finding.rule, finding.path, finding.entry, finding.code]
      let text = try CanonicalJSON.write(.array(identity.map { $0.map { .string($0) } ?? JSONValue(.null) }))
      let number = occurrences[text, default: 0] + 1
      occurrences[text] = number
      fingerprints.append("\(try Digest.of(text, .sha256).hex):\(number)")
    }
    return fingerprints
  }
}
