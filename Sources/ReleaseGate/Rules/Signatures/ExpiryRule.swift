internal import Signet
package import SignetBase
internal import SignetCrypto

/// Nothing that users need to verify the release ends soon.
package struct ExpiryRule: GateRule {
  package static let about = RuleDescription(
    "expiry", "Signatures hold until the release's end of life",
    help: """
      After a certificate, a statement or the trust policy has ended, users can no longer verify the release, although \
      nothing in it has changed. A finding says what ends, and when. Renew the certificate and sign again, sign with a \
      later --not-after, or give the policy a later end.
      """,
    options: [
      ("days", "how many days from now nothing may end; usually 30"),
      ("endOfLife", "the time until which users need the release, such as 2028-12-31T00:00:00Z; usually none"),
    ], .warning)

  private let days: Int
  private let endOfLife: UnixTime?

  package init(_ options: inout RuleOptions) throws(SignetError) {
    days = try options.count("days", usually: 30)
    endOfLife = try options.time("endOfLife")
  }

  /// The time until which everything must hold.
  private func end(from now: UnixTime) -> UnixTime {
    let soon = UnixTime(seconds: now.seconds.addingProduct(Int64(days), 86_400))
    return max(soon, endOfLife ?? soon)
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    let end = end(from: release.time)
    if let expires = release.policy.expires, expires < end {
      findings.note("the trust policy ends too early", expected: "\(end) or later", found: "\(expires)")
    }
    for artifact in release.artifacts {
      for signature in artifact.signatures {
        if let notAfter = signature.statement.notAfter, notAfter < end {
          findings.note(
            "has a statement that ends too early", about: artifact.path, expected: "\(end) or later",
            found: "\(notAfter)", hint: "sign it again with a later --not-after, or without one")
        }
        for certificate in signature.certificatePath?.certificates ?? [] where certificate.notAfter < end {
          findings.note(
            "is signed with a certificate that ends too early", about: artifact.path, place: "\(certificate.subject)",
            expected: "\(end) or later", found: "\(certificate.notAfter)",
            hint: "renew the certificate, and sign again")
        }
      }
    }
  }
}

extension Int64 {
  /// The sum with a product, or the nearest number there is.
  fileprivate func addingProduct(_ first: Int64, _ second: Int64) -> Int64 {
    let (product, overflow) = first.multipliedReportingOverflow(by: second)
    guard !overflow else { return .max }
    let sum = addingReportingOverflow(product)
    return sum.overflow ? .max : sum.partialValue
  }
}
