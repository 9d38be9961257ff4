public import SignetBase

/// A certificate (RFC 5280), read strictly but not trusted: only a ``CertificateChainVerifier`` can establish trust
/// in it.
///
/// Two certificates are equal if their DER is the same, byte for byte.
public struct Certificate: Sendable {
  /// The fields are stored once, however often the value is copied.
  final class Storage: Sendable {
    let der: [UInt8]
    let fingerprint: Digest
    let fields: CertificateFields
    let handle = CertificateHandle.Place()
    let acceptedPath = AcceptedPath.Place()

    init(_ der: [UInt8]) throws(SignetError) {
      self.der = der
      fields = try CertificateFields(der: der)
      fingerprint = try Digest.of(der, .sha256)
    }
  }

  let storage: Storage
  var fields: CertificateFields { storage.fields }

  /// The maximum length of a certificate in bytes. Real ones have one or two KiB, and those with many names have ten.
  public static let sizeLimit = 64 << 10

  /// Reads one certificate in DER.
  ///
  /// The encoding and form of every field are checked, and of every extension that matters for validation.
  /// ``CertificateChainVerifier`` judges the values of the fields, so that a certificate can be shown before it is
  /// trusted.
  ///
  /// - Parameter der: a Certificate (RFC 5280, section 4.1) and nothing after it.
  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`, `crypto.failure`.
  public init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else {
      throw SignetError(
        .certificateMalformed, "certificate", "is larger than a certificate may be",
        expected: "at most \(Self.sizeLimit) bytes", found: "\(der.count)")
    }
    storage = try Storage(der)
  }

  /// The whole certificate in DER.
  public var der: [UInt8] { storage.der }

  /// SHA-256 over the DER, as `openssl x509 -fingerprint -sha256` computes it.
  public var fingerprint: Digest { storage.fingerprint }

  /// The holder's public key.
  ///
  /// - Throws: `key.malformed`, `key.unsupported`, `key.insecure`, `crypto.failure`.
  public func publicKey() throws(SignetError) -> PublicKey { try PublicKey(der: fields.publicKey) }

  /// The name of the certificate's holder (section 4.1.2.6); it may be empty if there are alternative names.
  public var subject: DistinguishedName { fields.subject }

  /// The name of the issuer (section 4.1.2.4), as stated in the certificate.
  public var issuer: DistinguishedName { fields.issuer }

  /// The content of the serial number's INTEGER (section 4.1.2.2): big-endian, two's complement, at least one byte.
  public var serialNumberBytes: [UInt8] { fields.serialNumber }

  /// The serial number in lower-case hexadecimal, with two digits a byte: what `openssl x509 -serial` prints, in
  /// lower case.
  ///
  /// The zero byte that only keeps the number positive is left out. A negative number has a hyphen in front.
  public var serialNumber: String { SerialNumber.text(fields.serialNumber) }

  /// The first second at which the certificate is valid.
  public var notBefore: UnixTime { fields.notBefore }

  /// The last second at which the certificate is valid (section 4.1.2.5).
  public var notAfter: UnixTime { fields.notAfter }

  /// The alternative names, in order; empty if there is no such extension (section 4.2.1.6).
  public var subjectAlternativeNames: [SubjectAlternativeName] { fields.extensions.subjectAlternativeNames ?? [] }

  /// Whether issuer and subject are the same name, compared as section 7.1 requires.
  ///
  /// A self-issued certificate is not necessarily self-signed.
  public var isSelfIssued: Bool { fields.issuer.canonical == fields.subject.canonical }

  /// The SubjectPublicKeyInfo of the holder, as it stands in the certificate.
  package var publicKeyInfo: [UInt8] { fields.publicKey }

  /// The subject key identifier (RFC 5280, section 4.2.1.2); nil if there is none.
  package var subjectKeyIdentifier: [UInt8]? { fields.extensions.subjectKeyIdentifier }

  /// The extensions that it has, by name.
  package var extensionNames: [OID] { fields.extensions.names }

  /// What its key is limited to (section 4.2.1.12); nil if it is not.
  package var extendedKeyUsage: [OID]? { fields.extensions.extendedKeyUsage }

  /// Whether its key may sign what is no certificate and no list (section 4.2.1.3).
  package var hasDigitalSignature: Bool { fields.extensions.keyUsage?.hasDigitalSignature ?? true }

  /// Whether the certificate states that its holder may issue certificates (section 4.2.1.9).
  public var isCA: Bool { fields.extensions.basicConstraints?.isCA ?? false }

  static func malformed(_ part: String) -> SignetError {
    SignetError(
      .certificateMalformed, "certificate", "cannot be read: \(part)",
      expected: "a certificate in DER, as RFC 5280 describes it",
      hint: "get the certificate again from its issuer")
  }
}

extension Certificate: Hashable {
  /// Certificates are equal if their DER is equal.
  public static func == (left: Certificate, right: Certificate) -> Bool {
    left.storage === right.storage || left.der == right.der
  }

  /// Hashes the fingerprint.
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension Certificate: CustomStringConvertible {
  /// The name of the holder, for people: the subject, or the first alternative name if the subject is empty.
  ///
  /// Keyless signing services issue certificates without a subject.
  public var name: String {
    if !subject.isEmpty { return subject.description }
    return subjectAlternativeNames.first?.description ?? "a holder without a name"
  }

  /// The name, and the serial number.
  public var description: String { "\(name) (serial \(serialNumber))" }
}

/// The fields of a certificate (RFC 5280, section 4.1): each is read strictly, none is judged.
struct CertificateFields: Sendable {
  /// The version, from 1 to 3.
  let version: Int
  /// The content of the INTEGER, in two's complement.
  let serialNumber: [UInt8]
  /// The algorithm identifier inside the signed part.
  let signedAlgorithm: [UInt8]
  /// The algorithm identifier beside the signature, which should be the same.
  let signatureAlgorithm: CertificateSignatureAlgorithm
  let issuer: DistinguishedName
  let notBefore: UnixTime
  let notAfter: UnixTime
  let subject: DistinguishedName
  /// The SubjectPublicKeyInfo in DER, not parsed.
  let publicKey: [UInt8]
  /// Whether issuer or subject has a unique identifier.
  let hasUniqueIdentifiers: Bool
  let extensions: CertificateExtensions

  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var certificate = outer.sequence(), outer.isAtEnd, var body = certificate.sequence() else {
      throw Certificate.malformed("it is not a sequence of fields, an algorithm and a signature")
    }
    guard let outside = certificate.encoded(DERElement.sequence),
      let algorithm = CertificateSignatureAlgorithm(der: outside), certificate.bitString() != nil, certificate.isAtEnd
    else { throw Certificate.malformed("its signature, or the algorithm beside it, is damaged") }
    signatureAlgorithm = algorithm

    guard let version = Self.version(&body) else {
      throw Certificate.malformed("its version is neither 1 nor 2 nor 3")
    }
    self.version = version
    guard let serial = body.integer() else { throw Certificate.malformed("its serial number is not a number") }
    serialNumber = serial
    guard let inside = body.encoded(DERElement.sequence), CertificateSignatureAlgorithm(der: inside) != nil else {
      throw Certificate.malformed("the algorithm among its fields is damaged")
    }
    signedAlgorithm = inside
    issuer = try Self.name(&body, "issuer")
    guard var validity = body.sequence(), let notBefore = validity.time(), let notAfter = validity.time(),
      validity.isAtEnd
    else { throw Certificate.malformed("its validity is not two times") }
    self.notBefore = notBefore
    self.notAfter = notAfter
    subject = try Self.name(&body, "subject")
    guard let key = body.encoded(DERElement.sequence) else {
      throw Certificate.malformed("its public key is damaged")
    }
    publicKey = key
    hasUniqueIdentifiers = try Self.uniqueIdentifiers(&body, version)
    extensions = try Self.extensions(&body, version)
    guard body.isAtEnd else { throw Certificate.malformed("it has bytes after its last field") }
  }

  /// The field is DEFAULT v1, so version 1 is not encoded.
  private static func version(_ body: inout DERReader) -> Int? {
    guard body.nextTag == DERElement.constructed(0) else { return 1 }
    guard var content = body.element(DERElement.constructed(0)), let number = content.unsignedInteger(atMost: 2),
      number > 0, content.isAtEnd
    else { return nil }
    return number + 1
  }

  private static func name(_ body: inout DERReader, _ field: String) throws(SignetError) -> DistinguishedName {
    guard let der = body.encoded(DERElement.sequence), let name = DistinguishedName(der: der) else {
      throw Certificate.malformed("its \(field) is not a name")
    }
    return name
  }

  private static func uniqueIdentifiers(_ body: inout DERReader, _ version: Int) throws(SignetError) -> Bool {
    var isPresent = false
    for number in UInt8(1)...2 where body.nextTag == DERElement.primitive(number) {
      guard version > 1, body.element(DERElement.primitive(number))?.isAtEnd == false else {
        throw Certificate.malformed("it has a unique identifier that its version does not have, or a damaged one")
      }
      isPresent = true
    }
    return isPresent
  }

  private static func extensions(
    _ body: inout DERReader, _ version: Int
  ) throws(SignetError) -> CertificateExtensions {
    guard body.nextTag == DERElement.constructed(3) else { return CertificateExtensions() }
    guard version == 3, var wrapped = body.element(DERElement.constructed(3)), let list = wrapped.sequence(),
      wrapped.isAtEnd
    else {
      throw Certificate.malformed(
        version == 3 ? "its extensions are damaged" : "it has extensions, and a version without them")
    }
    return try CertificateExtensions(list)
  }
}
