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
