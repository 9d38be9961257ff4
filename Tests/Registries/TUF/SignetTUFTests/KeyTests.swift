import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct KeyTests {
  private static func object(_ type: String, _ scheme: String, _ value: String) -> JSONValue {
    .object(
      ("keytype", .string(type)), ("scheme", .string(scheme)), ("keyval", .object(("public", .string(value)))))
  }

  private static func reason(_ json: JSONValue) throws -> String? {
    if case .unusable(let reason) = try TUFKey(json: json).use { return reason }
    return nil
  }

  @Test("a key ID is SHA-256 of the canonical object, unknown fields included")
  func ids() throws {
    // The specification's own example (section 4.3): its targets key.
    let value = "72378e5bc588793e58f81c8533da64a2e8f1565c1fcc7f253496394ffc52542c"
    let key = try TUFKey(json: Self.object("ed25519", "ed25519", value))
    let canonical = "{\"keytype\":\"ed25519\",\"keyval\":{\"public\":\"\(value)\"},\"scheme\":\"ed25519\"}"
    #expect(key.id == (try Digest.of(Array(canonical.utf8), .sha256)).hex)
    guard case .object(let members) = key.json.content else {
      Issue.record("a key is an object")
      return
    }
    let more = try TUFKey(
      json: JSONValue(.object(members + [JSONValue.Member("keyid_hash_algorithms", .string("md5"))])))
    #expect(more.id != key.id)
    #expect(more.isUsable)
    // GitHub's repository of trusted roots leaves unknown fields out. A key is found by either ID, and by no other.
    for (name, isFound) in [(more.id, true), (key.id, true), (String(key.id.reversed()), false)] {
      let ring = KeyRing(members: [JSONValue.Member(name, more.json)])
      guard case .verifies? = try ring.key(name) else {
        #expect(!isFound)
        continue
      }
      #expect(isFound)
    }
  }

  @Test("keys of other types, damaged keys and weak keys are kept, and verify nothing")
  func unusable() throws {
    let p256 = try PrivateKey.generate(.p256).publicKey.pem
    let p384 = try PrivateKey.generate(.p384).publicKey.pem
    for json in [
      Self.object("sphincs", "sphincs-shake-128s", "00"), Self.object("ed25519", "ecdsa-sha2-nistp256", p256),
      Self.object("rsa", "ed25519", "00"), Self.object("ed25519", "ed25519", "00"),
      Self.object("ed25519", "ed25519", "not hexadecimal"), Self.object("ecdsa", "ecdsa-sha2-nistp256", p384),
      Self.object("ecdsa", "ecdsa-sha2-nistp256", "04" + String(repeating: "00", count: 64)),
      Self.object("rsa", "rsassa-pss-sha256", p256), Self.object("rsa", "rsassa-pss-sha512", p256),
      Self.object("ecdsa", "ecdsa-sha2-nistp256", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
      // A point of small order, with which one signature verifies every message.
      Self.object("ed25519", "ed25519", "01" + String(repeating: "00", count: 31)),
      .object(("keytype", .string("ed25519"))), .string("key"), .object(),
      .object(("keytype", .integer(1)), ("scheme", .string("ed25519")), ("keyval", .object())),
    ] {
      #expect(try Self.reason(json) != nil)
      #expect(try !TUFKey(json: json).verifies([1], over: [1]))
    }
  }

  @Test("an RSA key of fewer than 2048 bits is unusable")
  func shortRSA() throws {
    let folder = try TemporaryFolder()
    let openssl = try #require(Program.find("openssl"))
    let secret = folder.file("key")
    #expect(try Program.run(openssl, ["genrsa", "-out", secret, "1024"]).status == 0)
    let pem = try Program.run(openssl, ["rsa", "-in", secret, "-pubout"]).output
    let reason = try Self.reason(Self.object("rsa", "rsassa-pss-sha256", pem))
    #expect(reason?.contains("1024 bits") == true)
  }

  @Test("a key whose stated ID is not its own is unusable, and the rest of the file is not")
  func wrongID() throws {
    let keys = try (0..<2).map { _ in try PrivateKey.generate(.ed25519) }
    let objects = try keys.map { try TUFKey($0.publicKey) }
    let wrong = String(repeating: "0", count: 64)
    let ring = KeyRing(members: [
      JSONValue.Member(wrong, objects[0].json), JSONValue.Member(objects[1].id, objects[1].json),
    ])
    guard case .unusable(let reason)? = try ring.key(wrong) else {
      Issue.record("usable")
      return
    }
    #expect(reason.contains(objects[0].id))
    guard case .verifies? = try ring.key(objects[1].id) else {
      Issue.record("unusable")
      return
    }
    #expect(try ring.key(objects[0].id) == nil)
  }

  @Test(
    "PSS signatures of openssl verify, whatever the length of their salt", arguments: ["digest", "max", "0", "20"])
  func salts(salt: String) throws {
    let folder = try TemporaryFolder()
    let openssl = try #require(Program.find("openssl"))
    let message = try folder.write("message", Array("a message".utf8))
    let signature = folder.file("signature")
    let key = Repository.root + "/keys/insecure-test-rsa2048"
    let made = try Program.run(
      openssl,
      [
        "dgst", "-sha256", "-sign", key, "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(salt)",
        "-out",
        signature, message,
      ])
    #expect(made.status == 0, "\(made.errors)")
    let object = try TUFKey(PublicKey(file: SecretBytes(Repository.bytes("keys/insecure-test-rsa2048.pub"))))
    #expect(try object.verifies(folder.read("signature"), over: Array("a message".utf8)))
    #expect(try !object.verifies(folder.read("signature"), over: Array("another".utf8)))
  }

  @Test("openssl verifies our PSS signatures, with a salt of 32 bytes")
  func written() throws {
    let folder = try TemporaryFolder()
    let openssl = try #require(Program.find("openssl"))
    let key = try PrivateKey(file: SecretBytes(Repository.bytes("keys/insecure-test-rsa2048"))) { nil }
    let message = Array("a message".utf8)
    let signature = try folder.write("signature", try key.signPSS(message))
    let file = try folder.write("message", message)
    let checked = try Program.run(
      openssl,
      [
        "dgst", "-sha256", "-verify", Repository.root + "/keys/insecure-test-rsa2048.pub", "-sigopt",
        "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32", "-signature", signature, file,
      ])
    #expect(checked.status == 0, "\(checked.output)")
    expectError(.keyUnsupported) { _ = try PrivateKey.generate(.ed25519).signPSS(message) }
  }
}

extension TUFKey {
  /// Whether the key can verify.
  var isUsable: Bool { if case .verifies = use { true } else { false } }
}
