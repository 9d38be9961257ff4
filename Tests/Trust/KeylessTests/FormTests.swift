import Foundation
import Keyless
import SignetBase
import SignetCMS
import SignetCrypto
import SignetKeys
import SignetNames
import TestSupport
import Testing
import TransparencyLog

/// Trusted roots and bundles: what is read, and what is refused.
@Suite struct FormTests {
  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// A log of a trusted root, as JSON.
  private static func log(
    window: String = #""validFor": {"start": "2021-01-12T11:53:27.000Z", "end": "2031-01-12T11:53:27Z"}"#,
    details: String = "PKIX_ECDSA_P256_SHA_256", key: String = "p256", digest: String = "SHA2_256"
  ) throws -> String {
    let key = try TestKeys.publicKey(key)
    let id = try Digest.of(key.der, .sha256).bytes
    return """
      {"baseUrl": "https://log.example.com/", "hashAlgorithm": "\(digest)", "publicKey": {"rawBytes": "\(base64(key.der))",
      "keyDetails": "\(details)", \(window)}, "logId": {"keyId": "\(base64(id))"}}
      """
  }

  private static func root(
    _ logs: String, type: String = "application/vnd.dev.sigstore.trustedroot+json;version=0.1", more: String = ""
  ) -> [UInt8] {
    Array(
      #"{"mediaType": "\#(type)", "tlogs": [\#(logs)], "ctlogs": null, "certificateAuthorities": []\#(more)}"#.utf8)
  }

  @Test("a log counts from its first to its last second, under the name of its address")
  func logs() throws {
    let root = try SigstoreRoot(json: Self.root(Self.log()))
    let log = try #require(root.logs.first)
    #expect(log.key.name == "log.example.com")
    #expect(log.key.id == (try Digest.of(TestKeys.publicKey("p256").der, .sha256).bytes))
    #expect(
      log.window.from == UnixTime("2021-01-12T11:53:27Z") && log.window.until == UnixTime("2031-01-12T11:53:27Z"))
    #expect(root.certificateLogs.isEmpty && root.certificateAuthorities.isEmpty && root.timestampAuthorities.isEmpty)
    // Null is what is missing.
    let open = try SigstoreRoot(
      json: Self.root(Self.log(window: #""validFor": {"start": "2021-01-12T11:53:27Z", "end": null}"#)))
    #expect(open.logs.first?.window.until == nil)
    for version in [
      "application/vnd.dev.sigstore.trustedroot.v0.1+json", "application/vnd.dev.sigstore.trustedroot.v0.2+json",
    ] {
      #expect(try SigstoreRoot(json: Self.root(Self.log(), type: version)).logs.count == 1)
    }
  }

  @Test("keys that are not understood stay unused")
  func unused() throws {
    let logs = [
      try Self.log(details: "PKCS1_RSA_PKCS1V5"), try Self.log(digest: "SHA2_512"),
      try Self.log().replacing(Self.base64(TestKeys.publicKey("p256").der), with: "MAA="), try Self.log(),
    ]
    #expect(try SigstoreRoot(json: Self.root(logs.joined(separator: ","))).logs.count == 1)
  }

  @Test("what decides whom to trust is read strictly")
  func strict() throws {
    let good = try Self.log()
    for json in [
      Self.root(try Self.log(window: #""validFor": {"end": "2031-01-12T11:53:27Z"}"#)),
      Self.root(good.replacing(#""validFor""#, with: #""valid""#)),
      Self.root(try Self.log(window: #""validFor": {"start": "yesterday"}"#)),
      Self.root(good.replacing(#""logId""#, with: #""id""#)),
      Self.root(good, type: "application/vnd.dev.sigstore.trustedroot+json;version=9"),
      Self.root(good, more: #", "unknown": 1"#),
      Self.root(good, more: #", "timestampAuthorities": [{"certChain": {"certificates": []}}]"#),
      Self.root(good, more: #", "timestampAuthorities": [{"certChain": {"certificates": [{"rawBytes": "MAA="}]}}]"#),
      Array("[]".utf8), Array("{}".utf8), [],
    ] {
      expectError(.keylessRoot, "\(String(decoding: json.prefix(80), as: UTF8.self))") {
        _ = try SigstoreRoot(json: json)
      }
    }
  }

  // MARK: Bundles

  private static let message =
    #""messageSignature": {"messageDigest": {"algorithm": "SHA2_256", "digest": "\#(base64([UInt8](repeating: 7, count: 32)))"}, "signature": "AQID"}"#
  private static let envelope =
    #""dsseEnvelope": {"payload": "e30=", "payloadType": "application/vnd.in-toto+json", "signatures": [{"sig": "AQID"}]}"#
  private static let key = #""publicKey": {"hint": "k"}"#

  private static func bundle(
    _ content: String = message, signer: String = key, type: String = "application/vnd.dev.sigstore.bundle.v0.3+json",
    more: String = ""
  ) -> [UInt8] {
    Array(#"{"mediaType": "\#(type)", "verificationMaterial": {\#(signer)\#(more)}, \#(content)}"#.utf8)
  }

  @Test("bundles of all versions are read, with a message or an envelope")
  func bundles() throws {
    for (type, version) in [
      ("application/vnd.dev.sigstore.bundle+json;version=0.1", KeylessBundle.Version.v01),
      ("application/vnd.dev.sigstore.bundle+json;version=0.2", .v02),
      ("application/vnd.dev.sigstore.bundle+json;version=0.3", .v03),
      ("application/vnd.dev.sigstore.bundle.v0.3+json", .v03),
    ] {
      let bundle = try KeylessBundle(json: Self.bundle(type: type))
      #expect(bundle.version == version && bundle.signature == [1, 2, 3] && bundle.entries.isEmpty)
    }
    let signed = try KeylessBundle(
      json: Self.bundle(Self.envelope, more: #", "timestampVerificationData": null, "tlogEntries": null"#))
    #expect(signed.signature == [1, 2, 3] && signed.timestamps.isEmpty)
    let stamped = #", "timestampVerificationData": {"rfc3161Timestamps": [{"signedTimestamp": "AQ=="}]}"#
    #expect(try KeylessBundle(json: Self.bundle(more: stamped)).timestamps == [[1]])
  }

  @Test("a bundle signs one thing, by one signer, and has nothing that is not known")
  func refused() {
    for json in [
      Self.bundle(Self.message + "," + Self.envelope), Self.bundle(#""other": 1"#),
      Self.bundle(signer: #""other": 1"#),
      Self.bundle(signer: Self.key + #", "certificate": {"rawBytes": "MAA="}"#),
      Self.bundle(signer: #""certificate": {"rawBytes": "MAA="}"#),
      Self.bundle(signer: #""x509CertificateChain": {"certificates": []}"#), Self.bundle(type: "application/json"),
      Self.bundle(more: #", "unknown": 1"#), Self.bundle(Self.envelope.replacing(#"[{"sig": "AQID"}]"#, with: "[]")),
      Self.bundle(Self.message.replacing("AQID", with: "")),
      Self.bundle(Self.message.replacing("SHA2_256", with: "MD5")),
      Self.bundle(Self.message.replacing("SHA2_256", with: "SHA2_512")), Array("{}".utf8), Array("x".utf8), [],
    ] {
      expectError(.keylessBundle, "\(String(decoding: json.prefix(200), as: UTF8.self))") {
        _ = try KeylessBundle(json: json)
      }
    }
  }

  @Test("a bundle by a key is no bundle by an identity, and has to be in a log if that is demanded")
  func signers() throws {
    let root = try SigstoreRoot(json: Self.root(Self.log()))
    let bundle = try KeylessBundle(json: Self.bundle())
    let now = UnixTime(seconds: 1_795_827_723)
    let digest = Digest(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32))
    func verify(_ expected: ExpectedSigner, _ demands: KeylessDemands) throws {
      _ = try KeylessVerifier(root: root, demands: demands, now: now).verify(bundle, of: [digest], by: expected)
    }
    let key = try TestKeys.publicKey("p256")
    expectError(.keylessSigner) {
      try verify(.identities([.init("ann@example.com", issuer: "https://issuer.example.com")]), .publicGood)
    }
    expectError(.keylessEntry) { try verify(.key(key), .keyAndLog) }
    expectError(.keylessTime) { try verify(.key(key), .github) }
    let nothing = KeylessDemands(entries: 0, timestamps: 0, promises: 0)
    expectError(.keylessSignature) { try verify(.key(key), nothing) }
    expectError(.keylessSignature) { try verify(.key(TestKeys.publicKey("ed25519")), nothing) }
  }

  @Test("a signature over a digest by a key is what a key with nothing else proves")
  func key() throws {
    let content = Array("hello\n".utf8)
    let signature = try TestKeys.load(Repository.bytes("keys/insecure-test-p256")).sign(content)
    let digest = try Digest.of(content, .sha256)
    let message = Self.message.replacing("AQID", with: Self.base64(signature)).replacing(
      Self.base64([UInt8](repeating: 7, count: 32)), with: Self.base64(digest.bytes))
    let root = try SigstoreRoot(json: Self.root(""))
    let bundle = try KeylessBundle(json: Self.bundle(message))
    func verify(_ artifact: [Digest]) throws -> KeylessProof {
      try KeylessVerifier(
        root: root, demands: KeylessDemands(entries: 0, timestamps: 0, promises: 0), now: UnixTime(seconds: 0)
      ).verify(bundle, of: artifact, by: .key(TestKeys.publicKey("p256")))
    }
    let proof = try verify([digest])
    #expect(proof.identity == nil && proof.times.isEmpty && proof.statement == nil)
    let words = proof.checks.map { check in
      if case .passed = check.outcome { "\(check.step.rawValue)" } else { "\(check.step.rawValue) not demanded" }
    }
    #expect(
      words == [
        "form", "timestamps not demanded", "log-entry not demanded", "log-promise not demanded",
        "log-inclusion not demanded", "chain not demanded", "certificate-log not demanded", "signature", "identity",
        "subject",
      ])
    expectError(.keylessSignature) { _ = try verify([Digest.of(content + [0], .sha256)]) }
    expectError(.keylessSubject) { _ = try verify([Digest.of(content, .sha512)]) }
  }
}
