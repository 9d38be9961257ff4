internal import SignetCrypto

/// The search for the trusted key that has made a bundle's signature.
struct SignerSearch {
  private let policy: TrustPolicy
  private let bundle: SigstoreBundle
  private let label: String

  enum Result {
    /// This key has.
    case found(PublicKey)
    /// None has, and the bundle does not claim it.
    case stranger(SignetError)
    /// The bundle claims that a trusted key has, and it has not.
    case forged(SignetError)
  }

  init(_ policy: TrustPolicy, _ bundle: SigstoreBundle, _ label: String) {
    self.policy = policy
    self.bundle = bundle
    self.label = label
  }

  /// Looks for it.
  ///
  /// - Throws: when a signature could not be checked: that is neither valid nor invalid.
  func run() throws(SignetError) -> Result {
    guard case .publicKey = bundle.material else {
      return .stranger(
        SignetError(
          .signerCertificate, label, "comes with a certificate, and only keys are trusted here", expected: trusted,
          hint: "ask the publisher for a signature by that key"))
    }
    let claims = bundle.claimedKeyIDs
    let claimed = policy.keys.filter { key in claims.contains { key.id.matches($0) } }
    // A hint of somebody else's making says nothing about our keys: any of them may have signed.
    let candidates = claimed.isEmpty ? policy.keys : claimed
    let message = Envelope.preAuthenticationEncoding(of: bundle.envelope.payload)
    for key in candidates {
      switch key.check(bundle.envelope.signature, over: message) {
      case .valid: return .found(key)
      case .invalid: continue
      case .couldNotCheck(let error): throw error
      }
    }
    guard claimed.isEmpty else {
      return .forged(
        SignetError(
          .signatureInvalid, label, "is not the signature it claims to be: signature or statement was changed",
          expected: "a signature by \(claimed.map { "\($0.id)" }.joined(separator: " or "))",
          hint: "get artifact and bundle anew from where they come from"))
    }
    return .stranger(
      SignetError(
        .signerUntrusted, label, "is signed by nobody who is trusted", expected: trusted,
        found: claims.isEmpty ? "no claim who signed" : "a claim to be by \(claims.joined(separator: ", "))",
        hint: "get artifact and bundle from the publisher whose key you trust"))
  }

  private var trusted: String {
    if policy.keys.isEmpty { return "nobody: the policy is empty" }
    return "a signature by \(policy.keys.map { "\($0.id)" }.joined(separator: " or "))"
  }
}
