/// Holds a path against the revocation lists that were given (RFC 5280, section 6.3, for complete lists).
///
/// - A list speaks for every certificate whose issuer has the list's name, and must have been signed by a key of that
///   name: the issuer's in the path, or that of another CA certificate which leads to an anchor.
/// - One current list is needed; stale ones beside it do not count. A list made after the time asked about is current,
///   too: it knows more, and its entries have dates.
/// - What cannot be honoured refuses the certificate: whoever put the list into his policy wants it heard.
struct RevocationCheck {
  private let verifier: CertificateChainVerifier
  private let time: UnixTime

  init(_ verifier: CertificateChainVerifier, at time: UnixTime) {
    self.verifier = verifier
    self.time = time
  }

  /// - Throws: `chain.revoked`, `crl.*`, `crypto.failure`.
  func check(_ path: [Certificate]) throws(SignetError) {
    // The anchor is trusted by decision; no list takes that back, removing it does.
    for (certificate, issuer) in zip(path, path.dropFirst()) { try check(certificate, issuer) }
  }

  private func check(_ certificate: Certificate, _ issuer: Certificate) throws(SignetError) {
    let lists = verifier.revocationLists.filter { $0.issuer.canonical == certificate.issuer.canonical }
    guard !lists.isEmpty else { return }
    var newestStale: RevocationList?
    var isCurrent = false
    for list in lists {
      try authenticate(list, certificate, issuer)
      guard time <= list.nextUpdate else {
        if newestStale.map({ $0.nextUpdate < list.nextUpdate }) ?? true { newestStale = list }
        continue
      }
      isCurrent = true
      if let entry = list.fields.entries[certificate.serialNumberBytes], entry.holds(at: time) {
        throw certificate.refusal(
          .chainRevoked, "was revoked by its issuer", expected: "a certificate that holds at \(time)",
          found: "revoked at \(entry.date), reason: \(entry.reason)")
      }
    }
    if !isCurrent, let newestStale {
      throw SignetError(
        .revocationListExpired, newestStale.name, "is stale: the next one was due",
        expected: "a list that is current at \(time)", found: "next update at \(newestStale.nextUpdate)",
        hint: "get the issuer's newest list")
    }
  }

  /// Makes sure that a list is its issuer's, and that it can be honoured.
  private func authenticate(
    _ list: RevocationList, _ certificate: Certificate, _ issuer: Certificate
  ) throws(SignetError) {
    if let objection = list.fields.objection {
      throw SignetError(
        .revocationListUnsupported, list.name, "cannot be honoured: it \(objection)",
        expected: "a complete list of the issuer's own certificates")
    }
    let scheme = list.fields.signatureAlgorithm.scheme
    if case .weak(let name) = scheme { throw list.weak(name) }
    if case .unsupported(let name) = scheme { throw list.weak(name) }
    let signer = try signer(of: list, issuer)
    guard signer.fields.extensions.keyUsage?.hasRevocationListSigning == true else {
      throw SignetError(
        .revocationListIssuer, list.name, "its issuer's key must not sign lists (RFC 5280, section 4.2.1.3)",
        expected: "cRLSign in the key usage of \(signer)")
    }
    let key = try KeyHandle.make(SubjectPublicKeyInfo(der: signer.fields.publicKey))
    guard try key.verifies(list.fields.signature, over: list.fields.body, scheme) else {
      throw SignetError(.revocationListSignature, list.name, "was not signed by its issuer", expected: "\(signer)")
    }
  }

  /// The certificate whose key a list says it was signed with.
  private func signer(of list: RevocationList, _ issuer: Certificate) throws(SignetError) -> Certificate {
    guard let wanted = list.fields.authorityKeyIdentifier,
      let own = issuer.fields.extensions.subjectKeyIdentifier, wanted != own
    else { return issuer }
    // Section 6.3.3 (f): another certificate of the issuer, on a path of its own to an anchor. The lists of other issuers
    // may have revoked it; the list it has signed does not speak about it.
    let depth = verifier.purpose.listDepth + 1
    let keys = CertificateChainVerifier(
      anchors: verifier.anchors, intermediates: verifier.intermediates,
      revocationLists: verifier.revocationLists.filter { $0.issuer.canonical != list.issuer.canonical },
      leastRSABits: verifier.leastRSABits, purpose: .revocationListSigning(depth: depth))
    var cause: SignetError?
    let others = depth > ChainLimits.listDepth ? [] : verifier.issuers[issuer.subject.canonical] ?? []
    for other in others where other.fields.extensions.subjectKeyIdentifier == wanted {
      do throws(SignetError) {
        _ = try keys.verify(other, at: time)
        return other
      } catch {
        if error.code == .cryptoFailure { throw error }
        cause = error
      }
    }
    throw SignetError(
      .revocationListIssuer, list.name, "the key that signed it is not known",
      expected: "a certificate of its issuer with the key identifier \(Hexadecimal.encode(wanted))", cause: cause)
  }
}

extension RevocationList {
  /// What messages call it.
  fileprivate var name: String { "revocation list of \(issuer)" }

  fileprivate func weak(_ algorithm: String) -> SignetError {
    SignetError(
      .revocationListWeakDigest, name, "is signed with an algorithm that is not accepted",
      expected: "Ed25519, or RSA or ECDSA with SHA-256, SHA-384 or SHA-512", found: algorithm)
  }
}
