public import SignetCrypto

/// Whom a verifier trusts. Nobody is trusted who is not named here; an empty policy refuses everything.
public struct TrustPolicy: Sendable {
  /// The keys whose signature is accepted; one of them suffices.
  public let keys: [PublicKey]
  /// RSA keys with a shorter modulus are refused.
  public let leastRSABits: Int
  /// Whether the published test keys may serve as anchors: their private halves are in everybody's hands.
  public let allowsTestKeys: Bool

  /// Trusts these keys. A policy that exists is sound: what may not be an anchor is refused here.
  ///
  /// - Parameters:
  ///   - keys: the trust anchors.
  ///   - leastRSABits: 3072 unless old keys have to be accepted; below 2048 no key can be read anyhow.
  ///   - allowsTestKeys: only for tests.
  /// - Throws: `policy.test-key`, `policy.weak-key`.
  public init(
    trusting keys: [PublicKey], leastRSABits: Int = 3072, allowsTestKeys: Bool = false
  ) throws(SignetError) {
    for key in keys {
      guard allowsTestKeys || !TestKeys.contains(key.id) else {
        throw SignetError(
          .policyTestKey, "\(key.id)", "is a test key: everybody has its private half",
          expected: "a key whose private half only its owner has", hint: "ask the publisher for the key to trust")
      }
      if case .rsa(let bits) = key.algorithm, bits < leastRSABits {
        throw SignetError(
          .policyWeakKey, "\(key.id)", "is weaker than the policy asks for",
          expected: "RSA with \(leastRSABits) bits or more", found: "\(bits) bits",
          hint: "ask the publisher for signatures by a stronger key")
      }
    }
    self.keys = keys
    self.leastRSABits = leastRSABits
    self.allowsTestKeys = allowsTestKeys
  }
}
