internal import Signet
public import SignetBase
public import SignetCrypto
internal import SignetSystem

/// A release policy's file: the policy, and the digest that pins it.
public struct ReleasePolicyFile: Sendable {
  /// The policy.
  public let policy: ReleasePolicy
  /// The SHA-256 of the file.
  public let sha256: Digest

  /// Reads a policy that no other user can have put there.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - allowsTestKeys: only for tests.
  /// - Throws: `file.others-may-write` and other `file.…` codes, and what ``ReleasePolicy/init(json:allowsTestKeys:)``
  ///   throws.
  public init(trusted path: String, allowsTestKeys: Bool = false) throws(SignetError) {
    try self.init(TrustedContent.read(path, limit: JSONLimits.policy.size), path, allowsTestKeys)
  }

  /// Reads a policy whose SHA-256 is known. It does not matter who owns its file or may write it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - pin: the digest that the file must have.
  ///   - allowsTestKeys: only for tests.
  /// - Throws: `policy.pin-mismatch` if it has another digest, `file.…`, and what
  ///   ``ReleasePolicy/init(json:allowsTestKeys:)`` throws.
  public init(_ path: String, pinned pin: Digest, allowsTestKeys: Bool = false) throws(SignetError) {
    let content = try TrustedContent.readPinned(path, limit: JSONLimits.policy.size)
    let found = try Digest.of(content.withBytes { Array(copying: $0) }, .sha256)
    guard found == pin else {
      throw SignetError(
        .policyPinMismatch, path, "does not have the SHA-256 that was given", expected: pin.hex, found: found.hex,
        hint: "get the policy and its digest from its author")
    }
    try self.init(content, path, allowsTestKeys)
  }

  private init(_ content: SecretBytes, _ path: String, _ allowsTestKeys: Bool) throws(SignetError) {
    let text = content.withBytes { Array(copying: $0) }
    sha256 = try Digest.of(text, .sha256)
    do throws(SignetError) {
      policy = try ReleasePolicy(json: text, allowsTestKeys: allowsTestKeys)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }
}
