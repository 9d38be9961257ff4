public import SignetCrypto

extension SignetError.Code {
  /// A published test key serves as an anchor.
  public static let policyTestKey = Self("policy.test-key")
  /// An anchor is weaker than the policy asks for.
  public static let policyWeakKey = Self("policy.weak-key")
}
