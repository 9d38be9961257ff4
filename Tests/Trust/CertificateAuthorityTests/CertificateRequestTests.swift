import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import SignetVerify
import TestSupport
import Testing

@testable import CertificateAuthority

@Suite("requests for certificates") struct CertificateRequestTests {
  private let names = [SignerIdentity(.email, "a@example.com"), SignerIdentity(.uri, "https://example.com/a")]

  private func request(_ kind: PrivateKey.Kind = .ed25519) throws -> CertificateRequest {
    try CertificateRequest(CertificateSubject("CN=A,O=B,C=CH"), names, by: .generate(kind))
  }

  @Test(
    "a request has the name, the other names and the key, by keys of every kind", arguments: PrivateKey.Kind.allCases)
  func honest(kind: PrivateKey.Kind) throws {
    let made = try request(kind)
    let read = try CertificateRequest(file: SecretBytes(made.pem))
    #expect(read.subject.description == "CN=A,O=B,C=CH" && read.names == names && read.publicKey == made.publicKey)
    #expect(try CertificateRequest(file: SecretBytes(made.der)).publicKey == made.publicKey)
    #expect(
      try CertificateRequest(CertificateSubject("A"), [], by: .generate(kind)).names.isEmpty)
  }

  @Test("no change of one bit is accepted")
  func bits() throws {
    let made = try request(.p256)
    for place in 0..<made.der.count * 8 {
      var changed = made.der
      changed[place / 8] ^= UInt8(1 << (place % 8))
      #expect(throws: SignetError.self, "\(place)") { _ = try CertificateRequest(der: changed) }
    }
    for count in 0..<made.der.count {
      #expect(throws: SignetError.self, "\(count)") { _ = try CertificateRequest(der: Array(made.der.prefix(count))) }
    }
    expectError(.authorityRequest) { _ = try CertificateRequest(der: made.der + [0]) }
  }

  @Test(
    "openssl reads our requests, and we read openssl's",
    .enabled(if: Program.find("openssl") != nil, "needs openssl"),
    arguments: [
      "-algorithm ed25519", "-algorithm EC -pkeyopt ec_paramgen_curve:P-256",
      "-algorithm EC -pkeyopt ec_paramgen_curve:P-384", "-algorithm RSA -pkeyopt rsa_keygen_bits:3072",
    ])
  func openSSL(key: String) throws {
    let folder = try TemporaryFolder()
    let made = try request()
    try folder.write("ours", made.pem)
    let verified = try Shell.run("openssl req -in ours -noout -verify -text 2>&1", in: folder.path)
    for text in ["verify OK", "email:a@example.com", "URI:https://example.com/a", "CN = A"] {
      #expect(verified.output.contains(text), "\(verified.output)")
    }
    try folder.write(
      "cnf", Array("[req]\ndistinguished_name=dn\nattributes=at\n[dn]\n[at]\nchallengePassword=x\n".utf8))
    let theirs = try Shell.run(
      """
      openssl genpkey \(key) -out key 2> /dev/null && openssl req -new -config cnf -key key \
      -subj /C=CH/O=B/CN=A -addext subjectAltName=email:a@example.com,URI:https://example.com/a \
      -addext keyUsage=critical,keyCertSign -out theirs
      """, in: folder.path)
    #expect(theirs.status == 0, "\(theirs.errors)")
    let read = try CertificateRequest(file: SecretBytes(folder.read("theirs")))
    // What else it asks for is not taken.
    #expect(read.subject.description == "CN=A,O=B,C=CH" && read.names == names)
  }

  @Test(
    "names of other kinds are counted, and a mark of an encoding in front is no part of a request",
    .enabled(if: Program.find("openssl") != nil, "needs openssl"))
  func others() throws {
    let folder = try TemporaryFolder()
    try folder.write("cnf", Array("[req]\ndistinguished_name=dn\n[dn]\n".utf8))
    let made = try Shell.run(
      """
      openssl req -new -config cnf -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -subj /CN=A \
      -addext subjectAltName=IP:10.0.0.1,email:a@example.com,dirName:dn -out csr 2> /dev/null
      """, in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let text = try folder.read("csr")
    for content in [text, [0xef, 0xbb, 0xbf] + text] {
      let read = try CertificateRequest(file: SecretBytes(content))
      #expect(read.names == [SignerIdentity(.email, "a@example.com")] && read.unusableNames == 2)
    }
  }

  @Test("a name that no policy can trust is refused, and so are other things than requests")
  func refused() throws {
    expectError(.authorityName) {
      _ = try CertificateRequest(CertificateSubject("A"), [SignerIdentity(.email, "a b")], by: .generate(.p256))
    }
    for text in ["", "x", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"] {
      expectError(.authorityRequest, "\(text)") { _ = try CertificateRequest(file: SecretBytes(Array(text.utf8))) }
    }
    expectError(.authorityRequest) { _ = try CertificateRequest(der: [UInt8](repeating: 0x30, count: 70_000)) }
  }
}
