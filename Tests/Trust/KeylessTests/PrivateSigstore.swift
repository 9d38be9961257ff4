import Foundation
import Keyless
import SignetNames
import SignetVerify
import TestSupport
import Testing

/// The document of a private Sigstore (Tests/Vectors/keyless/make.py).
struct PrivateSigstore: @unchecked Sendable {
  let fields: [String: Any]
  let names: [String]

  static let shared = try? PrivateSigstore()

  private init() throws {
    let data = Data(try Repository.bytes("Tests/Vectors/keyless/cases.json"))
    fields = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    names = (fields["cases"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  func text(_ name: String) throws -> String { try #require(fields[name] as? String) }

  func testCase(_ name: String) throws -> [String: Any] {
    let cases = fields["cases"] as? [[String: Any]]
    return try #require(cases?.first { $0["name"] as? String == name })
  }

  func json(_ value: Any?) throws -> [UInt8] { try Array(JSONSerialization.data(withJSONObject: #require(value))) }

  /// The artifact that the signatures are about.
  func artifact() throws -> [UInt8] { try #require(Hexadecimal.decode(text("artifact"))) }

  /// The time at which they are verified.
  func now() throws -> UnixTime { UnixTime(seconds: Int64(try #require(fields["now"] as? Int))) }

  /// The field `sigstore` of a policy that trusts whom a case expects.
  func signers(_ name: String) throws -> [String: Any] {
    let test = try testCase(name)
    var field: [String: Any] = ["root": try #require(test["root"] ?? fields["root"])]
    switch test["demands"] as? String {
    case "github": field["demands"] = "github"
    case "key": field["demands"] = "key-and-log"
    case "two logs": field["demands"] = ["logs": 2, "certificateLogs": 1]
    case "two timestamps": field["demands"] = ["logs": 1, "timestamps": 2, "certificateLogs": 1]
    default: break
    }
    if let key = test["key"] as? String {
      field["key"] = Base64.encode(try PublicKey(text: key).der)
    } else {
      var identity = ["identity": try test["identity"] as? String ?? text("identity")]
      if !(test["issuer"] is NSNull) { identity["issuer"] = try text("issuer") }
      field["identities"] = [["identity": "somebody@example.com", "issuer": "x"], identity]
    }
    return field
  }

  /// A policy with these entries.
  ///
  /// - Parameter more: fields of the policy besides its entries and a threshold of one.
  func policy(_ entries: [[String: Any]], _ more: [String: Any] = [:]) throws -> TrustPolicy {
    let fields: [String: Any] = ["version": 1, "threshold": 1, "entries": entries].merging(more) { $1 }
    return try TrustPolicy(json: json(fields), with: [.sigstore])
  }

  /// An entry for all files.
  func entry(_ name: String, _ signers: [String: Any], formats: [String] = ["dsse"]) -> [String: Any] {
    ["name": name, "sigstore": signers, "files": ["*"], "modules": ["**"], "formats": formats]
  }

  /// Verifies the bundles of cases under a policy, as statements about the artifact.
  func verify(_ names: [String], _ policy: TrustPolicy) throws -> Verdict<VerifiedAttestation> {
    try verify(bundles: names.map { try json(testCase($0)["bundle"]) }, policy, at: now())
  }

  /// Verifies bundles under a policy, as statements about the artifact.
  func verify(
    bundles: [[UInt8]], _ policy: TrustPolicy, at time: UnixTime
  ) throws -> Verdict<VerifiedAttestation> {
    let content = try artifact()
    return try Verifier(policy: policy, clock: .fixed(time)).verify(
      .bytes(content), sha256: Digest.of(content, .sha256), signatures: .bytes(bundles),
      expecting: .attestation(nil, aboutBytesCalled: "tool", as: .unnamed))
  }
}
