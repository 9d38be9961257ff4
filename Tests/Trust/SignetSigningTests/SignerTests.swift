import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct SignerTests {
  static let time = UnixTime(seconds: 1_800_000_000)

  static func claims(_ name: String = "a") throws -> Signer.FileClaims {
    try Signer.FileClaims(name: name, signedAt: time)
  }

  @Test("the same artifact, claims and Ed25519 key give the same bytes, from memory and from a file")
  func deterministic() throws {
    let signer = try Signer(PrivateKey.generate(.ed25519))
    let bytes = patternBytes(3 << 20)
    let folder = try TemporaryFolder()
    let file = try RegularFile(opening: folder.write("a", bytes))
    let first = try signer.sign(.bytes(bytes), Self.claims()).canonicalBytes()
    #expect(try signer.sign(.file(file), Self.claims()).canonicalBytes() == first)
  }

  @Test("the payload is the canonical statement, hint and key ID are the key's fingerprint")
  func content() throws {
    let signer = try Signer(PrivateKey.generate(.ed25519))
    let bundle = try signer.sign(.bytes([]), Self.claims())
    #expect(
      String(decoding: bundle.envelope.payload, as: UTF8.self) == """
        {"_type":"https://in-toto.io/Statement/v1","predicate":{"fsverity":"sha256:3d248ca542a24fc62d1c43b916eae5016\
        878e2533c88238480b26128a1f1af95","signedAt":"2027-01-15T08:00:00Z","size":0},"predicateType":"urn:signet:fil\
        e:v1","subject":[{"digest":{"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"na\
        me":"a"}]}
        """)
    #expect(bundle.claimedKeyIDs == ["\(signer.publicKey.id)"])
    #expect(bundle.material == .publicKey(hint: "\(signer.publicKey.id)"))
    #expect(bundle.mediaType == .v03)
  }

  @Test(
    "names that no file can have are refused",
    arguments: [
      "", ".", "..", "/", "/a", "a/", "a//b", "a/./b", "../a", "a\u{0}b", String(repeating: "x", count: 256),
      Array(repeating: "x", count: 513).joined(separator: "/"),
    ])
  func names(name: String) { expectError(.signingName) { _ = try Self.claims(name) } }

  @Test("a statement that would never hold is not made, and none that holds no longer is signed")
  func ended() throws {
    expectError(.signingNotAfter) {
      _ = try Signer.FileClaims(name: "a", signedAt: Self.time, notAfter: Self.time)
    }
    let end = UnixTime(seconds: Self.time.seconds + 1)
    let claims = try Signer.FileClaims(name: "a", signedAt: Self.time, notAfter: end)
    let bundle = try Signer(PrivateKey.generate(.ed25519)).sign(.bytes([1]), claims)
    let second = try Signer(PrivateKey.generate(.ed25519))
    _ = try second.addSignature(to: [bundle], of: .bytes([1]), named: "a", at: end)
    expectError(.statementExpired) {
      let later = UnixTime(seconds: end.seconds + 1)
      _ = try second.addSignature(to: [bundle], of: .bytes([1]), named: "a", at: later)
    }
  }

  @Test("a key whose halves do not match signs nothing")
  func selfCheck() throws {
    func der(_ key: PrivateKey) throws -> [UInt8] {
      let pem = try key.unencrypted().withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
      return try Base64.decode(pem.split(separator: "\n").dropFirst().dropLast().joined())
    }
    // PKCS#8 of an EC key ends in the point of the public half, 65 bytes for P-256.
    let key = try der(PrivateKey.generate(.p256)).dropLast(65)
    let other = try der(PrivateKey.generate(.p256)).suffix(65)
    let odd = try PrivateKey(file: SecretBytes(Array(key + other))) { nil }
    expectError(.signingSelfCheck) { _ = try Signer(odd).sign(.bytes([1]), Self.claims()) }
  }

  @Test("another signer signs the very same payload")
  func append() throws {
    let first = try Signer(PrivateKey.generate(.ed25519))
    let second = try Signer(PrivateKey.generate(.p384))
    let bundle = try first.sign(.bytes([1]), Self.claims())
    let added = try second.addSignature(to: [bundle], of: .bytes([1]), named: "a", at: Self.time)
    #expect(added.envelope.payload == bundle.envelope.payload)
    #expect(added.claimedKeyIDs == ["\(second.publicKey.id)"])
    expectError(.signingTwice) {
      _ = try second.addSignature(to: [bundle, added], of: .bytes([1]), named: "a", at: Self.time)
    }
  }

  @Test("another signer does not sign what is not about this artifact")
  func appendRefused() throws {
    let first = try Signer(PrivateKey.generate(.ed25519))
    let second = try Signer(PrivateKey.generate(.ed25519))
    let bundle = try first.sign(.bytes([1]), Self.claims())
    func refused(_ code: SignetError.Code, _ bundles: [SigstoreBundle], _ bytes: [UInt8] = [1], _ name: String = "a")
    {
      expectError(code) { _ = try second.addSignature(to: bundles, of: .bytes(bytes), named: name, at: Self.time) }
    }
    func claiming(_ payload: String) -> SigstoreBundle {
      SigstoreBundle(payload: Array(payload.utf8), signature: [0], key: first.publicKey.id)
    }
    refused(.signatureMissing, [])
    refused(.digestMismatch, [bundle], [2])
    refused(.digestMismatch, [bundle], [1, 1])
    refused(.signingOtherStatement, [bundle], [1], "b")
    refused(.bundlePayloadsDiffer, [bundle, try first.sign(.bytes([2]), Self.claims())])
    refused(.signingOtherStatement, [claiming("hello")])
    let text = String(decoding: bundle.envelope.payload, as: UTF8.self)
    refused(.signingOtherStatement, [claiming(text.replacing("urn:signet:file:v1", with: "https://example.com/p"))])
    refused(.signingOtherStatement, [claiming(" " + text)])
    // A statement whose two digests speak of different bytes.
    let flat = try Digest.of([1], .sha256).hex
    refused(.digestMismatch, [claiming(text.replacing(flat, with: try Digest.of([2], .sha256).hex))])
    let tree = "\(try FSVerityDigest(of: [1]))"
    refused(.digestMismatch, [claiming(text.replacing(tree, with: "\(try FSVerityDigest(of: [2]))"))])
  }
}
