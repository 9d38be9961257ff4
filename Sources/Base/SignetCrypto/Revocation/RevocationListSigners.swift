package import SignetBase

/// Finds the keys that signed revocation lists (RFC 5280, section 6.3.3 (f) and (g)).
struct RevocationListSigners {
  private let verifier: CertificateChainVerifier
  private let anchor: Certificate
  private let time: UnixTime
  private let budget: ChainBudget

  /// - Parameter anchor: the end of the path that is checked: "the trust anchor" of a list's issuer "MUST be the same
  ///   as the trust anchor used to validate the target certificate".
  init(_ verifier: CertificateChainVerifier, below anchor: Certificate, at time: UnixTime, _ budget: ChainBudget) {
    self.budget = budget
    self.verifier = verifier
    self.anchor = anchor
    self.time = time
  }

  /// Checks that a list was signed by its issuer, and that it can be applied.
  ///
  /// - Throws: `crl.unsupported`, `crl.weak-digest`, `crl.issuer`, `crl.signature`, `crypto.failure`.
  func authenticate(
    _ list: RevocationList, about certificate: Certificate, issuedBy issuer: Certificate
  ) throws(SignetError) {
    try list.checkForm()
    let wanted = list.fields.extensions.authorityKeyIdentifier
    if list.isByIssuer(of: certificate) {
      let own = issuer.fields.extensions.subjectKeyIdentifier
      if wanted == nil || own == nil || wanted == own { return try checkSignature(of: list, by: issuer) }
    }
    try findSigner(of: list, wanted)
  }

  /// Checks that a certificate's key has signed a list, and is allowed to.
  private func checkSignature(of list: RevocationList, by signer: Certificate) throws(SignetError) {
    guard signer.fields.extensions.keyUsage?.hasRevocationListSigning == true else {
      throw SignetError(
        .revocationListIssuer, list.name, "its issuer's key must not sign lists (RFC 5280, section 4.2.1.3)",
        expected: "cRLSign in the key usage of \(signer)")
    }
    let key: KeyHandle
    do throws(SignetError) {
      key = try KeyHandle.make(SubjectPublicKeyInfo(der: signer.fields.publicKey))
    } catch {
      if error.code == .cryptoFailure { throw error }
      throw SignetError(
        .revocationListIssuer, list.name, "its issuer has a key that is not accepted", found: "\(signer)",
        cause: error)
    }
    try budget.takeListSignature(about: signer)
    guard try key.verifies(list.fields.signature, over: list.fields.body, list.fields.signatureAlgorithm.scheme)
    else {
      throw SignetError(.revocationListSignature, list.name, "was not signed by its issuer", expected: "\(signer)")
    }
  }

  /// Finds another certificate of the list's issuer with its own path to the anchor.
  ///
  /// The lists of other issuers may have revoked that certificate; the list that it signed says nothing about it.
  private func findSigner(of list: RevocationList, _ wanted: [UInt8]?) throws(SignetError) {
    let depth = verifier.purpose.listDepth + 1
    let paths = CertificateChainVerifier(
      anchors: [anchor], intermediates: verifier.intermediates,
      revocationLists: verifier.revocationLists.filter { $0.issuer.canonical != list.issuer.canonical },
      leastRSABits: verifier.leastRSABits, purpose: .revocationListSigning(depth: depth))
    var failure: SignetError?
    let others = depth > ChainBudget.listDepth ? [] : verifier.issuers[list.issuer.canonical] ?? []
    for other in others {
      if let wanted, other.fields.extensions.subjectKeyIdentifier != wanted { continue }
      do throws(SignetError) {
        // The signature is checked first. A bundle can bring certificates with this name, but a search begins only
        // for one whose key has signed the list.
        try checkSignature(of: list, by: other)
        _ = try paths.verify(other, at: time, budget)
        return
      } catch {
        if error.code == .cryptoFailure { throw error }
        failure = failure ?? error
      }
    }
    // The issuer has only one certificate here, and its key has not signed the list.
    if let failure, others.count == 1, failure.code == .revocationListSignature { throw failure }
    throw SignetError(
      .revocationListIssuer, list.name, "the key that signed it is not known",
      expected: "a certificate of its issuer"
        + (wanted.map { " with the key identifier \(Hexadecimal.encode($0))" } ?? "") + " below \(anchor)",
      cause: failure)
  }
}

extension RevocationList {
  /// Checks that the list can be applied as written, whoever has signed it.
  ///
  /// - Throws: `crl.unsupported`, `crl.weak-digest`.
  package func checkForm() throws(SignetError) {
    if let objection = fields.objection {
      throw SignetError(
        .revocationListUnsupported, name, "cannot be applied: it \(objection)",
        expected: "a list as RFC 5280, section 5 describes it")
    }
    switch fields.signatureAlgorithm.scheme {
    case .weak(let algorithm), .unsupported(let algorithm):
      throw SignetError(
        .revocationListWeakDigest, name, "is signed with an algorithm that is not accepted",
        expected: "Ed25519, or RSA or ECDSA with SHA-256, SHA-384 or SHA-512", found: algorithm)
    case .rsa, .rsaPSS, .ecdsa, .ed25519: break
    }
  }
}
