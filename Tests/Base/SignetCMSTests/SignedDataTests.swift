import Foundation
import SignetBase
import SignetCrypto
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SignetCMS

/// Signed data of CMS, as openssl makes it.
@Suite("signed data of CMS", .enabled(if: Program.find("openssl") != nil, "needs openssl"))
struct SignedDataTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("content", Array("hello\n".utf8))
  }

  /// A way to sign: the key, and the options of `openssl cms -sign`.
  struct Way: CustomTestStringConvertible, Sendable {
    let key: String
    let options: String
    var testDescription: String { "\(key) \(options)" }
  }

  private static let keys = [
    "rsa": "-algorithm RSA -pkeyopt rsa_keygen_bits:2048", "p256": "-algorithm EC -pkeyopt ec_paramgen_curve:P-256",
    "p384": "-algorithm EC -pkeyopt ec_paramgen_curve:P-384",
  ]

  private static let ways: [Way] =
    ["rsa", "p256", "p384"].flatMap { key in
      ["-md sha256", "-md sha384", "-md sha512", "-md sha256 -keyid", "-md sha512 -noattr", "-md sha256 -nodetach"]
        .map {
          Way(key: key, options: $0)
        }
    } + [
      Way(key: "rsa", options: "-md sha256 -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:digest"),
      Way(
        key: "rsa",
        options: "-md sha384 -nodetach -noattr -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:digest"),
    ]

  /// Signs the content as openssl does.
  private func signed(_ way: Way) throws -> (der: [UInt8], certificate: Certificate) {
    let made = try Shell.run(
      """
      printf '[req]\\ndistinguished_name=dn\\n[dn]\\n' > empty.cnf && openssl genpkey \(Self.keys[way.key] ?? "") -out key 2> /dev/null && \
      openssl req -new -x509 -config empty.cnf -addext subjectKeyIdentifier=hash -key key -subj /CN=Somebody -outform DER -out certificate && \
      openssl x509 -inform DER -in certificate -out pem && \
      openssl cms -sign -binary -in content -signer pem -inkey key -outform DER -out signed \(way.options)
      """, in: folder.path)
    #expect(made.status == 0, "\(way): \(made.errors)")
    return (try folder.read("signed"), try Certificate(der: folder.read("certificate")))
  }

  private let content = Array("hello\n".utf8)

  @Test("what openssl has signed is read, and the signer has signed it", arguments: ways)
  func honest(way: Way) throws {
    let (der, certificate) = try signed(way)
    let data = try SignedData(der: der)
    #expect(data.contentType == SignedData.plainContent)
    #expect(data.content == (way.options.contains("-nodetach") ? content : nil))
    #expect(data.certificates == [certificate.der])
    let signer = try #require(data.signers.first)
    #expect(data.signers.count == 1)
    #expect(way.options.contains(signer.digest.rawValue))
    #expect((signer.attributes == nil) == way.options.contains("-noattr"))
    #expect((signer.attributes?.signingTime == nil) == way.options.contains("-noattr"))
    if case .keyIdentifier = signer.identifier {
      #expect(way.options.contains("-keyid"))
    } else {
      #expect(!way.options.contains("-keyid"))
    }
    #expect(signer.identifier.names(certificate))
    try signer.check(.bytes(content), by: certificate)
    try signer.check(.digests(DigestAlgorithm.allCases.map { try Digest.of(content, $0) }), by: certificate)
    expectError(signer.attributes == nil ? .cmsSignature : .cmsOtherContent) {
      try signer.check(.bytes(content + [0]), by: certificate)
    }
    let other = try DigestAlgorithm.allCases.filter { $0 != signer.digest }.map { try Digest.of(content, $0) }
    expectError(.cmsUnsupported) { try signer.check(.digests(other), by: certificate) }
  }

  @Test("another certificate with the same key is another signer, and a key of another kind has not signed")
  func others() throws {
    let (der, certificate) = try signed(Way(key: "p256", options: "-md sha256"))
    let (otherDER, other) = try signed(Way(key: "rsa", options: "-md sha256 -keyid"))
    let signer = try #require(SignedData(der: der).signers.first)
    expectError(.cmsOtherSigner) { try signer.check(.bytes(content), by: other) }
    let otherSigner = try #require(SignedData(der: otherDER).signers.first)
    expectError(.cmsOtherSigner) { try otherSigner.check(.bytes(content), by: certificate) }
  }

  @Test(
    "no byte of a signer can be changed",
    arguments: [
      Way(key: "p256", options: "-md sha256 -nocerts"),
      Way(key: "rsa", options: "-md sha512 -nocerts -noattr -nodetach"),
    ])
  func changed(way: Way) throws {
    let (der, certificate) = try signed(way)
    var accepted: [Int] = []
    for place in Extent.sample(of: Array(der.indices), oneOf: 7) {
      var bytes = der
      bytes[place] ^= 0x04
      do {
        let data = try SignedData(der: bytes)
        guard data.content == nil || data.content == content, let signer = data.signers.first else { continue }
        try signer.check(.bytes(content), by: certificate)
        accepted.append(place)
      } catch {
        #expect(["cms.", "key.", "crypto."].contains { error.code.rawValue.hasPrefix($0) }, "\(error)")
      }
    }
    // The set of digests (section 5.1) and the versions are repeated elsewhere, and decide nothing.
    for place in accepted { #expect(place < 60, "the byte \(place)") }
    for count in Extent.sample(of: Array(0..<der.count), oneOf: 7) {
      expectError(.cmsMalformed) { _ = try SignedData(der: Array(der.prefix(count))) }
    }
    expectError(.cmsMalformed) { _ = try SignedData(der: der + [0]) }
  }

  // MARK: Forms

  /// Signed data with one signer, of these parts.
  private func data(
    version: UInt8 = 1, type: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01],
    attributes: [[UInt8]]? = nil, digest: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01],
    algorithm: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02], signers: Int = 1, unsigned: [UInt8] = []
  ) -> [UInt8] {
    func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { DERWriter.element(tag, content) }
    let name = element(0x30, element(0x31, element(0x30, element(0x06, [0x55, 4, 3]) + element(0x0c, [0x41]))))
    let signer = element(
      0x30,
      element(2, [version]) + element(0x30, name + element(2, [1])) + element(0x30, element(6, digest))
        + (attributes.map { element(0xa0, $0.flatMap { $0 }) } ?? []) + element(0x30, element(6, algorithm))
        + element(4, [1, 2, 3]) + unsigned)
    let content = element(
      0x30,
      element(2, [1]) + element(0x31, []) + element(0x30, element(6, type))
        + element(0x31, (0..<signers).flatMap { _ in signer }))
    return element(0x30, element(6, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]) + element(0xa0, content))
  }

  private static func attribute(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    DERWriter.element(
      0x30,
      DERWriter.element(6, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, number]) + DERWriter.element(0x31, value))
  }

  private static let type = attribute(
    3, DERWriter.element(6, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]))
  private static let digest = attribute(4, DERWriter.element(4, [UInt8](repeating: 1, count: 32)))

  @Test("the form is that of RFC 5652, and each part that is missing, doubled or of another kind is refused")
  func forms() throws {
    _ = try SignedData(der: data())
    _ = try SignedData(der: data(attributes: [Self.type, Self.digest]))
    _ = try SignedData(der: data(unsigned: DERWriter.element(0xa1, Self.attribute(5, [5, 0]))))
    func malformed(_ bytes: [UInt8], _ comment: Comment) {
      expectError(.cmsMalformed, comment) { _ = try SignedData(der: bytes) }
    }
    malformed(data(version: 2), "a version that does not exist")
    malformed(data(version: 3), "the version of key identifiers")
    malformed(data(signers: 0), "nobody")
    malformed(data(signers: 17), "too many")
    malformed(data(attributes: []), "no attributes")
    malformed(data(attributes: [Self.type]), "no digest")
    malformed(data(attributes: [Self.digest]), "no type")
    malformed(data(attributes: [Self.type, Self.digest, Self.digest]), "two digests")
    malformed(data(attributes: [Self.type, Self.digest, Self.attribute(5, [5, 0])]), "a time that is none")
    malformed(data(attributes: [Self.type, Self.attribute(4, [])]), "a digest without a value")
    malformed(
      data(type: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03], attributes: [Self.type, Self.digest]),
      "another type than the attribute says")
    malformed(data(type: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03]), "a type, and no attributes")
    malformed(data(unsigned: DERWriter.element(0xa1, [])), "no unsigned attributes")
    malformed(data(unsigned: [5, 0]), "something behind the signature")
    malformed([], "nothing")
    malformed([0x30, 0x80, 0, 0], "BER")
    malformed([UInt8](repeating: 0x30, count: SignedData.sizeLimit + 1), "too long")
    expectError(.cmsUnsupported) {
      _ = try SignedData(der: data(digest: [0x2b, 0x0e, 0x03, 0x02, 0x1a]))
    }
    expectError(.cmsUnsupported) {
      _ = try SignedData(der: data(algorithm: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]))
    }
    let enveloped = DERWriter.element(
      0x30, DERWriter.element(6, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03]) + [0xa0, 2, 0x30, 0])
    expectError(.cmsUnsupported) { _ = try SignedData(der: enveloped) }
  }
}
