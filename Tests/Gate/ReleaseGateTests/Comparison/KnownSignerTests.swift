import Signet
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate
@testable import SignetCrypto
@testable import SignetVerify

@Suite struct KnownSignerTests {
  /// A signature by a new key, as the verifier would make it.
  private func signature(_ names: [String], by authority: TestAuthority?) throws -> VerifiedSignature {
    let key = try PrivateKey.generate(.p256)
    let predicate = FilePredicate(size: 0, fsverity: try FSVerityDigest(of: []), signedAt: ReleaseWorkshop.time)
    let digest = try Digest.of([], .sha256)
    let path = try authority.map { authority in
      let certificate = try authority.certify(key, names: names)
      return CertificatePath(certificate, [authority.certificate], at: ReleaseWorkshop.time)
    }
    return VerifiedSignature(
      key: key.publicKey, statement: Statement(file: "a", digest: digest, predicate), payloadDigest: digest,
      entries: ["publisher", "backup"], certificatePath: path)
  }

  @Test("a signer with a certificate is known by the names in it, whatever the key")
  func certificates() throws {
    let authority = try TestAuthority()
    for _ in 0..<2 {
      let signer = KnownSigner(try signature(["email:release@example.com"], by: authority))
      #expect(signer.identity == "email:release@example.com")
      #expect(signer.name == "publisher or backup (email:release@example.com)")
    }
    #expect(
      KnownSigner(try signature([], by: authority)).identity.hasPrefix("subject:"))
  }

  @Test("any other signer is known by the key")
  func keys() throws {
    let signature = try signature([], by: nil)
    let signer = KnownSigner(signature)
    #expect(signer.identity == "\(signature.key.id)")
    #expect(signer.name == "publisher or backup (\(signature.key.id))")
  }
}
