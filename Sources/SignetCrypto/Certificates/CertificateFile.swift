/// Files of certificates or revocation lists: one in DER, or blocks in PEM (RFC 7468, sections 5 and 6).
enum CertificateFile {
  /// The DER of each block.
  ///
  /// - Throws: `certificate.private-key`, and `malformed` for anything that is not such a file.
  static func contents(
    of file: SecretBytes, label: String, limit: Int, malformed: SignetError.Code
  ) throws(SignetError) -> [[UInt8]] {
    let expected = "\(label) blocks in PEM, or one in DER"
    guard PEM.isPresent(in: file) else {
      if let form = KeyForm(der: file), form != .publicKey { throw privateKey }
      return [file.withBytes { Array(copying: $0) }]
    }
    let blocks: [PEM]
    do throws(SignetError) {
      blocks = try PEM.blocks(of: file)
    } catch {
      throw SignetError(malformed, "file", "is not proper PEM", expected: expected, cause: error)
    }
    var contents: [[UInt8]] = []
    for block in blocks {
      if block.label.hasSuffix("PRIVATE KEY") { throw privateKey }
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

  private static var privateKey: SignetError {
    SignetError(
      .certificatePrivateKey, "file", "holds a private key", expected: "nothing secret",
      hint: "keep the private key in a file of its own")
  }
}

extension Certificate {
  /// Certificates in one file at most: more than the root programs of the browsers have.
  public static let countLimit = 256
  /// The longest file of certificates that is read, in bytes.
  public static let fileSizeLimit = 4 << 20

  /// Reads the certificates of a file: one in DER, or blocks `CERTIFICATE` in PEM, text around them ignored.
  ///
  /// - Parameter file: the bytes, taken as a secret, since people do keep private keys in such files.
  /// - Returns: at least one, in the order of the file.
  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`, `certificate.private-key`, `crypto.failure`.
  public static func all(in file: SecretBytes) throws(SignetError) -> [Certificate] {
    let contents = try CertificateFile.contents(
      of: file, label: "CERTIFICATE", limit: countLimit, malformed: .certificateMalformed)
    var certificates: [Certificate] = []
    for der in contents { certificates.append(try Certificate(der: der)) }
    return certificates
  }

  /// The PEM text, as `openssl x509` reads it.
  public var pem: String {
    PEM.encode("CERTIFICATE", SecretBytes(der)).withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
  }
}
