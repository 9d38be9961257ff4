internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What those who release an artifact do next after its verification has refused it.
///
/// The hint of a verification is for those who got the artifact. Its publisher has to find out first what
/// happened: to sign what is there would only hide it.
enum PublisherAdvice {
  /// A reason to refuse an artifact, as those who release it need it.
  static func advised(_ reason: SignetError) -> SignetError {
    var reason = reason
    reason.hint = hint(for: reason.code)
    // A verification takes a bundle from another place, too.
    if reason.code == .signatureMissing { reason.expected = "a Sigstore bundle beside it" }
    return reason
  }

  /// What to do about a reason that has no hint of its own.
  static let general = "find out why its verification refuses it; then build and sign the release again"

  /// The hint for a reason; nil for a code that no verification of an artifact ends with.
  static func hint(for code: SignetError.Code) -> String? {
    hints[code] ?? areas[String(code.rawValue.prefix { $0 != "." })]
  }

  /// What to do about a file that is signed under another name than its path.
  static let misplaced =
    "find out how it came here, and put it back where it belongs; if it belongs here, build and sign the release again"

  private static let changed = "find out what changed it after it was signed; then build and sign the release again"
  private static let bundle = "find out what made or changed its bundle; then build and sign the release again"
  private static let certificate =
    "find out whose certificate this is; then build the release again, and sign it with one that the policy trusts"

  private static let hints: [SignetError.Code: String] = [
    .signatureMissing: "find out where it comes from; if it belongs to the release, build it there and sign it",
    .digestMismatch: changed,
    .subjectName: misplaced,
    .signerUntrusted:
      "find out who has signed it; then build the release again, and sign it with a key that the policy trusts",
    .signerCertificate: certificate, .signerIdentity: certificate,
    .signerOutOfScope: "find out why this signer has signed it: the policy trusts the signer for other artifacts",
    .signerOutsideWindow: "find out whether this signer may still sign; then build and sign the release again",
    .signerRevoked:
      "find out why the policy revokes this signer; then build the release again, and sign it with another key",
    .statementExpired: "find out whether it belongs to this release; if it does, build it and sign it again",
    .statementPredicateType: "find out what it was signed as; then build and sign the release again",
    .policyThreshold: "find out whose signatures are missing, and ask them to review and sign it",
    .policyExact: "find out why its signers are not the ones that it names, and ask them to review and sign it",
    .policyRollback: "find out why it is older than the policy allows; then build the release again",
    .policyRevoked: "find out why the policy revokes it; then build a new version",
    .policyExpired: "get the current policy from its owner",
    .policySummary: "find out why the verifier has not passed it; the summary belongs beside the artifact",
    .timestampMissing: "have its signature stamped: signet timestamp ARTIFACT --timestamp-url URL",
    .chainExpired: "renew the certificate; then build and sign the release again",
    .chainNotYetValid: "correct the clock, or wait until the certificate is valid",
    .chainRevoked: "find out why the authority has revoked the certificate; then sign a new build with another one",
    .verificationIncomplete: "report it as a fault of Signet, with the artifact",
  ]

  private static let areas = [
    "signature": bundle, "bundle": bundle, "cms": bundle, "keyless": bundle, "log": bundle, "timestamp": bundle,
    "envelope": bundle, "statement": bundle, "directory": changed,
    "archive": changed, "path": changed,
    "module": "find out what changed the module after it was signed; then build, pack and sign it again",
    "chain": certificate, "certificate": certificate,
    "crl": "get the authority's current revocation list",
    "ocsp": "get the newest answer of the authority's responder",
  ]
}
