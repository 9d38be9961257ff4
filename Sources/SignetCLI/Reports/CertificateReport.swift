internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What a certificate says, name and text of each claim.
struct CertificateReport {
  private let der: [UInt8]

  init(_ der: [UInt8]) { self.der = der }

  /// The claims in the order they are shown; of what is no certificate, why.
  ///
  /// - Parameter prefix: comes before the names: the issuers' certificates have the same ones.
  func claims(_ prefix: String = "") -> [(String, String)] {
    let certificate: Certificate
    do throws(SignetError) {
      certificate = try Certificate(der: der)
    } catch {
      return [(prefix + "certificate", "\(error)")]
    }
    var claims = [
      ("subject", "\(certificate.subject)"), ("issuer", "\(certificate.issuer)"),
      ("serial", certificate.serialNumber), ("valid", "\(certificate.notBefore) to \(certificate.notAfter)"),
    ]
    for name in certificate.subjectAlternativeNames { claims.append(("alternative", "\(name)")) }
    if let key = try? certificate.publicKey() { claims.append(("key", "\(key)")) }
    return claims.map { (prefix + $0.0, $0.1) }
  }
}
