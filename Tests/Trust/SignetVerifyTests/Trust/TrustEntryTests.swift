import SignetBase
import SignetCrypto
import SignetKeys
import SignetModules
import SignetSystem
import TestSupport
import Testing

@testable import SignetVerify

@Suite struct TrustEntryTests {
  @Test("a file of certificates has at most 256 KiB")
  func certificateFiles() throws {
    let folder = try TemporaryFolder()
    let pem = Array(try Self.chain().leaf.pem.utf8)
    for (size, isRead) in [(256 << 10, true), (256 << 10 + 1, false)] {
      let file = try folder.write("c.pem", pem + [UInt8](repeating: 0x0a, count: size - pem.count), mode: 0o600)
      if isRead {
        #expect(try Certificate.all(inTrustedFile: file).count == 1)
      } else {
        expectError(.fileTooLarge) { _ = try Certificate.all(inTrustedFile: file) }
      }
    }
  }

  /// A leaf and the certificate of its issuer.
  private static func chain() throws -> (leaf: Certificate, issuer: Certificate) {
    let vector = try Vector.named("verified", in: "chains")
    func first(_ file: String) throws -> Certificate {
      try #require(try Certificate.all(in: SecretBytes(vector.bytes(file))).first)
    }
    return (try first("leaf.pem"), try first("intermediates.pem"))
  }

  private static func policy(_ kind: String, _ fields: (String, JSONValue?)...) throws -> TrustPolicy {
    let signer = JSONValue(.object(fields.compactMap { name, value in value.map { JSONValue.Member(name, $0) } }))
    let entry = JSONValue.object(("name", .string("one")), (kind, signer))
    let text = try CanonicalJSON.write(.object(("version", .integer(1)), ("entries", .array([entry]))))
    return try TrustPolicy(json: text)
  }

  @Test("a field that nobody knows is refused in every kind of signer")
  func unknownFields() throws {
    let (leaf, issuer) = try Self.chain()
    for extra in [nil, JSONValue.string("x")] {
      let policies: [() throws -> TrustPolicy] = [
        {
          try Self.policy(
            "authority", ("certificates", .encoded([issuer])), ("anyLeaf", JSONValue(.bool(true))), ("x", extra))
        },
        {
          try Self.policy(
            "sameSignerAs", ("certificate", .encoded(leaf)), ("issuers", .encoded([issuer])), ("x", extra))
        },
        {
          try Self.policy(
            "sameAuthorityAs", ("certificate", .encoded(leaf)), ("issuer", .encoded(issuer)), ("x", extra))
        },
      ]
      for policy in policies {
        if extra == nil {
          #expect(try policy().entries.count == 1)
        } else {
          expectError(.policyUnknownField) { _ = try policy() }
        }
      }
    }
  }

  @Test("an authority with a test key is refused, whatever it certifies")
  func testKeyOfAuthority() throws {
    let key = try PrivateKey(file: SecretBytes(Repository.bytes("keys/insecure-test-p256"))) { nil }
    let certificate = try TestAuthority().certify(key, extensions: TestAuthority.authorityExtensions)
    let entry = try TrustEntry(
      "one", .anyLeaf(of: [certificate]), scope: TrustScope(modules: [], uris: [], files: []))
    expectError(.policyTestKey) { _ = try TrustPolicy(entries: [entry]) }
    #expect(try TrustPolicy(entries: [entry], allowsTestKeys: true).entries == [entry])
  }

  @Test("an authority has up to 100 intermediates")
  func certificateLimit() throws {
    let (_, issuer) = try Self.chain()
    func policy(_ count: Int) throws -> TrustPolicy {
      try Self.policy(
        "authority", ("certificates", .encoded([issuer])), ("anyLeaf", JSONValue(.bool(true))),
        ("intermediates", .encoded([Certificate](repeating: issuer, count: count))))
    }
    #expect(try policy(100).entries.count == 1)
    expectError(.policyMalformed) { _ = try policy(101) }
  }

  @Test("a policy can ask for RSA keys of up to 8192 bits")
  func strengths() throws {
    func policy(_ bits: Int) throws -> TrustPolicy {
      try TrustPolicy(json: Array(#"{"version":1,"entries":[],"strengths":{"leastRSABits":\#(bits)}}"#.utf8))
    }
    #expect(try policy(2048).leastRSABits == 2048)
    #expect(try policy(8192).leastRSABits == 8192)
    for bits in [2047, 8193] { expectError(.policyMalformed) { _ = try policy(bits) } }
  }

  @Test("a window includes its first and its last second")
  func window() {
    let (first, last) = (UnixTime(seconds: 100), UnixTime(seconds: 200))
    let window = TrustEntry.Window(from: first, until: last)
    #expect([99, 100, 200, 201].map { window.contains(UnixTime(seconds: $0)) } == [false, true, true, false])
  }
}
