internal import ArgumentParser
internal import Signet

/// What `--host-manifest` and `--sequence` say of a file.
struct HostManifest {
  let identifier: ModuleIdentifier
  /// Nil where a statement that has one is signed.
  let sequence: Int?

  /// Reads the options.
  ///
  /// - Throws: a usage error.
  static func identifier(_ text: String) throws -> ModuleIdentifier {
    guard let identifier = ModuleIdentifier(text) else {
      throw ValidationError("--host-manifest takes a name in lower-case reverse DNS such as com.example.player.")
    }
    return identifier
  }

  /// Makes sure that an option is a sequence.
  ///
  /// - Throws: a usage error.
  static func check(_ sequence: Int?, _ option: String) throws {
    guard let sequence else { return }
    guard (1...HostManifestPredicate.sequenceLimit).contains(sequence) else {
      throw ValidationError("\(option) takes a number from 1 to \(HostManifestPredicate.sequenceLimit).")
    }
  }
}
