import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

@Suite struct CertificateTests {
  static func vector(_ name: String, _ file: String = "leaf.pem") throws -> Certificate {
    try #require(
      try Certificate.all(in: SecretBytes(Vector.named(name, in: "chains").bytes(file))).first)
  }

  static func openssl(_ arguments: [String], input: [UInt8]) throws -> String {
    let program = try #require(Program.find("openssl"), "make test installs openssl")
    return try Program.run(program, arguments, input: input).output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    "what is read is what openssl prints",
    arguments: ["verified", "verified-rsa", "verified-p256", "verified-serial-20", "serial-negative", "serial-zero"])
  func fields(name: String) throws {
    let certificate = try Self.vector(name)
    func printed(_ option: String...) throws -> String {
      try Self.openssl(["x509", "-noout", "-inform", "DER"] + option, input: certificate.der)
    }
    #expect(try printed("-serial") == "serial=\(certificate.serialNumber.uppercased())")
    #expect(try printed("-subject", "-nameopt", "RFC2253") == "subject=\(certificate.subject)")
    #expect(try printed("-issuer", "-nameopt", "RFC2253") == "issuer=\(certificate.issuer)")
    let fingerprint = try printed("-fingerprint", "-sha256").split(separator: "=")[1].replacing(":", with: "")
    #expect(fingerprint.lowercased() == certificate.fingerprint.hex)
    #expect(try printed("-pubkey") + "\n" == certificate.publicKey().pem)
    #expect(try printed().isEmpty)
    let begin = try printed("-startdate", "-dateopt", "iso_8601").split(separator: "=")[1].replacing(" ", with: "T")
    #expect(begin == "\(certificate.notBefore)")
  }

  @Test("equal means the same bytes, and PEM keeps them")
  func equality() throws {
    let one = try Self.vector("verified")
    #expect(one == (try Certificate(der: one.der)))
    #expect(one != (try Self.vector("verified-direct")))
    #expect(try Certificate.all(in: SecretBytes(one.der)) == [one])
    #expect(try Certificate.all(in: SecretBytes(Array((one.pem + "text\n" + one.pem).utf8))) == [one, one])
    #expect(one.isCA == false && one.isSelfIssued == false)
    let root = try Self.vector("verified", "anchors.pem")
    #expect(root.isCA && root.isSelfIssued)
  }

  @Test("names give their attributes exactly, and text that can be told apart")
  func names() throws {
    func attribute(_ type: [UInt8], _ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
      DERWriter.element(
        DERElement.set,
        DERWriter.sequence(
          DERWriter.element(DERElement.objectIdentifier, type), DERWriter.element(tag, value)))
    }
    let der = DERWriter.sequence(
      attribute([0x55, 4, 6], DERElement.printableString, Array("CH".utf8)),
      attribute([0x55, 4, 10], DERElement.utf8String, Array(" Müller, Söhne ".utf8)),
      attribute([0x55, 4, 11], DERElement.bmpString, [0, 0x41, 0, 0x42]),
      attribute([0x55, 4, 11], DERElement.teletexString, [0xe4]),
      attribute([0x55, 4, 3], DERElement.utf8String, Array("a=b+\u{1}".utf8)),
      attribute([0x2a, 3], DERElement.octetString, [0xff]))
    let name = try #require(DistinguishedName(der: der))
    #expect(name.countries == ["CH"])
    #expect(name.organizations == [" Müller, Söhne "])
    #expect(name.organizationalUnits == ["AB", "ä"])
    #expect(name.commonName == "a=b+\u{1}")
    #expect(name.description == #"1.2.3=#0401ff,CN=a\=b\+\01,OU=ä,OU=AB,O=\ Müller\, Söhne\ ,C=CH"#)
    // A relative name has an attribute.
    #expect(DistinguishedName(der: DERWriter.sequence(DERWriter.element(DERElement.set, []))) == nil)
    let same = try #require(
      DistinguishedName(
        der: DERWriter.sequence(attribute([0x55, 4, 3], DERElement.printableString, Array(" A  b ".utf8)))))
    let other = try #require(
      DistinguishedName(der: DERWriter.sequence(attribute([0x55, 4, 3], DERElement.utf8String, Array("a b".utf8)))))
    #expect(same != other && same.canonical == other.canonical)
  }

  @Test("alternative names are told apart by kind")
  func alternativeNames() throws {
    func name(_ tag: UInt8, _ content: [UInt8]) -> SubjectAlternativeName? {
      var reader = DERReader(DERWriter.element(tag, content))
      return reader.element().flatMap { SubjectAlternativeName($0.tag, $0.content) }
    }
    #expect(name(0x81, Array("a@b.example".utf8))?.description == "email:a@b.example")
    #expect(name(0x82, Array("*.b.example".utf8))?.description == "dns:*.b.example")
    #expect(name(0x86, Array("https://b.example/c".utf8))?.description == "uri:https://b.example/c")
    #expect(name(0x87, [10, 0, 255, 1])?.text == "10.0.255.1")
    #expect(name(0x87, [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1])?.text == "2001:db8::1")
    #expect(name(0x87, [UInt8](repeating: 0, count: 16))?.text == "::")
    #expect(name(0x88, [0x2a, 3])?.text == "registeredID:1.2.3")
    #expect(name(0x87, [1, 2, 3]) == nil)
    #expect(name(0x82, []) == nil)
    #expect(name(0x82, Array("a b".utf8)) == nil)
    #expect(name(0x86, Array("ä".utf8)) == nil)
  }

  @Test("files that hold something else are told apart")
  func files() throws {
    func code(_ text: String, _ code: SignetError.Code) {
      expectError(code) { _ = try Certificate.all(in: SecretBytes(Array(text.utf8))) }
    }
    let pem = try Self.vector("verified").pem
    code("", .certificateMalformed)
    code("hello", .certificateMalformed)
    code(pem + (try Repository.text("keys/insecure-test-ed25519")), .certificatePrivateKey)
    code(try Repository.text("keys/insecure-test-encrypted"), .certificatePrivateKey)
    code(try Repository.text("keys/insecure-test-ed25519.pub"), .certificateMalformed)
    code(
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n-----END RSA PRIVATE KEY-----\n" + pem,
      .certificatePrivateKey)
    code(pem.replacing("END CERT", with: "END CURT"), .certificateMalformed)
    code(String(repeating: pem, count: Certificate.countLimit + 1), .certificateMalformed)
    expectError(.certificateMalformed) { _ = try Certificate(der: [UInt8](repeating: 0x30, count: 65537)) }
  }

  @Test("a private key beside certificates is named, and where each part belongs")
  func privateKeyBesideCertificates() throws {
    let pem = try Self.vector("verified").pem
    let key = try Repository.text("keys/insecure-test-ed25519")
    for file in [pem + key, key + pem] {
      let error = expectError(.certificatePrivateKey) {
        _ = try Certificate.all(in: SecretBytes(Array(file.utf8)))
      }
      #expect(error?.message == "holds a private key beside CERTIFICATE blocks")
      #expect(error?.hint?.hasPrefix("put the CERTIFICATE blocks into a file of their own") == true)
    }
    let error = expectError(.certificatePrivateKey) { _ = try Certificate.all(in: SecretBytes(Array(key.utf8))) }
    #expect(error?.message == "holds a private key")
    #expect(error?.hint?.hasPrefix("give the file that holds the CERTIFICATE blocks") == true)
  }

  @Test("DER that was cut, extended or written in another way is refused")
  func otherDER() throws {
    let der = try Self.vector("verified").der
    for count in 0..<der.count {
      expectError(.certificateMalformed) { _ = try Certificate(der: Array(der.prefix(count))) }
    }
    expectError(.certificateMalformed) { _ = try Certificate(der: der + [0]) }
    expectError(.certificateMalformed) { _ = try Certificate(der: [0x30, 0x83, 0] + der.dropFirst(2)) }
  }
}
