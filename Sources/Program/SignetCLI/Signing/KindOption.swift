internal import ArgumentParser
internal import Signet
internal import SignetBase

/// What a file is taken for, if its content is not to decide.
enum KindOption: String, ExpressibleByArgument, CaseIterable {
  /// Raw bytes.
  case file
  /// A module's archive.
  case module
  /// A folder or a file with a signature by OpenSSF Model Signing.
  case model

  /// Checks that the option is allowed with the rest of a command line.
  ///
  /// - Throws: a usage error.
  static func checkOptions(_ kind: KindOption?, hostManifest: ModuleIdentifier?, type: String?) throws {
    guard kind != nil, hostManifest != nil || type != nil else { return }
    throw ValidationError("--as goes with neither --host-manifest nor --type.")
  }

  /// Checks that the path leads to something that can be of this kind: what was asked for is never ignored.
  ///
  /// - Throws: `file.is-directory`.
  func checkInput(_ input: InputArtifact) throws(SignetError) {
    guard input.isDirectory, self != .model else { return }
    throw SignetError(
      .fileIsDirectory, input.path, "is a directory", expected: self == .module ? "a module's archive" : "a file",
      hint: self == .module ? "make an archive of it: signet pack DIR --out M.zip" : nil)
  }
}

/// The values of `--host-manifest` and `--sequence` for a file.
struct HostManifestOptions {
  let identifier: ModuleIdentifier
  /// Nil if an existing statement is signed, which has its own.
  let sequence: Int?

  /// Checks that the value of an option is a sequence.
  ///
  /// - Throws: a usage error.
  static func checkSequence(_ sequence: Int?, _ option: String) throws {
    guard let sequence else { return }
    guard (1...HostManifestPredicate.sequenceLimit).contains(sequence) else {
      throw ValidationError("\(option) takes a number from 1 to \(HostManifestPredicate.sequenceLimit).")
    }
  }
}

/// What a file is signed as, if its content is not to decide.
enum SignedKindOption: String, ExpressibleByArgument, CaseIterable {
  /// Raw bytes.
  case file
  /// A module's archive.
  case module

  /// The kind that it is taken for.
  var kind: KindOption { self == .file ? .file : .module }
}
