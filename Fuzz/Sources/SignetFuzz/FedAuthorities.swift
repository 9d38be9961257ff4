@testable import CertificateAuthority
@testable import SignetBase
@testable import SignetCrypto
@testable import SignetSystem

/// What a small authority reads.
enum FedAuthorities {
  /// Requests, lists of what was issued, and names: what is accepted writes the same again.
  static func feed(_ bytes: [UInt8]) {
    if let request = try? CertificateRequest(file: SecretBytes(bytes)) {
      let again = try? CertificateRequest(file: SecretBytes(request.pem))
      require(again?.der == request.der && again?.names == request.names, "a request changed")
    }
    if let issued = try? IssuedCertificates(json: bytes), let text = try? issued.bytes() {
      let again = try? IssuedCertificates(json: text)
      require(again?.certificates == issued.certificates, "a list changed")
      _ = try? again?.bytes()
    }
    if let text = String(validating: bytes, as: UTF8.self), let subject = try? CertificateSubject(text) {
      require(
        (try? CertificateSubject(subject.name.description))?.name == subject.name, "a name reads as another one")
    }
  }
}
