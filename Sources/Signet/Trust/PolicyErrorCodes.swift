public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// A published test key serves as an anchor.
  public static let policyTestKey = Self("policy.test-key")
  /// An anchor is weaker than the policy asks for.
  public static let policyWeakKey = Self("policy.weak-key")
  /// The text is no trust policy.
  public static let policyMalformed = Self("policy.malformed")
  /// A field of a policy that nobody knows.
  public static let policyUnknownField = Self("policy.unknown-field")
  /// A policy of another version.
  public static let policyVersion = Self("policy.version")
  /// An entry that makes no sense.
  public static let policyEntry = Self("policy.entry")
  /// A name that several entries have.
  public static let policyDuplicate = Self("policy.duplicate")
  /// The policy's own end has passed.
  public static let policyExpired = Self("policy.expired")
  /// Fewer of those the policy trusts have signed than it asks for.
  public static let policyThreshold = Self("policy.threshold")
  /// Not exactly those the policy names have signed.
  public static let policyExact = Self("policy.exact")
  /// The artifact's digest, release or version is revoked.
  public static let policyRevoked = Self("policy.revoked")
  /// A release below the floor.
  public static let policyRollback = Self("policy.rollback")
}
