internal import SignetBase
internal import SignetELF

extension ContentFile {
  /// The profile of a program or shared library; nil for any other file, for a damaged one, and where the policy allows
  /// any.
  ///
  /// Objects, kernel modules, core dumps and files of separate symbols are not hardened by themselves, and firmware,
  /// boot loaders and kernels are not run by a system. So no rule judges how they are. ``BinaryFormatRule`` is about damaged files.
  ///
  /// - Throws: `file.…` if the bytes cannot be read.
  func judgedBinary(
    unless allowed: AllowedPlaces, in artifact: ExaminedArtifact
  ) throws(SignetError) -> ELFProfile? {
    guard let profile = try profile(), profile.isLoadable, !allowed.cover(entry, in: artifact.path) else {
      return nil
    }
    return profile
  }

  /// The profile of any ELF file; nil for any other file, and for a damaged one.
  ///
  /// - Throws: `file.…` if the bytes cannot be read.
  func profile() throws(SignetError) -> ELFProfile? {
    switch binary {
    case nil: return nil
    case .success(let profile): return profile
    case .failure(let error):
      guard error.code == .elfMalformed else { throw error }
      return nil
    }
  }
}

extension AllowedPlaces {
  /// The option of all rules on binaries.
  static let binaries = option("the rule does not judge", like: "boot/**")

  init(binaries options: inout RuleOptions) throws(SignetError) { try self.init(&options, like: "boot/**") }
}
