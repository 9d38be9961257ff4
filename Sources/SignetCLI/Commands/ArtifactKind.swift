internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What a file is taken for, where its first look is not to decide.
enum ArtifactKind: String, ExpressibleByArgument, CaseIterable {
  /// Raw bytes.
  case file
  /// A module's archive.
  case module

  /// Makes sure that the option goes with the rest of a command line.
  ///
  /// - Throws: a usage error.
  static func check(_ kind: ArtifactKind?, hostManifest: String?, type: String?) throws {
    guard kind != nil, hostManifest != nil || type != nil else { return }
    throw ValidationError("--as goes with neither --host-manifest nor --type.")
  }

  /// Makes sure that what the path leads to can be of this kind: what was asked for is never passed over.
  ///
  /// - Throws: `file.is-directory`.
  func check(_ input: InputArtifact) throws(SignetError) {
    guard input.isDirectory else { return }
    throw SignetError(
      .fileIsDirectory, input.path, "is a directory", expected: self == .module ? "a module's archive" : "a file",
      hint: self == .module ? "make an archive of it: signet pack DIR --out M.zip" : nil)
  }
}
