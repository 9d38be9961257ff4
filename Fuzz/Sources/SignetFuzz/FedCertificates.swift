import SignetBase
import SignetCrypto
import SignetSystem

/// Certificates and revocation lists that the fuzzer makes up.
enum FedCertificates {
  private static let time = UnixTime(seconds: 1_795_219_200)

  /// What is read keeps its bytes; what is validated is anchored.
  static func feed(_ bytes: [UInt8]) {
    feedReaders(bytes)
    let file = SecretBytes(bytes)
    guard let certificates = try? Certificate.all(in: file), let leaf = certificates.first else { return }
    let anchors = certificates.last.map { [$0] } ?? []
    validate(leaf, anchors, certificates)
    validate(leaf, [], certificates)
    // Everybody may have issued everybody.
    validate(leaf, Array(certificates.suffix(2)), certificates.reversed())
  }

  private static func feedReaders(_ bytes: [UInt8]) {
    if let certificate = try? Certificate(der: bytes) {
      require(certificate.der == bytes, "two texts for one certificate")
      let pem = SecretBytes(Array(certificate.pem.utf8))
      require((try? Certificate.all(in: pem)) == [certificate], "a certificate changed")
      _ = try? certificate.publicKey()
      _ = "\(certificate) \(certificate.issuer) \(certificate.subjectAlternativeNames)"
    }
    for list in (try? RevocationList.all(in: SecretBytes(bytes))) ?? [] {
      require(list.thisUpdate <= list.nextUpdate, "a list that ends before it begins")
    }
  }

  private static func validate(_ leaf: Certificate, _ anchors: [Certificate], _ others: [Certificate]) {
    let verifier = CertificateChainVerifier(anchors: anchors, intermediates: others, revocationLists: [])
    do throws(SignetError) {
      let path = try verifier.verify(leaf, at: time)
      require(path.leaf == leaf && anchors.contains(path.anchor), "a path that is not anchored")
    } catch {
      require(error.code.rawValue != "crypto.failure", "could not check: \(error)")
    }
  }
}
