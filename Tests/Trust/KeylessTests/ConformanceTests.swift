import Foundation
import Keyless
import SignetBase
import SignetCrypto
import SignetNames
import TestSupport
import Testing

/// A checkout of sigstore-conformance, and the trusted root of the public-good instance.
enum ConformanceSuite {
  static let places: (cases: String, root: String)? = {
    let variables = ProcessInfo.processInfo.environment
    guard let checkout = variables["SIGSTORE_CONFORMANCE"], let root = variables["SIGSTORE_ROOT"] else { return nil }
    return (checkout + "/test/assets", root)
  }()

  static let cases: [String] =
    places.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.cases + "/bundle-verify") }?
    .filter {
      FileManager.default.fileExists(atPath: (places?.cases ?? "") + "/bundle-verify/\($0)/bundle.sigstore.json")
    }
    .sorted() ?? []
}

/// The cases of sigstore-conformance, against a checkout of it: SIGSTORE_CONFORMANCE names the checkout, and SIGSTORE_ROOT the
/// trusted root of the public-good instance. `make night` fetches both.
@Suite("sigstore-conformance")
struct ConformanceTests {
  /// The signer of cases that name none.
  private static let identity =
    "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main"
  private static let issuer = "https://token.actions.githubusercontent.com"

  /// Why each case is refused, by code.
  private static let codes: [String: [String]] = [
    "chain.expired": [
      "integrated-time-in-future", "intoto-set-outside-signing-cert-validity",
      "intoto-tsa-timestamp-outside-cert-validity", "rekor2-timestamp-outside-tsa-cert-validity",
    ],
    "chain.not-yet-valid": ["intoto-expired-certificate"],
    "key.malformed": ["managed-key-wrong-key"],
    "keyless.bundle": [
      "bundle-empty-certificate-chain", "bundle-invalid-base64-signature", "bundle-malformed-json",
      "bundle-unknown-version", "rekor2-timestamp-with-incorrect-time",
    ],
    "keyless.entry": [
      "bundle-from-wrong-instance", "intoto-missing-inclusion-proof", "invalid-inclusion-proof",
      "rekor2-no-inclusion-proof",
    ],
    "keyless.other-entry": [
      "bundle-negative-log-index", "dsse-invalid-sig", "dsse-mismatch-envelope", "dsse-mismatch-sig",
      "incorrect-public-key", "intoto-log-entry-mismatch", "rekor2-dsse-invalid-sig", "rekor2-dsse-mismatch-envelope",
      "rekor2-dsse-mismatch-sig", "signature-mismatch", "wrong-hashedrekord-artifact",
      "wrong-hashedrekord-cert-and-sig", "wrong-hashedrekord-entry", "wrong-material",
    ],
    "keyless.promise": ["invalid-ct-key"],
    "keyless.root": ["trust-root-tlog-missing-validity-start"],
    "keyless.signer": ["bundle-with-root-cert", "managed-key-no-key"],
    "keyless.subject": ["message-digest-mismatch"],
    "keyless.time": ["rekor2-no-timestamp"],
    "log.note": [
      "rekor2-checkpoint-missing-log-signature", "rekor2-checkpoint-missing-origin",
      "rekor2-checkpoint-missing-root-hash", "rekor2-checkpoint-missing-size",
    ],
    "log.promise": ["set-invalid-signature"],
    "log.proof": ["checkpoint-wrong-roothash", "inclusion-proof-corrupted-hash"],
    "log.signature": ["invalid-checkpoint-signature"],
    "log.unsigned": ["checkpoint-bad-keyhint", "rekor2-checkpoint-no-matching-signature"],
    "timestamp.authority": [
      "rekor2-timestamp-untrusted-tsa-with-embedded-cert", "rekor2-timestamp-untrusted-tsa-without-embedded-cert",
    ],
    "timestamp.imprint": ["rekor2-timestamp-payload-mismatch"],
    "timestamp.outside-window": ["rekor2-timestamp-outside-trust-root-tsa-validity"],
  ]

  private func read(_ path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path))) }

  private func verify(_ name: String, byDigestAlone: Bool) throws -> KeylessProof {
    let places = try #require(ConformanceSuite.places)
    let folder = "\(places.cases)/bundle-verify/\(name)"
    func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(file)") }
    func text(_ file: String) throws -> String {
      String(decoding: try read("\(folder)/\(file)"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let root = try SigstoreRoot(json: read(has("trusted_root.json") ? "\(folder)/trusted_root.json" : places.root))
    let bundle = try KeylessBundle(json: read("\(folder)/bundle.sigstore.json"))
    let content = try read(has("artifact") ? "\(folder)/artifact" : "\(places.cases)/bundle-verify/a.txt")
    let algorithms: [DigestAlgorithm] = byDigestAlone ? [.sha256] : DigestAlgorithm.allCases
    let artifact = try algorithms.map { try Digest.of(content, $0) }
    let expected: ExpectedSigner
    if has("key.pub") {
      expected = .key(try PublicKey(text: String(decoding: read("\(folder)/key.pub"), as: UTF8.self)))
    } else {
      expected = .identities([
        ExpectedIdentity(
          has("identity") ? try text("identity") : Self.identity,
          issuer: has("issuer") ? try text("issuer") : Self.issuer)
      ])
    }
    let demands: KeylessDemands = has("key.pub") ? .keyAndLog : .publicGood
    return try KeylessVerifier(
      root: root, demands: demands, now: UnixTime(seconds: Int64(Date().timeIntervalSince1970))
    ).verify(bundle, of: artifact, by: expected)
  }

  @Test("a checkout has all the cases that this table knows; without one there are none")
  func table() {
    let known = Self.codes.values.reduce(0) { $0 + $1.count }
    #expect(known == 49)
    let refused = ConformanceSuite.cases.count { $0.hasSuffix("_fail") }
    #expect(ConformanceSuite.places == nil ? ConformanceSuite.cases.isEmpty : refused >= known)
    #expect(ConformanceSuite.places == nil || ConformanceSuite.cases.count - refused >= 21)
  }

  @Test("each case of a checkout ends as its name says, by the file and by its digest alone")
  func verdicts() throws {
    for name in ConformanceSuite.cases {
      for byDigestAlone in [false, true] {
        guard name.hasSuffix("_fail") else {
          #expect(throws: Never.self, "\(name)") { _ = try verify(name, byDigestAlone: byDigestAlone) }
          continue
        }
        let error = #expect(throws: SignetError.self, "\(name)") {
          _ = try verify(name, byDigestAlone: byDigestAlone)
        }
        let code = try #require(error?.code.rawValue)
        #expect(Self.codes[code]?.contains(String(name.dropLast(5))) == true, "\(name): \(code)")
      }
    }
  }
}
