package import SignetBase
internal import SignetCrypto
package import SignetVerify

/// What a bundle is worth that anybody could have put beside an artifact, such as in a registry.
///
/// A verification refuses an artifact with a bundle that claims a trusted key and is not by it, because a damaged signature
/// never counts as a missing one. Where strangers can add bundles, such bundles have to be left out before.
package enum BundleStanding: Sendable {
  /// A key of the policy has made the signature. Whether the key counts is for the verification.
  case signed
  /// Nobody whom the policy names by a key has made it. It may be by an authority's signer.
  case other
  /// The signature is not by the key that the bundle claims.
  case forged
}

extension TrustPolicy {
  /// Judges a bundle by its signature alone.
  ///
  /// - Throws: `crypto.failure` if a signature could not be checked.
  package func standing(of bundle: SigstoreBundle) throws(SignetError) -> BundleStanding {
    let message = Envelope.preAuthenticationEncoding(of: bundle.envelope.payload)
    func hasSigned(_ key: PublicKey) throws(SignetError) -> Bool {
      switch key.verify(bundle.envelope.signature, over: message) {
      case .valid: true
      case .invalid: false
      case .couldNotCheck(let error): throw error
      }
    }
    // A certificate that cannot be read names no key.
    func signer(of leaf: [UInt8]) -> PublicKey? { (try? Certificate(der: leaf)).flatMap { try? $0.publicKey() } }
    let keys = Set(entries.flatMap(\.keys))
    let claims = bundle.claimedKeyIDs
    let claimed = keys.filter { key in claims.contains { key.id.matches($0) } }
    for key in claimed where try !hasSigned(key) { return .forged }
    if !claimed.isEmpty { return .signed }
    switch bundle.material {
    case .publicKey:
      // A hint that names none of the keys says nothing about them.
      for key in keys where try hasSigned(key) { return .signed }
      return .other
    case .certificate(let leaf): return try signer(of: leaf).map(hasSigned) == true ? .other : .forged
    case .certificateChain(let chain):
      guard let leaf = chain.first else { return .forged }
      return try signer(of: leaf).map(hasSigned) == true ? .other : .forged
    }
  }
}
