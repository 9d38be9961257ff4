internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

extension [RevocationList] {
  /// Those of which none is older than another one here of the same part.
  var newest: [RevocationList] {
    filter { list in !contains { list.isSamePart(as: $0) && list.isOlder(than: $0) } }
  }

  /// Adds a list, in the place of an older one of the same part of the issuer's revocations.
  ///
  /// Of two of which neither is newer, both stay: what one of them revokes is revoked.
  /// - Throws: `policy.entry` for one that is older than the one that is there.
  mutating func add(_ list: RevocationList) throws(SignetError) {
    guard !contains(list) else { return }
    if let newer = first(where: { list.isSamePart(as: $0) && list.isOlder(than: $0) }) {
      throw SignetError(
        .policyEntry, "revocation list of \(list.issuer)", "is older than the one that the policy has",
        expected: "one of \(newer.thisUpdate) or later", found: "\(list.thisUpdate)",
        hint: "get the newest list from the authority")
    }
    removeAll { list.isSamePart(as: $0) && $0.isOlder(than: list) }
    append(list)
  }
}

extension RevocationList {
  /// Checks the list before a policy has it: a forged one would take the place of the authority's, and refuse everything.
  ///
  /// - Parameter certificates: those that the policy has. What is by none of them is checked where it is used.
  /// - Throws: `crl.unsupported`, `crl.weak-digest`; `crl.signature` if none of the certificates of its issuer's name has signed it; `policy.entry` for one that
  ///   was made in the future; `crypto.failure`.
  func check(by certificates: [Certificate], at now: UnixTime) throws(SignetError) {
    try checkForm()
    guard thisUpdate.seconds <= now.seconds + 86_400 else {
      throw SignetError(
        .policyEntry, "revocation list of \(issuer)", "was made at a time that has not come yet",
        expected: "\(now) or earlier", found: "\(thisUpdate)", hint: "get the newest list from the authority")
    }
    let issuers = certificates.filter { $0.subject == issuer }
    guard !issuers.isEmpty, let (body, algorithm, signature) = parts else { return }
    for certificate in issuers {
      guard let key = try? certificate.publicKey() else { continue }
      if try key.handle.verifies(signature, over: body, algorithm.scheme) { return }
    }
    throw SignetError(
      .revocationListSignature, "revocation list of \(issuer)", "is not signed by the authority of this name",
      expected: issuers.map(\.name).joined(separator: ", "), hint: "get the list from the authority again")
  }

  /// What is signed, by which algorithm, and the signature (RFC 5280, section 5.1).
  private var parts: (body: [UInt8], algorithm: CertificateSignatureAlgorithm, signature: [UInt8])? {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), let body = fields.encoded(DERElement.sequence),
      let algorithm = fields.encoded(DERElement.sequence).flatMap({ CertificateSignatureAlgorithm(der: $0) }),
      let signature = fields.bitString()
    else { return nil }
    return (body, algorithm, signature)
  }

  fileprivate func isSamePart(as other: RevocationList) -> Bool {
    hasScope(of: other) && isDelta == other.isDelta
  }

  /// Whether another list of the same part was made later: by the numbers of both, or else by their times.
  fileprivate func isOlder(than other: RevocationList) -> Bool {
    switch (isSuperseded(by: other), other.isSuperseded(by: self)) {
    case (true, false): true
    case (false, true): false
    // They have no numbers, or the same.
    default: thisUpdate < other.thisUpdate
    }
  }
}
