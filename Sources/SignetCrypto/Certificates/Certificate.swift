public import SignetBase

/// A certificate (RFC 5280), read strictly, trusted by nobody: only a ``CertificateChainVerifier`` turns one into
/// something to rely on.
///
/// Two certificates are equal when their DER is, byte for byte.
public struct Certificate: Sendable {
  /// The fields stand once, however often the value is copied.
  final class Storage: Sendable {
    let der: [UInt8]
    let fingerprint: Digest
    let fields: CertificateFields
    let handle = CertificateHandle.Place()

    init(_ der: [UInt8]) throws(SignetError) {
      self.der = der
      fields = try CertificateFields(der: der)
      fingerprint = try Digest.of(der, .sha256)
    }
  }

  let storage: Storage
  var fields: CertificateFields { storage.fields }

  /// The longest certificate that is read, in bytes. Real ones have one or two KiB; those with many names ten.
  public static let sizeLimit = 64 << 10

  /// Reads one certificate in DER.
  ///
  /// The encoding and the form of every field are checked, and of every extension that plays a part in validation. What
  /// the fields say is judged by ``CertificateChainVerifier``, so that a certificate can be shown before it is trusted.
  ///
  /// - Parameter der: a Certificate (RFC 5280, section 4.1) and nothing behind it.
  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`, `crypto.failure`.
  public init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else {
      throw SignetError(
        .certificateMalformed, "certificate", "is larger than any certificate",
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

  /// Whom the certificate is about (section 4.1.2.6); may be empty when there are alternative names.
  public var subject: DistinguishedName { fields.subject }

  /// Who made it (section 4.1.2.4), as it says itself.
  public var issuer: DistinguishedName { fields.issuer }

  /// The content of the serial number's INTEGER (section 4.1.2.2): big-endian, two's complement, at least one byte.
  public var serialNumberBytes: [UInt8] { fields.serialNumber }

  /// The serial number in lower-case hexadecimal, two digits a byte, without the zero byte that only keeps it positive,
  /// and with a hyphen in front when it is negative: what `openssl x509 -serial` prints, in lower case.
  public var serialNumber: String { SerialNumber.text(fields.serialNumber) }

  /// The first second at which it is valid.
  public var notBefore: UnixTime { fields.notBefore }

  /// The last second at which it is valid (section 4.1.2.5).
  public var notAfter: UnixTime { fields.notAfter }

  /// The alternative names, in order; none when there is no such extension (section 4.2.1.6).
  public var subjectAlternativeNames: [SubjectAlternativeName] { fields.extensions.subjectAlternativeNames ?? [] }

  /// Whether issuer and subject are the same name, compared as section 7.1 demands. That does not make it self-signed.
  public var isSelfIssued: Bool { fields.issuer.canonical == fields.subject.canonical }

  /// Whether it says that its holder may issue certificates (section 4.2.1.9).
  public var isCA: Bool { fields.extensions.basicConstraints?.isCA ?? false }

  static func malformed(_ part: String) -> SignetError {
    SignetError(
      .certificateMalformed, "certificate", "cannot be read: \(part)",
      expected: "a certificate in DER, as RFC 5280 describes it")
  }
}

extension Certificate: Hashable {
  /// Certificates are equal when their DER is.
  public static func == (left: Certificate, right: Certificate) -> Bool {
    left.storage === right.storage || left.der == right.der
  }

  /// Hashes the fingerprint.
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension Certificate: CustomStringConvertible {
  /// The subject, or the first alternative name where it is empty, and the serial number.
  public var description: String {
    let name = subject.isEmpty ? subjectAlternativeNames.first?.description ?? "" : subject.description
    return "\(name) (serial \(serialNumber))"
  }
}
