internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetKeys
internal import SignetSystem

/// The folder of an authority: its certificate, its key, and what it has issued.
struct AuthorityFolder {
  let path: String

  private static let certificate = "ca.pem"
  private static let key = "ca.key"
  /// The certificates above an authority that another one has certified.
  private static let chain = "chain.pem"
  private static let issued = "issued.json"
  private static let list = "crl.pem"

  /// The path of a file in the folder.
  private func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The authority's certificate, for those who trust it.
  var certificate: String { file(Self.certificate) }
  /// The newest revocation list.
  var list: String { file(Self.list) }

  /// Makes the folder of a new authority, whole or not at all.
  ///
  /// - Parameter key: the text of the key, encrypted or not.
  /// - Throws: `output.…`.
  func make(_ authority: Authority, _ key: SecretBytes) throws(SignetError) {
    var files = [(Self.certificate, Self.pem([authority.certificate])), (Self.issued, try authority.issued.bytes())]
    if !authority.issuers.isEmpty { files.append((Self.chain, Self.pem(authority.issuers))) }
    try Interruption.held { () throws(SignetError) in
      try NewDirectory.write(files.map { (path: $0.0, bytes: $0.1) }, secret: (Self.key, key), to: path)
    }
  }

  /// Keeps other runs from changing what was issued, as long as the lock lives.
  ///
  /// - Throws: `file.missing` if there is no authority; `file.locked`, `output.failed`.
  func lock() throws(SignetError) -> ChangeLock {
    // A folder that is missing has no place for a lock, and what is missing is the authority.
    _ = try own()
    return try ChangeLock(beside: file(Self.issued))
  }

  /// The authority's certificate.
  private func own() throws(SignetError) -> Certificate {
    do throws(SignetError) {
      return try Certificate.all(inTrustedFile: certificate)[0]
    } catch  where error.code == .fileMissing {
      var error = error
      error.hint = "make an authority first: signet cert init-ca \(path.shellWord) --subject NAME"
      throw error
    }
  }

  /// Reads the authority.
  ///
  /// - Throws: `file.…`, `certificate.…`, `authority.list`.
  func read() throws(SignetError) -> Authority {
    let own = try own()
    let above =
      (try? FileStatus(ofLink: file(Self.chain))) == nil ? [] : try Certificate.all(inTrustedFile: file(Self.chain))
    let content = try TrustedContent.read(file(Self.issued), limit: IssuedCertificates.sizeLimit)
    do throws(SignetError) {
      let issued = try IssuedCertificates(json: content.withBytes { Array(copying: $0) })
      return Authority(own, below: above, issued)
    } catch {
      throw error.about(file(Self.issued))
    }
  }

  /// The authority's key.
  ///
  /// - Throws: `key.…`, `passphrase.…`, `file.…`.
  func privateKey(_ passphrase: PassphraseOptions) throws(SignetError) -> PrivateKey {
    try KeySource(place: .file(file(Self.key)), passphrase: passphrase).privateKey(allowsTestKeys: false)
  }

  /// Writes what was issued, before anybody gets a certificate of it: what is not in the list cannot be revoked.
  ///
  /// - Throws: `output.…`.
  func keep(_ authority: Authority) throws(SignetError) {
    let bytes = try authority.issued.bytes()
    try Interruption.held { () throws(SignetError) in
      try OutputFile.write(bytes, to: file(Self.issued), .replace(unless: []))
    }
  }

  /// Writes a revocation list.
  ///
  /// - Parameter path: where; nil for its place in the folder.
  func write(_ list: RevocationList, to path: String?) throws(SignetError) {
    let place = path ?? self.list
    // Only a list is replaced by a list: a key or the authority's own files are lost for good.
    if (try? FileStatus(ofLink: place)) != nil,
      (try? RevocationList.all(in: TrustedContent.readPinned(place, limit: 2 * RevocationList.sizeLimit))) == nil
    {
      throw SignetError(
        .outputExists, place, "is there, and is no revocation list", expected: "a list that may be replaced",
        hint: "choose another name: --out PATH")
    }
    let text = PEM.encode("X509 CRL", SecretBytes(list.der)).withBytes { Array(copying: $0) }
    try OutputFile.write(text, to: place, .replace(unless: []))
  }

  /// The certificates that go with a signer's, without the root, which every verifier has.
  static func chain(below authority: Authority) -> [Certificate] {
    ([authority.certificate] + authority.issuers).filter { !$0.isSelfIssued }
  }

  /// Certificates in PEM.
  static func pem(_ certificates: [Certificate]) -> [UInt8] {
    certificates.flatMap { PEM.encode("CERTIFICATE", SecretBytes($0.der)).withBytes { Array(copying: $0) } }
  }
}
