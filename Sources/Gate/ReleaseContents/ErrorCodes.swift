public import SignetBase

extension SignetError.Code {
  /// A folder without anything that must be signed.
  public static let gateEmpty = Self("gate.empty", .failure)
  /// A path that is in two of a release's folders.
  public static let gateDuplicatePath = Self("gate.duplicate-path", .failure)
  /// A symbolic link that does not lead to a file of the release.
  public static let gateLink = Self("gate.link", .refusal)
  /// A pipe, device or socket in a release.
  public static let gateSpecialFile = Self("gate.special-file", .refusal)
}
