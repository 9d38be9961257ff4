public import SignetBase

/// Reasons not to pack a module, besides faults of its description, its paths and its files.
extension SignetError.Code {
  /// A binary's file name does not tell which module it belongs to.
  public static let packingBinaryName = Self("packing.binary-name", .failure)
  /// An entry lies outside the folders that are stripped.
  public static let packingStrip = Self("packing.strip", .failure)
  /// A source file in a module that is to be packed.
  public static let packingSource = Self("packing.source", .failure)
  /// SOURCE_DATE_EPOCH is not a time.
  public static let packingTime = Self("packing.time", .failure)
  /// The written archive does not read back as what was to be packed.
  public static let packingSelfCheck = Self("packing.self-check", .failure)
}

/// Reasons to refuse a module whose signatures hold.
extension SignetError.Code {
  /// The description names a file that is not in the module.
  public static let moduleMissingFile = Self("module.missing-file", .refusal)
  /// The archive does not hold what the statement lists.
  public static let moduleContentsMismatch = Self("module.contents-mismatch", .refusal)
  /// The statement is about another module.
  public static let moduleIdentifierMismatch = Self("module.identifier-mismatch", .refusal)
}

/// Reasons to refuse the sources of a module.
extension SignetError.Code {
  /// An archive that does not have the form of a module's sources.
  public static let sourceMalformed = Self("source.malformed", .refusal)
  /// An archive with the sources of another release than the module's.
  public static let sourceOtherModule = Self("source.other-module", .refusal)
}

/// Reasons to refuse a release that is signed with less than the one before it.
extension SignetError.Code {
  /// Fewer signers than before.
  public static let continuityFewerSigners = Self("continuity.fewer-signers", .refusal)
  /// Other signers than before, whom nobody has introduced.
  public static let continuitySigner = Self("continuity.signer", .refusal)
  /// A signer whom a weaker entry of the policy trusts.
  public static let continuityKind = Self("continuity.kind", .refusal)
  /// Fewer timestamps than before.
  public static let continuityTimestamp = Self("continuity.timestamp", .refusal)
  /// No attestation, where the release before had one.
  public static let continuityAttestation = Self("continuity.attestation", .refusal)
  /// A waiver that does not hold.
  public static let continuityWaiver = Self("continuity.waiver", .refusal)
  /// A release that came too recently.
  public static let continuityAge = Self("continuity.age", .refusal)
}

/// Faults of hosts' manifests.
extension SignetError.Code {
  /// The file to be signed as a host's manifest is not a JSON object.
  public static let manifestMalformed = Self("manifest.malformed", .refusal)
}
