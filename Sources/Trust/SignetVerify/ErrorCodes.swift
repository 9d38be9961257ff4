public import SignetBase

extension SignetError.Code {
  /// No signature was found.
  public static let signatureMissing = Self("signature.missing", .refusal)
  /// There is a signature, but it cannot be read.
  public static let signatureUnreadable = Self("signature.unreadable", .refusal)
  /// The bundle has an unknown field.
  public static let bundleUnknownField = Self("bundle.unknown-field", .refusal)
  /// The bundle has a media type or version that is not supported.
  public static let bundleMediaType = Self("bundle.media-type", .refusal)
  /// The signature covers a bare digest, without a statement that gives its purpose.
  public static let bundleMessageSignature = Self("bundle.message-signature", .refusal)
  /// The bundle has no verification material, or more than one kind.
  public static let bundleMaterial = Self("bundle.verification-material", .refusal)
  /// There are more bundles than are read for one artifact.
  public static let bundleCount = Self("bundle.count", .refusal)
}

extension SignetError.Code {
  /// The envelope's payload does not have in-toto's type.
  public static let envelopePayloadType = Self("envelope.payload-type", .refusal)
  /// The envelope has no signature, or several.
  public static let envelopeSignatureCount = Self("envelope.signature-count", .refusal)
  /// The payload is larger than a statement may be.
  public static let envelopePayloadSize = Self("envelope.payload-size", .refusal)
}

extension SignetError.Code {
  /// The payload is not an in-toto statement: it is not JSON, or a field has a value of the wrong type.
  public static let statementMalformed = Self("statement.malformed", .refusal)
  /// A statement of one of Signet's types is not in canonical form.
  public static let statementNotCanonical = Self("statement.not-canonical", .refusal)
  /// The statement has an unknown field.
  public static let statementUnknownField = Self("statement.unknown-field", .refusal)
  /// The statement's `_type` is not supported.
  public static let statementType = Self("statement.type", .refusal)
  /// The statement has no subject, or several.
  public static let statementSubjectCount = Self("statement.subject-count", .refusal)
  /// The subject's digests lack `sha256`, or include others.
  public static let statementDigestAlgorithm = Self("statement.digest-algorithm", .refusal)
  /// A digest is too short or too long.
  public static let statementDigestLength = Self("statement.digest-length", .refusal)
  /// A digest has upper-case letters, or is not hexadecimal.
  public static let statementDigestForm = Self("statement.digest-form", .refusal)
  /// The statement is not of the type that the caller expects.
  public static let statementPredicateType = Self("statement.predicate-type", .refusal)
  /// The statement has expired: its own end has passed.
  public static let statementExpired = Self("statement.expired", .refusal)
}

extension SignetError.Code {
  // MARK: Listings

  /// The entries of a listing are not sorted by the bytes of their paths.
  public static let directoryUnsorted = Self("directory.unsorted", .refusal)
  /// A path occurs twice in a listing.
  public static let directoryDuplicatePath = Self("directory.duplicate-path", .refusal)
  /// A listing lacks the directory that an entry lies in.
  public static let directoryMissingParent = Self("directory.missing-parent", .refusal)
  /// The parent of an entry is a file or a link.
  public static let directoryParentNotDirectory = Self("directory.parent-not-directory", .refusal)
  /// An entry has set-user-ID, set-group-ID or the sticky bit.
  public static let directorySpecialMode = Self("directory.special-mode", .refusal)
  /// The subject's digest is not the listing's digest.
  public static let directoryListingDigest = Self("directory.listing-digest", .refusal)
  /// A directory to be signed has a pipe, device or socket.
  public static let directorySpecialFile = Self("directory.special-file", .refusal)

  // MARK: Differences

  /// A signed entry is missing.
  public static let directoryMissingEntry = Self("directory.missing-entry", .refusal)
  /// An entry was not signed.
  public static let directoryExtraEntry = Self("directory.extra-entry", .refusal)
  /// An entry has another type than the signed one, such as a file instead of a directory.
  public static let directoryTypeMismatch = Self("directory.type-mismatch", .refusal)
  /// An entry has other permissions than the signed ones.
  public static let directoryModeMismatch = Self("directory.mode-mismatch", .refusal)
  /// A symbolic link has another target than the signed one.
  public static let directoryTargetMismatch = Self("directory.target-mismatch", .refusal)
  /// There are more differences than are reported one by one.
  public static let directoryMoreDifferences = Self("directory.more-differences", .refusal)
}

/// Faults of a module's description.
extension SignetError.Code {
  /// The text is not a description: it is not JSON, or a field is missing or has an invalid value.
  public static let moduleMalformed = Self("module.malformed", .refusal)
  /// The description has an unknown field or an unknown platform.
  public static let moduleUnknownField = Self("module.unknown-field", .refusal)
}

extension SignetError.Code {
  /// An anchor is a published test key.
  public static let policyTestKey = Self("policy.test-key", .refusal)
  /// An anchor is weaker than the policy requires.
  public static let policyWeakKey = Self("policy.weak-key", .refusal)
  /// The text is not a trust policy.
  public static let policyMalformed = Self("policy.malformed", .refusal)
  /// The policy has an unknown field.
  public static let policyUnknownField = Self("policy.unknown-field", .refusal)
  /// The policy has a version that is not supported.
  public static let policyVersion = Self("policy.version", .refusal)
  /// An entry of the policy is invalid.
  public static let policyEntry = Self("policy.entry", .refusal)
  /// Several entries of a policy have the same name, or several of its floors are for the same module.
  public static let policyDuplicate = Self("policy.duplicate", .refusal)
  /// The policy has expired.
  public static let policyExpired = Self("policy.expired", .refusal)
  /// Fewer trusted signers have signed than the policy requires.
  public static let policyThreshold = Self("policy.threshold", .refusal)
  /// The signers are not exactly those that the policy names.
  public static let policyExact = Self("policy.exact", .refusal)
  /// The policy demands a verification summary that is not there, or that says something else.
  public static let policySummary = Self("policy.summary", .refusal)
  /// The policy revokes the artifact's digest, release or version.
  public static let policyRevoked = Self("policy.revoked", .refusal)
  /// A release is below the floor.
  public static let policyRollback = Self("policy.rollback", .refusal)
  /// The key is not the one with the given key ID.
  public static let keyPinMismatch = Self("key.pin-mismatch", .refusal)
  /// The policy is not the one with the given digest.
  public static let policyPinMismatch = Self("policy.pin-mismatch", .refusal)
}

extension SignetError.Code {
  /// The manifest is for another host.
  public static let manifestIdentifierMismatch = Self("manifest.identifier-mismatch", .refusal)
}

extension SignetError.Code {
  /// The signature is not the named key's over this payload: one of them was changed.
  public static let signatureInvalid = Self("signature.invalid", .refusal)
  /// No signer that the policy trusts has signed.
  public static let signerUntrusted = Self("signer.untrusted", .refusal)
  /// The signature comes with a certificate, but the policy trusts only bare keys.
  public static let signerCertificate = Self("signer.certificate", .refusal)
  /// The statement is about an artifact of another name.
  public static let subjectName = Self("subject.name-mismatch", .refusal)
  /// The signer's certificate is valid, but names no identity that the policy names.
  public static let signerIdentity = Self("signer.identity", .refusal)
  /// The signer is trusted, but not for this module, URI or file.
  public static let signerOutOfScope = Self("signer.out-of-scope", .refusal)
  /// The signer is trusted, but not at this time.
  public static let signerOutsideWindow = Self("signer.outside-window", .refusal)
  /// The policy revokes the signer's key or certificate.
  public static let signerRevoked = Self("signer.revoked", .refusal)
  /// A signature that fewer authorities of timestamps have stamped than the policy demands.
  public static let timestampMissing = Self("timestamp.missing", .refusal)
  /// The verifier is faulty: it has left out a step.
  public static let verificationIncomplete = Self("verification.incomplete", .refusal)
}
