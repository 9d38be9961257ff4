import Foundation
import SignetBase
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

@Suite struct PublicKeyTests {
  static let kinds: [String: KeyAlgorithm] = [
    "ed25519": .ed25519, "encrypted": .ed25519, "rsa2048": .rsa(bits: 2048), "rsa3072": .rsa(bits: 3072),
    "rsa4096": .rsa(bits: 4096), "p256": .p256, "p384": .p384, "p521": .p521,
  ]

  @Test("every kind of key is read from PEM and from DER, and written as it was", arguments: kinds.keys.sorted())
  func forms(name: String) throws {
    let key = try TestKeys.publicKey(name)
    #expect(key.algorithm == Self.kinds[name])
    #expect(try PublicKey(file: SecretBytes(key.der)) == key)
    #expect(key.pem == (try Repository.text("keys/insecure-test-\(name).pub")))
  }

  @Test("the key ID is the fingerprint that ssh-keygen prints", arguments: kinds.keys.sorted())
  func fingerprint(name: String) throws {
    let program = try #require(Program.find("ssh-keygen"), "make test installs openssh-client")
    let key = try TestKeys.publicKey(name)
    let folder = try TemporaryFolder()
    let path = try folder.write("key.pub", Array("\(try Self.line(key)) test\n".utf8))
    let printed = try Program.run(program, ["-l", "-f", path]).output
    #expect(printed.split(separator: " ").dropFirst().first.map(String.init) == "\(key.id)")
  }

  private static func line(_ key: PublicKey) throws -> String {
    let type =
      switch key.algorithm {
      case .ed25519: "ssh-ed25519"
      case .rsa: "ssh-rsa"
      case .p256: "ecdsa-sha2-nistp256"
      case .p384: "ecdsa-sha2-nistp384"
      case .p521: "ecdsa-sha2-nistp521"
      }
    return "\(type) \(Base64.encode(try SubjectPublicKeyInfo(der: key.der).sshWireForm))"
  }

  @Test("every kind of key is read from one line, of OpenSSH's or of base64", arguments: kinds.keys.sorted())
  func text(name: String) throws {
    let key = try TestKeys.publicKey(name)
    let line = try Self.line(key)
    for text in [line, line + " ann@example.com", line + " two words", Base64.encode(key.der)] {
      #expect(PublicKey.isText(text))
      #expect(try PublicKey(text: text) == key)
    }
    for text in [line, line + " ann@example.com\n", line + "\r\n"] {
      #expect(try PublicKey(file: SecretBytes(Array(text.utf8))) == key)
    }
    expectError(.keyPublicForPrivate) { _ = try PrivateKey(file: SecretBytes(Array(line.utf8))) { nil } }
  }

  @Test("a line that is not the one spelling of a key is refused")
  func textThatIsNot() throws {
    let key = try TestKeys.publicKey("ed25519")
    let line = try Self.line(key)
    let wire = try SubjectPublicKeyInfo(der: key.der).sshWireForm
    func encoded(_ bytes: [UInt8]) -> String { "ssh-ed25519 \(Base64.encode(bytes))" }
    let rsa = try Self.line(TestKeys.publicKey("rsa2048")).split(separator: " ")[1]
    for text in [
      "", "ssh-ed25519", "ssh-ed25519 ", "ssh-ed25519 AAAA", encoded(wire + [0]), encoded(Array(wire.dropLast())),
      encoded([0] + wire), "ssh-rsa \(line.split(separator: " ")[1])", "ssh-ed25519 \(rsa)",
      "command=\"x\" \(line)", "\(line)\n\(line)", line.replacing("ssh-ed25519 ", with: "ssh-ed25519\t"),
      "publisher.pub",
    ] {
      expectError(.keyMalformed) { _ = try PublicKey(text: text) }
    }
    expectError(.keyMalformed) { _ = try PublicKey(text: "ssh-dss AAAA") }
    // A leading zero that is not needed is another spelling.
    #expect(SSHWireForm.read(SSHWireForm.rsa(modulus: [1], exponent: [0, 3])) == nil)
    for text in ["publisher.pub", "MC", "", "keys/ssh-ed25519 x"] { #expect(!PublicKey.isText(text)) }
    // Two lines are two keys, or something else.
    expectError(.keyMalformed) { _ = try PublicKey(file: SecretBytes(Array("\(line)\n\(line)\n".utf8))) }
  }

  @Test("a hint is the key's name only byte for byte")
  func hint() throws {
    let id = try TestKeys.publicKey("ed25519").id
    #expect(id.matches(id.description))
    #expect(!id.matches(id.description + "="))
    #expect(!id.matches(id.description.lowercased()))
    #expect(!id.matches(""))
  }

  @Test(
    "Ed25519 keys of small order or in another encoding are refused",
    arguments: [
      // y = 1 and -1, 0, and the two of order 8, each with either sign bit; p, p + 1 and 2^255 - 1.
      "0100000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000080",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000080",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ])
  func smallOrder(hex: String) throws {
    let der = try #require(Hexadecimal.decode("302a300506032b6570032100" + hex))
    expectError(.keyInsecure) { _ = try PublicKey(der: der) }
  }

  @Test("RSA numbers outside the bounds are refused")
  func rsaNumbers() throws {
    guard case .rsa(let modulus, let exponent) = try SubjectPublicKeyInfo(der: TestKeys.publicKey("rsa3072").der)
    else {
      Issue.record("the RSA key is of another kind")
      return
    }
    #expect(exponent == [1, 0, 1])
    func refused(_ modulus: [UInt8], _ exponent: [UInt8], _ message: String) {
      let der = SubjectPublicKeyInfo.rsa(modulus: modulus, exponent: exponent).der
      #expect(expectError(.keyInsecure) { _ = try PublicKey(der: der) }?.message == message)
    }
    refused(modulus, [1, 0, 0], "has an even RSA exponent")
    refused(modulus, [3], "has the RSA exponent 3, below 65537")
    refused(modulus, [1], "has the RSA exponent 1, below 65537")
    refused(modulus, [0xff, 0xff], "has the RSA exponent 65535, below 65537")
    refused(modulus, [UInt8](repeating: 0xff, count: 9), "has an RSA exponent of more than 64 bits")
    refused(modulus.dropLast() + [0], exponent, "has an even RSA modulus")
    refused(
      Array(modulus.suffix(128)), exponent,
      "has an RSA modulus of \(RSANumbers.bitCount(Array(modulus.suffix(128)))) bits, fewer than 2048")
    refused([1] + [UInt8](repeating: 0xff, count: 1024), exponent, "has an RSA modulus of 8193 bits, more than 8192")
    let largest = SubjectPublicKeyInfo.rsa(modulus: [UInt8](repeating: 0xff, count: 1024), exponent: exponent).der
    #expect(try PublicKey(der: largest).algorithm == .rsa(bits: 8192))
  }

  @Test("a point that is not on its curve is refused", arguments: ["p256", "p384"])
  func offCurve(name: String) throws {
    var der = try TestKeys.publicKey(name).der
    der[der.count - 1] ^= 1
    expectError(.keyMalformed) { _ = try PublicKey(der: der) }
  }

  @Test("DER that was cut, extended or written in another way is refused", arguments: kinds.keys.sorted())
  func otherDER(name: String) throws {
    let der = try TestKeys.publicKey(name).der
    for count in 0..<der.count { expectError(.keyMalformed) { _ = try PublicKey(der: Array(der.prefix(count))) } }
    expectError(.keyMalformed) { _ = try PublicKey(der: der + [0]) }
    // The outer length in one octet more than it needs.
    let long = der[1] < 0x80 ? [0x30, 0x81] + der.dropFirst() : [0x30, 0x83, 0] + der.dropFirst(2)
    expectError(.keyMalformed) { _ = try PublicKey(der: long) }
  }

  @Test("other algorithms, curves and point forms are refused as unsupported")
  func unsupported() throws {
    let point = [4] + [UInt8](repeating: 1, count: 64)
    let oids: [[UInt8]] = [[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01], [0x2b, 0x81, 0x04, 0x00, 0x0a]]
    let secp256k1 = DERWriter.sequence(
      DERWriter.sequence(
        DERWriter.element(DERElement.objectIdentifier, oids[0]),
        DERWriter.element(DERElement.objectIdentifier, oids[1])),
      DERWriter.bitString(point))
    expectError(.keyUnsupported) { _ = try PublicKey(der: secp256k1) }
    let x25519 = try #require(Hexadecimal.decode("302a300506032b656e032100" + String(repeating: "42", count: 32)))
    expectError(.keyUnsupported) { _ = try PublicKey(der: x25519) }
    var compressed = try TestKeys.publicKey("p256").der
    compressed[compressed.count - 65] = 2
    expectError(.keyUnsupported) { _ = try PublicKey(der: compressed) }
  }

  @Test("certificates beside the public key are named")
  func certificatesBesideTheKey() throws {
    let file =
      try Repository.bytes("keys/insecure-test-ed25519.pub")
      + Vector.named("verified", in: "chains").bytes("leaf.pem")
    let error = expectError(.keyAmbiguous) { _ = try PublicKey(file: SecretBytes(file)) }
    #expect(error?.message == "holds certificates beside the key")
    #expect(error?.found == "PUBLIC KEY, CERTIFICATE")
  }

  @Test("what is no public key is told apart")
  func wrongFiles() throws {
    func code(_ text: String, _ code: SignetError.Code) {
      expectError(code) { _ = try PublicKey(file: SecretBytes(Array(text.utf8))) }
    }
    let pem = try Repository.text("keys/insecure-test-ed25519.pub")
    code("", .keyMalformed)
    code("hello", .keyMalformed)
    code(try Repository.text("keys/insecure-test-ed25519"), .keyPrivateForPublic)
    code(try Repository.text("keys/insecure-test-encrypted"), .keyPrivateForPublic)
    code(pem + pem, .keyAmbiguous)
    code(pem.replacingOccurrences(of: "PUBLIC KEY", with: "CERTIFICATE"), .keyUnsupported)
    code(pem.replacingOccurrences(of: "-----END", with: "-----EMD"), .keyMalformed)
    code(pem.replacingOccurrences(of: "END PUBLIC KEY", with: "END PRIVATE KEY"), .keyMalformed)
    code(pem.replacingOccurrences(of: "MC", with: "M!"), .keyMalformed)
    #expect(
      try PublicKey(file: SecretBytes(Array(("Key:\n" + pem.replacingOccurrences(of: "\n", with: "\r\n")).utf8)))
        == TestKeys.publicKey("ed25519"))
  }
}
