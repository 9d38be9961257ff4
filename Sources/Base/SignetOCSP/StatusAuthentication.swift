package import SignetBase
internal import SignetCMS
package import SignetCrypto
internal import SignetNames

/// Who may answer for the issuer of a certificate (RFC 6960, section 4.2.2.2).
extension StatusResponse {
  /// Checks a response before it is kept: one that is forged, or out of date, would refuse what it is about.
  ///
  /// - Parameter issuers: the certificates of which one must have issued what the response is about.
  /// - Throws: `ocsp.unsupported`, `ocsp.signature`, `ocsp.expired`; `ocsp.responder` if it is about certificates of nobody
  ///   among the issuers, or is by nobody who may speak for them; `crypto.failure`.
  package func check(by issuers: [Certificate], _ leastRSABits: Int, at now: UnixTime) throws(SignetError) {
    for statement in statements {
      if let objection = statement.objection { throw Self.unsupported(objection) }
      if let old = statement.staleness(at: now) { throw old }
      guard statement.thisUpdate.seconds <= now.seconds + 86_400 else {
        throw SignetError(
          .statusExpired, "OCSP response", "is of a time that has not come yet", expected: "\(now) or earlier",
          found: "\(statement.thisUpdate)", hint: "get the responder's newest answer: signet trust staple POLICY FILE"
        )
      }
      var failure: SignetError?
      var isSigned = false
      for issuer in issuers where try statement.id.isOfCertificate(issuedBy: issuer) {
        do throws(SignetError) {
          try authenticate(by: issuer, [], leastRSABits, at: now)
          isSigned = true
          break
        } catch {
          if error.code == .cryptoFailure { throw error }
          failure = failure ?? error
        }
      }
      guard isSigned else {
        throw failure
          ?? SignetError(
            .statusResponder, "OCSP response", "is about certificates of another authority",
            expected: issuers.map(\.name).joined(separator: ", "), found: responder.description,
            hint: "add the authority first, or leave the response out")
      }
    }
  }

  /// What it says about a certificate; nil if it says nothing. Nobody has checked who says it.
  ///
  /// - Throws: `certificate.malformed` if the issuer's key cannot be read; `crypto.failure`.
  package func statement(
    about certificate: Certificate, issuedBy issuer: Certificate
  ) throws(SignetError) -> StatusStatement? {
    for algorithm in CertificateID.Algorithm.allCases {
      let id = try CertificateID(certificate, issuedBy: issuer, algorithm)
      if let statement = statements.first(where: { $0.id == id }) { return statement }
    }
    return nil
  }

  /// Whether another response says something newer of each certificate, and takes no revocation back: only a hold ends.
  package func isSuperseded(by other: StatusResponse) -> Bool {
    statements.allSatisfy { old in
      other.statements.contains {
        $0.id == old.id && $0.thisUpdate > old.thisUpdate && ($0.isFinal || !old.isFinal)
      }
    }
  }

  /// Checks that the issuer has signed a response, or somebody whom it has certified for this (RFC 6960, section 4.2.2.2).
  ///
  /// - Parameter lists: what may revoke that certificate.
  /// - Throws: `ocsp.unsupported`, `ocsp.responder`, `ocsp.signature`; `crypto.failure`.
  func authenticate(
    by issuer: Certificate, _ lists: [RevocationList], _ leastRSABits: Int, at time: UnixTime
  ) throws(SignetError) {
    if let objection { throw Self.unsupported(objection) }
    var failure: SignetError?
    if try names(issuer) {
      do throws(SignetError) { return try checkSignature(by: issuer) } catch {
        if error.code == .cryptoFailure { throw error }
        // Somebody whom it has certified may have its name.
        failure = error
      }
    }
    for der in certificates {
      guard let delegate = try? Certificate(der: der), try names(delegate) else { continue }
      do throws(SignetError) {
        try checkSignature(by: delegate)
        // No certificate between the issuer and its delegate. An issuer whose own certificate has ended by now is judged at its
        // last second, as what it has issued is.
        let lists = delegate.extensionNames.contains(.noStatusCheck) ? [] : lists
        _ = try CertificateChainVerifier(
          anchors: [issuer], intermediates: [], revocationLists: lists, leastRSABits: leastRSABits,
          purpose: .pathValidation
        ).verify(delegate, at: min(time, issuer.notAfter))
        guard delegate.extendedKeyUsage?.contains(.statusSigning) == true, delegate.hasDigitalSignature else {
          throw delegate.refusal(.statusResponder, "is not for OCSP signing (RFC 6960, section 4.2.2.2)")
        }
        return
      } catch {
        if error.code == .cryptoFailure { throw error }
        failure = failure ?? error
      }
    }
    if let failure, failure.code == .statusSignature { throw failure }
    throw SignetError(
      .statusResponder, "OCSP response", "is by nobody who may speak for the certificate's issuer",
      expected: "\(issuer), or a certificate for OCSP signing that it has issued",
      found: responder.description, cause: failure)
  }

  /// Whether it says that the key of a certificate has signed it.
  private func names(_ certificate: Certificate) throws(SignetError) -> Bool {
    switch responder {
    case .name(let name): name.canonical == certificate.subject.canonical
    case .key(let digest): try digest == OtherDigest.sha1(CertificateID.keyBits(certificate))
    }
  }

  /// - Throws: `ocsp.signature`, `ocsp.responder` for a key that is not accepted; `crypto.failure`.
  private func checkSignature(by signer: Certificate) throws(SignetError) {
    let key: PublicKey
    do throws(SignetError) { key = try signer.publicKey() } catch {
      if error.code == .cryptoFailure { throw error }
      throw SignetError(
        .statusResponder, "OCSP response", "is by a key that is not accepted", found: "\(signer)", cause: error)
    }
    guard try key.handle.verifies(signature, over: body, algorithm.scheme) else {
      throw SignetError(
        .statusSignature, "OCSP response", "was not signed by its responder", expected: "\(signer)")
    }
  }

  static func unsupported(_ objection: String) -> SignetError {
    SignetError(
      .statusUnsupported, "OCSP response", "cannot be applied: it \(objection)",
      expected: "a response as RFC 6960, section 4.2 describes it")
  }
}

extension StatusResponse.Responder: CustomStringConvertible {
  package var description: String {
    switch self {
    case .name(let name): "\(name)"
    case .key(let digest): "a key with the SHA-1 \(Hexadecimal.encode(digest))"
    }
  }
}

extension OID {
  /// 1.3.6.1.5.5.7.3.9: a key that speaks for its certificate's issuer.
  fileprivate static let statusSigning = OID.other(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x09)
  /// 1.3.6.1.5.5.7.48.1.5: a responder that is trusted until its certificate ends (section 4.2.2.2.1).
  fileprivate static let noStatusCheck = OID.other(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x05)
}
