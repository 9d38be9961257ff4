public import SignetBase

extension SignetError.Code {
  /// There is no signature where one was looked for.
  public static let signatureMissing = Self("signature.missing")
  /// There is a signature, and it may not be read.
  public static let signatureUnreadable = Self("signature.unreadable")
  /// A field of the bundle that nobody knows.
  public static let bundleUnknownField = Self("bundle.unknown-field")
  /// A bundle of another kind or version.
  public static let bundleMediaType = Self("bundle.media-type")
  /// A signature over a bare digest, without a statement that says what it is for.
  public static let bundleMessageSignature = Self("bundle.message-signature")
  /// More than one kind of verification material, or none.
  public static let bundleMaterial = Self("bundle.verification-material")
  /// More bundles than are read for one artifact.
  public static let bundleCount = Self("bundle.count")
  /// The bundles beside an artifact are about different statements.
  public static let bundlePayloadsDiffer = Self("bundle.payloads-differ")
}

extension SignetError.Code {
  /// The envelope's payload is of another type than in-toto's.
  public static let envelopePayloadType = Self("envelope.payload-type")
  /// No signature, or several, in one envelope.
  public static let envelopeSignatureCount = Self("envelope.signature-count")
  /// The payload is larger than any statement may be.
  public static let envelopePayloadSize = Self("envelope.payload-size")
}

extension SignetError.Code {
  /// The payload is not an in-toto statement: not JSON, or a field has a value of another kind.
  public static let statementMalformed = Self("statement.malformed")
  /// A statement of one of our types that is not written canonically.
  public static let statementNotCanonical = Self("statement.not-canonical")
  /// A field of the statement that nobody knows.
  public static let statementUnknownField = Self("statement.unknown-field")
  /// `_type` is another.
  public static let statementType = Self("statement.type")
  /// No subject, or several.
  public static let statementSubjectCount = Self("statement.subject-count")
  /// The subject's digests lack `sha256`, or have others beside it.
  public static let statementDigestAlgorithm = Self("statement.digest-algorithm")
  /// A digest that is too short or too long.
  public static let statementDigestLength = Self("statement.digest-length")
  /// A digest written in capital letters, or not in hexadecimal.
  public static let statementDigestForm = Self("statement.digest-form")
  /// The statement is of another type than the caller expects.
  public static let statementPredicateType = Self("statement.predicate-type")
  /// The statement's own date after which it no longer holds has passed.
  public static let statementExpired = Self("statement.expired")
}

extension SignetError.Code {
  // MARK: Listings

  /// The entries of a listing are not sorted by the bytes of their paths.
  public static let directoryUnsorted = Self("directory.unsorted")
  /// A path stands twice in a listing.
  public static let directoryDuplicatePath = Self("directory.duplicate-path")
  /// The directory that an entry lies in is not in the listing.
  public static let directoryMissingParent = Self("directory.missing-parent")
  /// What an entry lies in is a file or a link.
  public static let directoryParentNotDirectory = Self("directory.parent-not-directory")
  /// An entry with set-user-ID, set-group-ID or the sticky bit.
  public static let directorySpecialMode = Self("directory.special-mode")
  /// The subject's digest is not that of the listing.
  public static let directoryListingDigest = Self("directory.listing-digest")
  /// A pipe, device or socket in a directory that is to be signed.
  public static let directorySpecialFile = Self("directory.special-file")

  // MARK: Differences

  /// What was signed is not there.
  public static let directoryMissingEntry = Self("directory.missing-entry")
  /// What is there was not signed.
  public static let directoryExtraEntry = Self("directory.extra-entry")
  /// A file where a directory was signed, and the like.
  public static let directoryTypeMismatch = Self("directory.type-mismatch")
  /// Other permissions.
  public static let directoryModeMismatch = Self("directory.mode-mismatch")
  /// A symbolic link that leads elsewhere.
  public static let directoryTargetMismatch = Self("directory.target-mismatch")
  /// More differences than are told one by one.
  public static let directoryMoreDifferences = Self("directory.more-differences")
}

/// What is wrong with a module's description.
extension SignetError.Code {
  /// Not a description: no JSON, a field missing or with a value that it may not have.
  public static let moduleMalformed = Self("module.malformed")
  /// A field that descriptions do not have, or a platform that is not known.
  public static let moduleUnknownField = Self("module.unknown-field")
  /// The description names a file that the module does not hold.
  public static let moduleMissingFile = Self("module.missing-file")
  /// The archive does not hold what the statement lists.
  public static let moduleContentsMismatch = Self("module.contents-mismatch")
  /// The statement is about another module.
  public static let moduleIdentifierMismatch = Self("module.identifier-mismatch")
}

/// Why a module is not packed, beside what is wrong with its description, its paths and its files.
extension SignetError.Code {
  /// A binary whose file name does not say which module it is.
  public static let packingBinaryName = Self("packing.binary-name")
  /// Something lies outside of the folders that are stripped.
  public static let packingStrip = Self("packing.strip")
  /// SOURCE_DATE_EPOCH is no time.
  public static let packingTime = Self("packing.time")
  /// The archive that was written does not read as what was to be packed.
  public static let packingSelfCheck = Self("packing.self-check")
}

extension SignetError.Code {
  /// The key is weaker than those whose signatures are accepted.
  public static let signingWeakKey = Self("signing.weak-key")
  /// The signature just made does not verify: a fault of the machine, or a key whose halves differ.
  public static let signingSelfCheck = Self("signing.self-check")
  /// The artifact cannot be called that.
  public static let signingName = Self("signing.name")
  /// The statement would end before it begins.
  public static let signingNotAfter = Self("signing.not-after")
  /// A bundle that does not name its key as attached ones must.
  public static let signingAttachedName = Self("signing.attached-name")
  /// A list of signers that is empty, too long, or without the key that signs.
  public static let signingSigners = Self("signing.signers")
  /// A sequence outside 1 to 2^53-1, or a minimum above the module's own.
  public static let signingSequence = Self("signing.sequence")
  /// The statement to be signed by one more key is not one of ours, or not about this artifact.
  public static let signingOtherStatement = Self("signing.other-statement")
  /// No certificate that was given is the key's.
  public static let signingCertificateMismatch = Self("signing.certificate-mismatch")
  /// The certificates that were given are not one chain.
  public static let signingCertificateChain = Self("signing.certificate-chain")
  /// The key has signed this statement already.
  public static let signingTwice = Self("signing.twice")
}

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
  /// The key is another one than the one that is named by its ID.
  public static let keyPinMismatch = Self("key.pin-mismatch")
  /// The policy is another one than the one that is named by its digest.
  public static let policyPinMismatch = Self("policy.pin-mismatch")
}

extension SignetError.Code {
  /// The manifest is another host's.
  public static let manifestIdentifierMismatch = Self("manifest.identifier-mismatch")
  /// What is to be signed as a host's manifest is no JSON object.
  public static let manifestMalformed = Self("manifest.malformed")
}

extension SignetError.Code {
  /// The signature is not the named key's over this payload: either of them was changed.
  public static let signatureInvalid = Self("signature.invalid")
  /// Nobody the policy trusts has signed.
  public static let signerUntrusted = Self("signer.untrusted")
  /// The signature comes with a certificate, and the policy trusts bare keys only.
  public static let signerCertificate = Self("signer.certificate")
  /// The statement is about an artifact of another name.
  public static let subjectName = Self("subject.name-mismatch")
  /// The signer's certificate is good, and names nobody the policy names.
  public static let signerIdentity = Self("signer.identity")
  /// The signer is trusted, but not for this module or URI.
  public static let signerOutOfScope = Self("signer.out-of-scope")
  /// The signer is trusted, but not now.
  public static let signerOutsideWindow = Self("signer.outside-window")
  /// The policy revokes the signer's key or certificate.
  public static let signerRevoked = Self("signer.revoked")
  /// The verifier is at fault: it has left a step out.
  public static let verificationIncomplete = Self("verification.incomplete")
}

extension Set<SignetError.Code> {
  /// Everything that a policy can be refused for, and refuse for: `policy.…`.
  package static let aboutPolicies: Self = [
    .policyTestKey, .policyWeakKey, .policyMalformed, .policyUnknownField, .policyVersion, .policyEntry,
    .policyDuplicate, .policyExpired, .policyThreshold, .policyExact, .policyRevoked, .policyRollback,
    .policyPinMismatch,
  ]

  /// Everything that can be wrong with a directory or its listing: `directory.…`.
  package static let aboutDirectories: Self = [
    .directoryUnsorted, .directoryDuplicatePath, .directoryMissingParent, .directoryParentNotDirectory,
    .directorySpecialMode, .directoryListingDigest, .directorySpecialFile, .directoryMissingEntry,
    .directoryExtraEntry, .directoryTypeMismatch, .directoryModeMismatch, .directoryTargetMismatch,
    .directoryMoreDifferences, .directoryEntryCount,
  ]
}
