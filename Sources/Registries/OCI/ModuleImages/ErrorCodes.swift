public import SignetBase

extension SignetError.Code {
  /// A manifest that does not carry a module.
  public static let ociNotModule = Self("oci.not-module", .refusal)
  /// A repository of The Update Framework that cannot be carried by a registry.
  public static let ociRepository = Self("oci.repository", .refusal)
}
