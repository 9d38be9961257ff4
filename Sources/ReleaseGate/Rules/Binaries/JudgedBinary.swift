internal import SignetBase
internal import SignetELF

extension ContentFile {
  /// The profile of a program or shared library; nil for any other file, and for a damaged one.
  ///
  /// Objects, kernel modules, core dumps and files of separate symbols are not hardened by themselves, so no rule
  /// judges how they are. ``BinaryFormatRule`` is about damaged files.
  ///
  /// - Throws: `file.…` if the bytes cannot be read.
  func judgedBinary() throws(SignetError) -> ELFProfile? {
    guard let profile = try profile(), profile.isLoadable else { return nil }
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
