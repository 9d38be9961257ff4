public import SignetBase

extension SignetError.Code {
  // MARK: What a registry offers

  /// A file that is not the index of a module's releases.
  public static let repoIndex = Self("repo.index", .refusal)
  /// A provenance that does not say from which commit a file was built.
  public static let repoProvenance = Self("repo.provenance", .refusal)
}
