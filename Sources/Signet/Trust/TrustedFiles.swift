public import SignetCrypto

// Files that decide whom to trust are read only where nobody else can have put them: they and every folder on the way
// must belong to this user or root, and be writable by nobody else (docs/threat-model.md).

extension PublicKey {
  /// Reads a public key's file, PEM or DER.
  ///
  /// - Throws: `file.others-may-write`, what opening a ``RegularFile`` throws, `key.…`.
  public init(trustedFile path: String) throws(SignetError) {
    // It may turn out to be the private half.
    let content = try TrustedPath.open(path, isSecret: false).secretBytes(limit: Self.sizeLimit)
    do throws(SignetError) { try self.init(file: content) } catch { throw error.about(path) }
  }
}

extension Certificate {
  /// Certificates of 2 KiB, a hundred of them.
  private static let fileLimit = 256 << 10

  /// Reads a file of certificates: one in DER, or any number in PEM.
  ///
  /// - Throws: `file.others-may-write`, what opening a ``RegularFile`` throws, `certificate.…`.
  public static func all(inTrustedFile path: String) throws(SignetError) -> [Certificate] {
    let content = try TrustedPath.open(path, isSecret: false).secretBytes(limit: fileLimit)
    do throws(SignetError) { return try all(in: content) } catch { throw error.about(path) }
  }
}

extension TrustPolicy {
  /// Reads a trust policy's file.
  ///
  /// - Parameter allowsTestKeys: only for tests.
  /// - Throws: `file.others-may-write`, what opening a ``RegularFile`` throws, and what
  ///   ``init(json:allowsTestKeys:)`` throws.
  public init(trustedFile path: String, allowsTestKeys: Bool = false) throws(SignetError) {
    let text = try TrustedPath.open(path, isSecret: false).bytes(limit: JSONLimits.policy.size)
    do throws(SignetError) {
      try self.init(json: text, allowsTestKeys: allowsTestKeys)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }
}
