public import SignetBase
internal import SignetCrypto

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
