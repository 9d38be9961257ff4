internal import Signet
package import SignetBase
internal import SignetCrypto

/// Nothing that users need to verify the release ends soon.
package struct ExpiryRule: ReleaseRule {
  package static let about = RuleDescription(
    "expiry", "Signatures hold until the release's end of life",
    help: """
      After a certificate, a statement or the trust policy has ended, users can no longer verify the release, although \
      nothing in it has changed. The same is true if the policy trusts a signer only until some time. A finding says \
      what ends, and when. Renew the certificate and sign again, sign with a later --not-after, or give the policy a \
      later end. Attestations are looked at, too.
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
      findings.note(
        "has a trust policy that ends too early", expected: "\(end) or later", found: "\(expires)",
        hint: "have the policy's owner give it a later end")
    }
    let windows = Self.ends(of: release.policy, before: end)
    for artifact in release.artifacts {
      for signature in artifact.signatures {
        if let notAfter = signature.statement.notAfter, notAfter < end {
          findings.note(
            "has a statement that ends too early", about: artifact.path, expected: "\(end) or later",
            found: "\(notAfter)", hint: "build and sign the release again, with a later --not-after or without one")
        }
        check(signature, verb: "is signed", of: artifact, in: nil, end: end, windows: windows, &findings)
      }
      for attestation in release.attestations.attestations(of: artifact) {
        for signature in attestation.signatures {
          check(
            signature, verb: "is attested", of: artifact, in: attestation.path, end: end, windows: windows, &findings)
        }
      }
    }
  }

  /// The entries of a policy that end too early, by the bytes of their names.
  private static func ends(of policy: TrustPolicy, before end: UnixTime) -> [[UInt8]: UnixTime] {
    var ends: [[UInt8]: UnixTime] = [:]
    for entry in policy.entries + (policy.summary?.signers ?? []) {
      if let until = entry.window.until, until < end { ends[Array(entry.name.utf8)] = until }
    }
    return ends
  }

  /// Says which certificate ends too early, and whether the policy trusts the signer for too short a time.
  ///
  /// - Parameter file: the attestation; nil for the artifact's own signature.
  private func check(
    _ signature: VerifiedSignature, verb: String, of artifact: ExaminedArtifact, in file: String?, end: UnixTime,
    windows: [[UInt8]: UnixTime], _ findings: inout RuleFindings
  ) {
    func place(_ text: String) -> String { file.map { "\($0), \(text)" } ?? text }
    // A timestamp proves that the signature is older than the end of what it is judged by.
    guard signature.stamped == nil else { return }
    for certificate in signature.certificatePath?.certificates ?? [] where certificate.notAfter < end {
      findings.note(
        "\(verb) with a certificate that ends too early", about: artifact.path,
        place: place(certificate.name),
        expected: "\(end) or later", found: "\(certificate.notAfter)",
        hint: "renew the certificate; then build and sign the release again")
    }
    // The signature counts for every entry that it is listed with: one that lasts is enough.
    let untils = signature.entries.map { windows[Array($0.utf8)] }
    guard !untils.isEmpty, !untils.contains(where: { $0 == nil }), let last = untils.compactMap(\.self).max() else {
      return
    }
    findings.note(
      "\(verb) by a signer whom the policy trusts for too short a time", about: artifact.path,
      place: place(signature.entries.joined(separator: " or ")), expected: "\(end) or later", found: "\(last)",
      hint: "find out for how long the signer is trusted; its entry in the policy has an end")
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
