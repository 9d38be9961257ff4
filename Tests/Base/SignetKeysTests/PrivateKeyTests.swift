import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetKeys

@Suite struct PrivateKeyTests {
  static let passphrase = "correct horse battery staple"

  static func openssl(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let program = try #require(Program.find("openssl"), "make test installs openssl")
    let folder = try TemporaryFolder()
    let run = try Program.run(program, arguments + ["-out", folder.file("out")], input: input)
    #expect(run.status == 0, "openssl \(arguments): \(run.errors)")
    return try folder.read("out")
  }

  @Test(
    "a generated key is read back, plain and encrypted, and signs for its public half", .slow,
    arguments: PrivateKey.Kind.allCases)
  func roundTrip(kind: PrivateKey.Kind) throws {
    let key = try PrivateKey.generate(kind)
    let secret = SecretBytes(Array(Self.passphrase.utf8))
    for text in [try key.unencrypted(), try key.encrypted(with: secret)] {
      let again = try PrivateKey(file: text) { secret }
      #expect(again.publicKey == key.publicKey)
      let signature = try again.sign([1, 2, 3])
      guard case .valid = key.publicKey.verify(signature, over: [1, 2, 3]) else {
        Issue.record("the signature does not verify")
        continue
      }
    }
  }

  @Test("encrypted keys are PBES2 with PBKDF2-HMAC-SHA256, 600,000 rounds, and AES-256-CBC, as openssl reads them")
  func encryption() throws {
    let key = try PrivateKey.generate(.ed25519)
    let text = try key.encrypted(with: SecretBytes(Array(Self.passphrase.utf8))).withBytes { Array(copying: $0) }
    let program = try #require(Program.find("openssl"))
    let listing = try Program.run(program, ["asn1parse"], input: text).output
    for part in ["PBES2", "PBKDF2", ":0927C0", "hmacWithSHA256", "aes-256-cbc"] { #expect(listing.contains(part)) }
    let plain = try Self.openssl(["pkey", "-passin", "pass:\(Self.passphrase)"], input: text)
    #expect(try TestKeys.load(plain).publicKey == key.publicKey)
  }

  @Test("every form openssl writes is read")
  func forms() throws {
    let scrypt = ["pkcs8", "-topk8", "-scrypt", "-passout", "pass:\(Self.passphrase)"]
    let sha1 = [
      "pkcs8", "-topk8", "-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1", "-passout", "pass:\(Self.passphrase)",
    ]
    let sha512 = [
      "pkcs8", "-topk8", "-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA512", "-iter", "5000", "-passout",
      "pass:\(Self.passphrase)",
    ]
    for name in ["ed25519", "rsa3072", "p256", "p384"] {
      let pem = try Repository.bytes("keys/insecure-test-\(name)")
      let expected = try TestKeys.publicKey(name)
      var forms = [
        pem, try Self.openssl(["pkey", "-outform", "DER"], input: pem), try Self.openssl(scrypt, input: pem),
        try Self.openssl(sha1, input: pem), try Self.openssl(sha512 + ["-outform", "DER"], input: pem),
      ]
      if name != "ed25519" {
        forms.append(try Self.openssl(["pkey", "-traditional"], input: pem))
        forms.append(try Self.openssl(["pkey", "-traditional", "-outform", "DER"], input: pem))
      }
      if name == "p256" {
        let parameters = try Self.openssl(["ecparam", "-name", "prime256v1"])
        forms.append(parameters + (try Self.openssl(["pkey", "-traditional"], input: pem)))
      }
      for form in forms {
        let key = try TestKeys.load(form, Self.passphrase)
        #expect(key.publicKey == expected)
        guard case .valid = expected.verify(try key.sign([7]), over: [7]) else {
          Issue.record("a form of \(name) does not sign")
          continue
        }
      }
    }
  }

  @Test("a wrong passphrase, none, and a damaged key are told apart as far as they can be")
  func passphrases() throws {
    let text = try Repository.bytes("keys/insecure-test-encrypted")
    #expect(try TestKeys.load(text, Self.passphrase).publicKey == TestKeys.publicKey("encrypted"))
    expectError(.keyPassphraseWrong) { _ = try TestKeys.load(text, "wrong") }
    expectError(.keyPassphraseWrong) { _ = try TestKeys.load(text, "") }
    expectError(.keyPassphraseRequired) { _ = try TestKeys.load(text) }
    expectError(.keyPassphraseWrong) { _ = try TestKeys.load(text, Self.passphrase + "\n") }
  }

  @Test("certificates beside the key are named, and where each part belongs")
  func certificatesBesideTheKey() throws {
    let key = try Repository.bytes("keys/insecure-test-ed25519")
    let encrypted = try Repository.bytes("keys/insecure-test-encrypted")
    let certificate = try Vector.named("verified", in: "chains").bytes("leaf.pem")
    for (file, label) in [
      (key + certificate, "PRIVATE KEY"), (certificate + key, "PRIVATE KEY"),
      (certificate + encrypted + certificate, "ENCRYPTED PRIVATE KEY"),
    ] {
      let error = expectError(.keyAmbiguous) { _ = try TestKeys.load(file, Self.passphrase) }
      #expect(error?.message == "holds certificates beside the key")
      #expect(error?.found?.contains("CERTIFICATE") == true && error?.found?.contains(label) == true)
      #expect(error?.hint?.hasPrefix("put the block \(label) into a file of its own") == true)
      #expect(error?.hint?.contains("--certificate") == true)
    }
    // A chain is no key, and no several keys.
    let error = expectError(.keyUnsupported) { _ = try TestKeys.load(certificate + certificate, Self.passphrase) }
    #expect(error?.found == "CERTIFICATE")
    #expect(
      expectError(.keyAmbiguous) { _ = try TestKeys.load(key + key, Self.passphrase) }?.message
        == "holds several keys")
  }

  @Test("what is no private key is told apart")
  func wrongFiles() throws {
    func code(_ bytes: [UInt8], _ code: SignetError.Code, _ comment: Comment? = nil) {
      expectError(code, comment) { _ = try TestKeys.load(bytes, Self.passphrase) }
    }
    let pem = try Repository.bytes("keys/insecure-test-ed25519")
    let rsa = try Repository.bytes("keys/insecure-test-rsa3072")
    code([], .keyMalformed)
    code(Array("-----BEGIN ".utf8), .keyMalformed)
    code(try Repository.bytes("keys/insecure-test-ed25519.pub"), .keyPublicForPrivate)
    code(try TestKeys.publicKey("rsa3072").der, .keyPublicForPrivate)
    code(pem + pem, .keyAmbiguous)
    code(pem + rsa, .keyAmbiguous)
    code(try Self.openssl(["genpkey", "-algorithm", "ED448"]), .keyUnsupported)
    code(
      try Self.openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP512r1"]),
      .keyUnsupported)
    code(try Self.openssl(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"]), .keyInsecure)
    code(
      try Self.openssl([
        "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-pkeyopt", "rsa_keygen_pubexp:3",
      ]),
      .keyInsecure)
    code(
      try Self.openssl(["pkey", "-traditional", "-aes128", "-passout", "pass:x"], input: rsa),
      .keyEncryptionUnsupported)
    code(
      Array("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n".utf8), .keyMalformed)
    code(
      try Self.openssl(["pkcs8", "-topk8", "-v2", "des3", "-passout", "pass:\(Self.passphrase)"], input: pem),
      .keyEncryptionUnsupported)
    let swapped = String(decoding: rsa, as: UTF8.self).replacingOccurrences(
      of: "PRIVATE KEY", with: "RSA PRIVATE KEY")
    code(Array(swapped.utf8), .keyMalformed, "PKCS#8 under the label of the traditional form")
    let der = try Self.openssl(["pkey", "-outform", "DER"], input: pem)
    code(der + [0], .keyMalformed, "something behind the key")
    for count in stride(from: 0, to: der.count, by: 3) { code(Array(der.prefix(count)), .keyMalformed) }
  }

  @Test("kinds that OpenSSL knows and Signet does not are refused before OpenSSL computes with them")
  func otherKinds() throws {
    func code(_ bytes: [UInt8], _ code: SignetError.Code, _ comment: Comment) {
      expectError(code, comment) { _ = try TestKeys.load(bytes, Self.passphrase) }
    }
    let pss = ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"]
    code(try Self.openssl(pss), .keyUnsupported, "RSA-PSS")
    let primes = [
      "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072", "-pkeyopt", "rsa_keygen_primes:3",
    ]
    code(try Self.openssl(primes), .keyMalformed, "three primes")
    for encoding in ["named_curve", "explicit"] {
      let curve = encoding == "explicit" ? "prime256v1" : "secp256k1"
      let ec = [
        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-pkeyopt",
        "ec_param_enc:\(encoding)",
      ]
      let key = try Self.openssl(ec)
      code(key, .keyUnsupported, "\(curve), \(encoding)")
      code(
        try Self.openssl(["pkey", "-traditional"], input: key), .keyUnsupported, "\(curve), \(encoding), traditional")
      let encrypt = ["pkcs8", "-topk8", "-passout", "pass:\(Self.passphrase)"]
      code(
        try Self.openssl(encrypt, input: key), .keyUnsupported,
        "\(curve), \(encoding), encrypted")
    }
    // A DSA key whose prime has 200,000 bits: computing its public half would take hours.
    func number(_ bytes: Int) -> [UInt8] { DERWriter.unsignedInteger([UInt8](repeating: 0x7f, count: bytes)) }
    let parameters = DERWriter.sequence(number(25_000), number(32), number(24_000))
    let dsa: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x38, 0x04, 0x01]
    let info = DERWriter.sequence(
      DERWriter.unsignedInteger([]),
      DERWriter.sequence(DERWriter.element(DERElement.objectIdentifier, dsa), parameters),
      DERWriter.element(DERElement.octetString, number(32)))
    code(info, .keyUnsupported, "DSA in PKCS#8")
    let traditional = DERWriter.sequence(
      DERWriter.unsignedInteger([]), number(25_000), number(32), number(24_000), number(24_000), number(32))
    code(traditional, .keyMalformed, "DSA in the traditional form")
    let rsa = DERWriter.sequence(
      DERWriter.unsignedInteger([]), number(2000), number(3), number(2000), number(1000), number(1000), number(1000),
      number(1000), number(1000))
    code(rsa, .keyInsecure, "RSA of 16,000 bits")
  }

  @Test("a key derivation that asks for too much is refused before it is run")
  func derivationBounds() throws {
    func container(_ derivation: [UInt8]) -> [UInt8] {
      let pbes2: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d]
      let aes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 42]
      let cipher = DERWriter.sequence(
        DERWriter.element(DERElement.objectIdentifier, aes),
        DERWriter.element(DERElement.octetString, [UInt8](repeating: 1, count: 16)))
      return DERWriter.sequence(
        DERWriter.sequence(
          DERWriter.element(DERElement.objectIdentifier, pbes2), DERWriter.sequence(derivation, cipher)),
        DERWriter.element(DERElement.octetString, [UInt8](repeating: 2, count: 64)))
    }
    func pbkdf2(_ rounds: [UInt8], salt: Int = 16) -> [UInt8] {
      let oid: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c]
      return DERWriter.sequence(
        DERWriter.element(DERElement.objectIdentifier, oid),
        DERWriter.sequence(
          DERWriter.element(DERElement.octetString, [UInt8](repeating: 3, count: salt)),
          DERWriter.unsignedInteger(rounds)))
    }
    func scrypt(_ n: [UInt8], _ r: [UInt8], _ p: [UInt8], after: [UInt8] = []) -> [UInt8] {
      let oid: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b]
      return DERWriter.sequence(
        DERWriter.element(DERElement.objectIdentifier, oid),
        DERWriter.sequence(
          DERWriter.element(DERElement.octetString, [1]), DERWriter.unsignedInteger(n), DERWriter.unsignedInteger(r),
          DERWriter.unsignedInteger(p), after))
    }
    let refused = [
      pbkdf2([0x00, 0x98, 0x96, 0x81].filter { $0 != 0 }), pbkdf2([0x7f, 0xff, 0xff, 0xff]), pbkdf2([]),
      pbkdf2([UInt8](repeating: 0x7f, count: 30)), pbkdf2([1], salt: 1025), scrypt([0x40, 0, 0, 0], [8], [1]),
      scrypt([0x40, 0], [8], [0x7f, 0xff]), scrypt([0x40, 1], [8], [1]), scrypt([1], [8], [1]), scrypt([], [8], [1]),
      scrypt([0x40, 0], [0x7f, 0xff], [1]), scrypt([0x80, 0], [8], [1]), scrypt([0x40, 0], [], [1]),
      scrypt([0x40, 0], [8], []),
    ]
    for derivation in refused {
      expectError(.keyDerivationBounds) { _ = try TestKeys.load(container(derivation), "x") }
    }
    // The same containers with honest numbers reach the decryption, and fail there.
    let honest = [
      pbkdf2([1]), pbkdf2([1], salt: 1024), scrypt([0x40, 0], [8], [1]), scrypt([2], [8], [1]), scrypt([2], [1], [1]),
      scrypt([2], [8], [1], after: [2, 1, 32]),
    ]
    for after in [[2, 1, 33], [2, 1, 32, 5, 0], [5, 0]] as [[UInt8]] {
      expectError(.keyMalformed) { _ = try TestKeys.load(container(scrypt([2], [8], [1], after: after)), "x") }
    }
    for derivation in honest {
      expectError(.keyPassphraseWrong) { _ = try TestKeys.load(container(derivation), "x") }
    }
  }

  @Test("nothing of a private key is printed or dumped")
  func leaks() throws {
    let key = try PrivateKey.generate(.ed25519)
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(text.contains("private key of Ed25519 \(key.publicKey.id)"))
      #expect(!text.contains("KeyHandle"))
    }
  }
}
