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
