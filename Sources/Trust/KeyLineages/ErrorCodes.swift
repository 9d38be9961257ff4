public import SignetBase

extension SignetError.Code {
  // MARK: The keys of a signer, one after the other

  /// A statement that introduces a key and cannot be read (docs/format.md, section 12).
  public static let lineageMalformed = Self("lineage.malformed", .refusal)
  /// A statement that the key before has not signed.
  public static let lineageSignature = Self("lineage.signature", .refusal)
  /// Statements that do not follow one another.
  public static let lineageOrder = Self("lineage.order", .refusal)
  /// A key that comes back.
  public static let lineageCycle = Self("lineage.cycle", .refusal)
  /// Two keys that follow the same one.
  public static let lineageFork = Self("lineage.fork", .refusal)
  /// Statements of before, in place of those that are known.
  public static let lineageReplay = Self("lineage.replay", .refusal)
  /// More keys than a lineage may have.
  public static let lineageTooLong = Self("lineage.too-long", .refusal)
  /// A lineage of a signer whom the policy does not trust by a key.
  public static let lineageStranger = Self("lineage.stranger", .refusal)
}

extension Set<SignetError.Code> {
  /// All codes for what is wrong with a lineage: `lineage.…`.
  package static let aboutLineages: Self = [
    .lineageMalformed, .lineageSignature, .lineageOrder, .lineageCycle, .lineageFork, .lineageReplay, .lineageTooLong,
    .lineageStranger,
  ]
}
