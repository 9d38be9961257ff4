package import SignetBase
package import SignetCrypto
package import SignetKeys
package import SignetSystem
package import SignetVerify

/// A request for a certificate (PKCS#10: RFC 2986): a name, a key, and a signature by that key.
///
/// Of what a request asks for, the authority takes the name, the other names, and nothing else.
package struct CertificateRequest: Sendable {
  /// The subject as it was asked for.
  package let subject: DistinguishedName
  package let publicKey: PublicKey
  /// The other names that were asked for.
  package let names: [SignerIdentity]
  /// How many names of other kinds were asked for, which no policy can trust, such as addresses of machines.
  package let unusableNames: Int
  /// The request in DER.
  package let der: [UInt8]

  private static let sizeLimit = 64 << 10
  private static let label = "CERTIFICATE REQUEST"

  /// Makes a request.
  ///
  /// - Throws: `authority.name`, `authority.key`, `crypto.failure`.
  package init(_ subject: CertificateSubject, _ names: [SignerIdentity], by key: PrivateKey) throws(SignetError) {
    // The same rules as for the certificate, which begins and ends with the request's own time here.
    _ = try CertificateTemplate(
      subject, key.publicKey, .signer(names), from: UnixTime(seconds: 0), until: UnixTime(seconds: 1))
    var extensions = [CertificateExtension.basicConstraints(isCA: false), .keyUsage(isCA: false), .codeSigning]
    if !names.isEmpty { extensions.append(.alternativeNames(names, isAlone: subject.name.isEmpty)) }
    // extensionRequest (RFC 2985, section 5.4.2): what an authority copies from it makes a signer's certificate.
    let attributes = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, OID.pkcs(9, 14).content),
      DERWriter.element(DERElement.set, DERWriter.element(DERElement.sequence, extensions.flatMap(\.der))))
    let body = DERWriter.sequence(
      DERWriter.element(DERElement.integer, [0]), subject.name.der, key.publicKey.der,
      DERWriter.element(DERElement.constructed(0), attributes))
    try self.init(der: CertificateSigning.sign(body, by: key))
  }

  /// Reads a file with a request, in PEM or DER.
  ///
  /// - Throws: `authority.request`, `key.…`, `crypto.failure`.
  package init(file content: SecretBytes) throws(SignetError) {
    // Editors of Windows begin a text with a mark of its encoding.
    let bytes = content.withBytes { Array(copying: $0) }
    guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
      try self.init(file: SecretBytes(Array(bytes.dropFirst(3))))
      return
    }
    guard PEM.isPresent(in: content) else {
      try self.init(der: content.withBytes { Array(copying: $0) })
      return
    }
    let blocks = try PEM.blocks(of: content)
    // Microsoft's programs write the label with NEW before it (RFC 7468, section 7).
    guard blocks.count == 1, [Self.label, "NEW \(Self.label)"].contains(blocks[0].label) else {
      throw Self.malformed("is not one request in PEM")
    }
    try self.init(der: blocks[0].content.withBytes { Array(copying: $0) })
  }

  /// Reads a request, and verifies that its key has signed it.
  ///
  /// - Throws: `authority.request`, `key.…`, `crypto.failure`.
  package init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else { throw Self.malformed("is too long") }
    var outer = DERReader(der)
    guard var fields = outer.sequence(), outer.isAtEnd, let body = fields.encoded(DERElement.sequence),
      let algorithm = fields.encoded(DERElement.sequence), let signature = fields.bitString(), fields.isAtEnd
    else { throw Self.malformed("is not a body, an algorithm and a signature") }
    var reader = DERReader(body)
    guard var info = reader.sequence(), info.unsignedInteger(atMost: 0) == 0,
      let name = info.encoded(DERElement.sequence).flatMap({ DistinguishedName(der: $0) }),
      let key = info.encoded(DERElement.sequence)
    else { throw Self.malformed("has a damaged version, name or key") }
    self.der = der
    subject = name
    publicKey = try PublicKey(der: key)
    let found = try Self.names(&info)
    names = found.compactMap(\.self)
    unusableNames = found.count { $0 == nil }
    guard info.isAtEnd else { throw Self.malformed("has a field that is not known") }
    try Self.check(signature, over: body, algorithm, publicKey)
  }

  private static func check(
    _ signature: [UInt8], over body: [UInt8], _ algorithm: [UInt8], _ key: PublicKey
  ) throws(SignetError) {
    guard let named = CertificateSignatureAlgorithm(der: algorithm) else {
      throw malformed("has a damaged algorithm")
    }
    guard try key.handle.verifies(signature, over: body, named.scheme) else {
      throw SignetError(
        .authorityRequest, "request", "is not signed by the key in it", expected: "a signature by \(key.id)",
        hint: "ask the holder of the key for a new request")
    }
  }

  /// The alternative names among the attributes. Other attributes and extensions are left out: the authority decides.
  ///
  /// - Returns: nil for a name of a kind that no policy can trust.
  private static func names(_ info: inout DERReader) throws(SignetError) -> [SignerIdentity?] {
    guard info.nextTag == DERElement.constructed(0) else { return [] }
    guard var attributes = info.element(DERElement.constructed(0)) else { throw malformed("has damaged attributes") }
    var names: [SignerIdentity?] = []
    while !attributes.isAtEnd {
      guard var attribute = attributes.sequence(), let type = attribute.oid(),
        var values = attribute.element(DERElement.set), attribute.isAtEnd
      else { throw malformed("has a damaged attribute") }
      guard type == .pkcs(9, 14) else { continue }
      guard let extensions = values.extensionList(), values.isAtEnd else {
        throw malformed("has damaged extensions")
      }
      for each in extensions { names += try alternativeNames(each) }
    }
    return names
  }

  private static func alternativeNames(_ der: [UInt8]) throws(SignetError) -> [SignerIdentity?] {
    var outer = DERReader(der)
    guard var item = outer.sequence(), let name = item.oid() else { throw malformed("has a damaged extension") }
    if item.nextTag == DERElement.boolean, item.boolean() == nil { throw malformed("has a damaged extension") }
    guard let value = item.octetString(), item.isAtEnd else { throw malformed("has a damaged extension") }
    guard name == .directory(29, 17) else { return [] }
    var content = DERReader(value)
    guard var list = content.sequence(), content.isAtEnd else { throw malformed("has damaged names") }
    var names: [SignerIdentity?] = []
    while !list.isAtEnd {
      guard names.count < 32, let (tag, text) = list.element() else { throw malformed("has damaged names") }
      let kinds: [UInt8: SignerIdentity.Kind] = [
        DERElement.primitive(1): .email, DERElement.primitive(2): .dns, DERElement.primitive(6): .uri,
      ]
      names.append(kinds[tag].map { SignerIdentity($0, String(decoding: text.rest, as: UTF8.self)) })
    }
    return names
  }

  /// The request in PEM.
  package var pem: [UInt8] { PEM.encode(Self.label, SecretBytes(der)).withBytes { Array(copying: $0) } }

  private static func malformed(_ what: String) -> SignetError {
    SignetError(
      .authorityRequest, "request", what, expected: "a request of PKCS#10 (RFC 2986)",
      hint: "make one: signet cert request --key KEY --subject NAME --out REQUEST")
  }
}
