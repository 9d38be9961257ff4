public import SignetCrypto

/// Whom a verifier trusts. Nobody is trusted who is not named here; an empty policy refuses everything.
public struct TrustPolicy: Sendable {
  /// The keys whose signature is accepted; one of them suffices.
  public let keys: [PublicKey]
  /// RSA keys with a shorter modulus are refused.
  public let leastRSABits: Int
  /// Whether the published test keys may serve as anchors: their private halves are in everybody's hands.
  public let allowsTestKeys: Bool

  /// Trusts these keys.
  ///
  /// - Parameters:
  ///   - keys: the trust anchors.
  ///   - leastRSABits: 3072 unless old keys have to be accepted; below 2048 no key can be read anyhow.
  ///   - allowsTestKeys: only for tests.
  public init(trusting keys: [PublicKey], leastRSABits: Int = 3072, allowsTestKeys: Bool = false) {
    self.keys = keys
    self.leastRSABits = leastRSABits
    self.allowsTestKeys = allowsTestKeys
  }

  /// Why this policy does not accept a key as an anchor although it is named; nil when it does.
  func objection(to key: PublicKey) -> SignetError? {
    if !allowsTestKeys, TestKeys.contains(key.id) {
      return SignetError(
        .policyTestKey, "\(key.id)", "is a test key: everybody has its private half",
        expected: "a key of your own", hint: "make one: signet keygen --out PATH")
    }
    if case .rsa(let bits) = key.algorithm, bits < leastRSABits {
      return SignetError(
        .policyWeakKey, "\(key.id)", "is weaker than the policy asks for", expected: "RSA with \(leastRSABits) bits",
        found: "\(bits) bits", hint: "ask the publisher for signatures by a stronger key")
    }
    return nil
  }
}
