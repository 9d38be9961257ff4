public import SignetBase
internal import SignetCrypto

/// The path of a target, as delegations are asked for it.
public struct TargetPath: Sendable {
  /// The path.
  public let text: String
  /// The path's components, character by character.
  let components: [[Unicode.Scalar]]
  /// SHA-256 of the path (specification, section 4.5, `path_hash_prefixes`).
  let digest: [UInt8]
  /// The digest in lower-case hexadecimal.
  let hex: [UInt8]

  /// Creates the path of a target.
  ///
  /// - Throws: `crypto.failure`.
  public init(_ text: String) throws(SignetError) {
    self.text = text
    components = TargetPattern.components(text)
    let sum = try Digest.of(Array(text.utf8), .sha256)
    digest = sum.bytes
    hex = Array(sum.hex.utf8)
  }

  /// Checks that the path leads to a place below the folder of targets.
  ///
  /// - Throws: `tuf.target-name` for an empty path, a component `.` or `..`, and NUL.
  func checkSafe() throws(SignetError) {
    let isSafe = !components.contains {
      $0.elementsEqual(".".unicodeScalars) || $0.elementsEqual("..".unicodeScalars)
    }
    guard isSafe, !text.isEmpty, !text.utf8.contains(0) else {
      throw SignetError(
        .tufTargetName, text.display, "is not the path of a target",
        expected: "a path without the components . and ..")
    }
  }
}
