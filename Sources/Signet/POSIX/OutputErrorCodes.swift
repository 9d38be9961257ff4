public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// There is a file of that name, and replacing it was not asked for.
  public static let outputExists = Self("output.exists")
  /// The output would overwrite what is read.
  public static let outputIsInput = Self("output.is-input")
  /// The output has replaced what was there, but the folder could not be synced.
  public static let outputNotSynced = Self("output.not-synced")
}
