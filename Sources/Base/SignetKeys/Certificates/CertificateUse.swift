package import SignetBase
package import SignetCrypto

/// Whether certificates can be of any use: to the signer who signs with one, and to the policy that trusts one.
///
/// The rules are those of verification. What is refused here is refused by every verifier.
package enum CertificateUse {
  /// Checks that a verifier could accept signatures by a certificate's key, now or later.
  ///
  /// A verifier may trust any of the issuers. If the list is empty, the verifier may have them itself, or trust the
  /// certificate.
  ///
  /// - Parameter issuers: the certificate's issuers, from the nearest on.
  /// - Returns: what is unwise; nil if nothing is.
  /// - Throws: what verification throws, such as `chain.untrusted` if the issuers are not the certificate's.
  package static func check(
    _ leaf: Certificate, issuers: [Certificate], at time: UnixTime
  ) throws(SignetError) -> SignetError? {
    do throws(SignetError) {
      try verify(leaf, issuers, at: time)
    } catch  where error.code == .chainNotYetValid {
      // The other rules apply all the same, at a time when all certificates have begun.
      try verify(leaf, issuers, at: ([leaf] + issuers).map(\.notBefore).max() ?? time)
      return error.suggesting("verifiers accept the signature from then on")
    }
    guard issuers.isEmpty, !leaf.isSelfIssued else { return nil }
    let rules = rules(at: time)
    let objection = rules.objection(to: leaf, .leaf, isAnchor: false) ?? PathRules.identifierObjection(leaf)
    return objection?.suggesting(
      "only verifiers that trust this very certificate accept the signature; ask its issuer for another one")
  }

  private static func verify(_ leaf: Certificate, _ issuers: [Certificate], at time: UnixTime) throws(SignetError) {
    let verifier = CertificateChainVerifier(
      anchors: issuers.isEmpty ? [leaf] : issuers, intermediates: issuers, revocationLists: [],
      leastRSABits: leastRSABits)
    do throws(SignetError) {
      _ = try verifier.verify(leaf, at: time)
    } catch  where [.cryptoFailure, .chainNotYetValid, .chainUntrusted].contains(error.code) {
      throw error
    } catch {
      throw error.suggesting(
        "no verifier accepts a signature with it: get a certificate for signing code from the authority, "
          + "or sign with the key alone")
    }
  }

  /// Why a certificate that a policy trusts can neither certify a signer nor be a signer's own; nil if it can.
  ///
  /// That it has ended, or has not begun, does not count here.
  package static func objection(toAnchor certificate: Certificate, leastRSABits: Int) -> SignetError? {
    guard let asIssuer = objection(toIssuer: certificate, isAnchor: true) else { return nil }
    guard let asSigner = objection(toSigner: certificate, isAnchor: true, leastRSABits: leastRSABits) else {
      return nil
    }
    return certificate.isCA ? asIssuer : asSigner
  }

  /// Why a certificate can be no signer's; nil if it can.
  package static func objection(
    toSigner certificate: Certificate, isAnchor: Bool, leastRSABits: Int
  ) -> SignetError? {
    rules(at: certificate.notBefore, leastRSABits).objection(to: certificate, .leaf, isAnchor: isAnchor)
  }

  /// Why a certificate can certify nobody; nil if it can.
  package static func objection(toIssuer certificate: Certificate, isAnchor: Bool) -> SignetError? {
    rules(at: certificate.notBefore).objection(to: certificate, .issuer, isAnchor: isAnchor)
  }

  /// The least that a policy can ask of a leaf's RSA key.
  private static let leastRSABits = ChainBudget.leastRSABitsOfCAs

  private static func rules(at time: UnixTime, _ leastRSABits: Int = leastRSABits) -> CertificateRules {
    CertificateRules(purpose: .codeSigning, leastRSABits: leastRSABits, time: time)
  }
}

extension SignetError {
  /// The same error with a hint.
  fileprivate func suggesting(_ hint: String) -> SignetError {
    var error = self
    error.hint = hint
    return error
  }
}
