public import SignetBase
public import SignetCrypto
internal import SignetSystem

// Files that decide about trust are read only if no other user can have put them there. They, and every folder on the
// way, must belong to this user or root and be writable by no one else (docs/threat-model.md).

extension PublicKey {
  /// Reads a public key's file: PEM, DER, or a line of OpenSSH.
  ///
  /// - Throws: `file.others-may-write` and other `file.…` codes, `key.…`, `crypto.failure`.
  public init(trustedFile path: String) throws(SignetError) {
    // The file may turn out to hold the private half.
    try self.init(TrustedContent.read(path, limit: Self.sizeLimit), from: path)
  }

  /// Reads the file of a public key whose ID is known.
  ///
  /// No other key is accepted, so it does not matter who owns the file or may write it.
  ///
  /// - Throws: `key.pin-mismatch` if it is another key, `file.…`, `key.…`, `crypto.failure`.
  public init(file path: String, pinned id: KeyID) throws(SignetError) {
    try self.init(TrustedContent.readPinned(path, limit: Self.sizeLimit), from: path)
    try check(pinned: id, path)
  }

  private init(_ content: SecretBytes, from path: String) throws(SignetError) {
    do throws(SignetError) { try self.init(file: content) } catch { throw error.about(path) }
  }

  /// Checks that this is the key with the given ID.
  ///
  /// - Throws: `key.pin-mismatch`.
  package func check(pinned id: KeyID, _ object: String) throws(SignetError) {
    guard self.id != id else { return }
    throw SignetError(
      .keyPinMismatch, object, "does not have the key ID that was given", expected: "\(id)",
      found: "\(self.id)", hint: "ask the publisher which key is right, through a channel you trust")
  }
}

extension Certificate {
  /// The maximum size of a file of certificates: a hundred certificates of 2 KiB.
  private static let fileLimit = 256 << 10

  /// Reads a file of certificates: one in DER, or any number in PEM.
  ///
  /// - Throws: `file.others-may-write` and other `file.…` codes, `certificate.…`, `crypto.failure`; `file.too-large`
  ///   above 256 KiB.
  public static func all(inTrustedFile path: String) throws(SignetError) -> [Certificate] {
    let content = try TrustedContent.read(path, limit: fileLimit)
    do throws(SignetError) { return try all(in: content) } catch { throw error.about(path) }
  }
}

extension TrustPolicy {
  /// Reads a trust policy's file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - allowsTestKeys: only for tests.
  ///   - parts: what it may have besides entries with keys and certificates.
  /// - Throws: `file.others-may-write` and other `file.…` codes, and what ``init(json:allowsTestKeys:with:)`` throws.
  public init(
    trustedFile path: String, allowsTestKeys: Bool = false, with parts: [PolicyPart] = []
  ) throws(SignetError) {
    let content = try TrustedContent.read(path, limit: JSONLimits.policy.size)
    try self.init(content, from: path, allowsTestKeys, parts)
  }

  /// Reads the file of a trust policy whose SHA-256 is known.
  ///
  /// No other text is accepted, so it does not matter who owns the file or may write it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - sha256: the digest that the file must have.
  ///   - allowsTestKeys: only for tests.
  ///   - parts: what it may have besides entries with keys and certificates.
  /// - Throws: `policy.pin-mismatch` if it has another digest, `file.…`, `crypto.failure`, and what
  ///   ``init(json:allowsTestKeys:with:)`` throws.
  public init(
    file path: String, pinned sha256: Digest, allowsTestKeys: Bool = false, with parts: [PolicyPart] = []
  ) throws(SignetError) {
    let content = try TrustedContent.readPinned(path, limit: JSONLimits.policy.size)
    let found = try Digest.of(content.withBytes { Array(copying: $0) }, .sha256)
    guard found == sha256 else {
      throw SignetError(
        .policyPinMismatch, path, "does not have the SHA-256 that was given",
        expected: sha256.hex, found: found.hex, hint: "get the policy and its digest from its author")
    }
    try self.init(content, from: path, allowsTestKeys, parts)
  }

  private init(
    _ content: SecretBytes, from path: String, _ allowsTestKeys: Bool, _ parts: [PolicyPart]
  ) throws(SignetError) {
    do throws(SignetError) {
      try self.init(json: content.withBytes { Array(copying: $0) }, allowsTestKeys: allowsTestKeys, with: parts)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }
}
