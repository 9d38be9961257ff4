internal import SignetBase
internal import SignetCrypto
internal import SignetVerify

/// The codes of each area of verification, for those who tell refusals apart.
extension Set<SignetError.Code> {
  /// Every code for a refused policy, and for a policy's refusal of an artifact: `policy.…`.
  package static let aboutPolicies: Self = [
    .policyTestKey, .policyWeakKey, .policyMalformed, .policyUnknownField, .policyVersion, .policyEntry,
    .policyDuplicate, .policyExpired, .policyThreshold, .policyExact, .policySummary, .policyRevoked, .policyRollback,
    .policyPinMismatch,
  ]

  /// Every code for a signer that is not accepted: `signer.…`.
  package static let aboutSigners: Self = [
    .signerUntrusted, .signerCertificate, .signerIdentity, .signerOutOfScope, .signerOutsideWindow, .signerRevoked,
  ]

  /// Every code for a fault of a statement: `statement.…`.
  package static let aboutStatements: Self = [
    .statementMalformed, .statementNotCanonical, .statementUnknownField, .statementType, .statementSubjectCount,
    .statementDigestAlgorithm, .statementDigestLength, .statementDigestForm, .statementPredicateType,
    .statementExpired,
  ]

  /// Every code for a fault of a directory or its listing: `directory.…`.
  package static let aboutDirectories: Self = [
    .directoryUnsorted, .directoryDuplicatePath, .directoryMissingParent, .directoryParentNotDirectory,
    .directorySpecialMode, .directoryListingDigest, .directorySpecialFile, .directoryMissingEntry,
    .directoryExtraEntry, .directoryTypeMismatch, .directoryModeMismatch, .directoryTargetMismatch,
    .directoryMoreDifferences, .directoryEntryCount,
  ]

  /// All codes for faults of a certificate itself: `certificate.…`.
  package static let aboutCertificates: Self = [
    .certificateMalformed, .certificateDuplicateExtension, .certificatePrivateKey,
  ]

  /// All codes for chains that are not accepted: `chain.…`.
  package static let aboutChains: Self = [
    .chainUntrusted, .chainTooComplex, .chainSignature, .chainMalformed, .chainVersion, .chainSerial,
    .chainCriticalExtension, .chainWeakKey, .chainWeakDigest, .chainNotACA, .chainPathLength, .chainNameConstraints,
    .chainPolicy, .chainLeafIsCA, .chainKeyUsage, .chainNotCodeSigning, .chainNotTimeStamping, .chainNotYetValid,
    .chainExpired, .chainRevoked,
  ]
}
