package import SignetBase
package import SignetCrypto

/// A request for the status of one certificate (OCSPRequest: RFC 6960, section 4.1.1), without a signature or a nonce: an answer
/// that was made before is as good, and most responders have no other.
package struct StatusRequest: Sendable {
  /// The request in DER.
  package let der: [UInt8]

  /// - Throws: `certificate.malformed`, `crypto.failure`.
  package init(about certificate: Certificate, issuedBy issuer: Certificate) throws(SignetError) {
    let id = try CertificateID(certificate, issuedBy: issuer, .sha1)
    der = DERWriter.sequence(DERWriter.sequence(DERWriter.sequence(DERWriter.sequence(id.der))))
  }
}
