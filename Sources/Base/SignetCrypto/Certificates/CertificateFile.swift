public import SignetBase
public import SignetSystem

/// Files of certificates or revocation lists: one item in DER, or blocks in PEM (RFC 7468, sections 5 and 6).
enum CertificateFile {
  /// Returns the DER of each block.
  ///
  /// - Throws: `certificate.private-key`, and `malformed` if the file does not have this form.
  static func contents(
    of file: SecretBytes, label: String, limit: Int, malformed: SignetError.Code
  ) throws(SignetError) -> [[UInt8]] {
    let expected = "\(label) blocks in PEM, or one in DER"
    guard PEM.isPresent(in: file) else {
      if let form = KeyForm(der: file), form != .publicKey { throw privateKey(beside: false, label) }
      return [file.withBytes { Array(copying: $0) }]
    }
    let blocks: [PEM]
    do throws(SignetError) {
      blocks = try PEM.blocks(of: file)
    } catch {
      // Only private keys are encrypted in this way.
      if error.code == .keyEncryptionUnsupported { throw privateKey(beside: false, label) }
      throw SignetError(malformed, "file", "is not valid PEM", expected: expected, cause: error)
    }
    if blocks.contains(where: \.isPrivateKey) {
      throw privateKey(beside: blocks.contains { $0.label == label }, label)
    }
    var contents: [[UInt8]] = []
    for block in blocks {
      guard block.label == label else {
        throw SignetError(malformed, "file", "holds something else", expected: expected, found: block.label)
      }
      contents.append(block.content.withBytes { Array(copying: $0) })
    }
    guard contents.count <= limit else {
      throw SignetError(
        malformed, "file", "holds too many", expected: "at most \(limit)", found: "\(contents.count)")
    }
    return contents
  }

  /// - Parameter isBeside: whether the file also has blocks with the expected label.
  private static func privateKey(beside isBeside: Bool, _ label: String) -> SignetError {
    SignetError(
      .certificatePrivateKey, "file",
      isBeside ? "holds a private key beside \(label) blocks" : "holds a private key",
      expected: "\(label) blocks and nothing secret",
      hint: isBeside
        ? "put the \(label) blocks into a file of their own and give that here; the private key stays in another, which "
          + "only its owner can read and --key takes"
        : "give the file that holds the \(label) blocks; the private key stays in another")
  }
}

extension Certificate {
  /// The maximum number of certificates in one file: more than the browsers' root programs have.
  public static let countLimit = 256
  /// The maximum length of a file of certificates, in bytes, for callers that read one; ``all(in:)`` does not check
  /// it.
  public static let fileSizeLimit = 4 << 20

  /// Reads the certificates of a file: one in DER, or `CERTIFICATE` blocks in PEM; text around the blocks is ignored.
  ///
  /// - Parameter file: the bytes, handled as a secret, because people do keep private keys in such files.
  /// - Returns: at least one certificate, in the order of the file.
  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`, `certificate.private-key`,
  ///   `crypto.failure`.
  public static func all(in file: SecretBytes) throws(SignetError) -> [Certificate] {
    let contents = try CertificateFile.contents(
      of: file, label: "CERTIFICATE", limit: countLimit, malformed: .certificateMalformed)
    var certificates: [Certificate] = []
    for der in contents { certificates.append(try Certificate(der: der)) }
    return certificates
  }

  /// The certificate in PEM, as `openssl x509` reads it.
  public var pem: String {
    PEM.encode("CERTIFICATE", SecretBytes(der)).withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
  }
}
