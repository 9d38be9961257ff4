import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// The field `summary` of a policy.
@Suite struct SummaryCodingTests {
  private static let keys = Result { try (0..<2).map { _ in try PrivateKey.generate(.ed25519).publicKey } }

  private func entry(_ name: String, _ key: PublicKey) -> String {
    #"{"files":["*"],"key":"\#(Base64.encode(key.der))","name":"\#(name)"}"#
  }

  private func text(_ summary: String, publisher: String = "one") throws -> String {
    #"{"entries":[\#(entry(publisher, try Self.keys.get()[0]))],"summary":\#(summary),"threshold":1,"version":1}"#
  }

  @Test("a demand reads back as it was written, with what is usual left out")
  func roundTrip() throws {
    let gate = entry("gate", try Self.keys.get()[1])
    let usual = try text(#"{"signers":[\#(gate)]}"#)
    let policy = try TrustPolicy(json: Array(usual.utf8))
    #expect(policy.summary?.verifier == "urn:signet:gate")
    #expect(policy.summary?.signers.map(\.name) == ["gate"])
    #expect(String(decoding: try policy.canonicalBytes(), as: UTF8.self) == usual)
    let digest = String(repeating: "0a", count: 32)
    let whole = try text(
      #"{"levels":["SLSA_BUILD_LEVEL_3","own"],"policySHA256":"\#(digest)","signers":[\#(gate)],"verifier":"urn:v"}"#)
    let other = try TrustPolicy(json: Array(whole.utf8))
    #expect(other.summary?.levels == ["SLSA_BUILD_LEVEL_3", "own"])
    #expect(other.summary?.policySHA256?.hex == digest)
    #expect(other.summary?.verifier == "urn:v")
    #expect(String(decoding: try other.canonicalBytes(), as: UTF8.self) == whole)
    // Whoever changes another term keeps the demand.
    #expect(try TrustPolicy(entries: other.entries, terms: other.terms) == other)
    #expect(other != policy)
  }

  @Test("a demand that nothing could meet, or that demands nothing, is refused")
  func refused() throws {
    let keys = try Self.keys.get()
    let gate = entry("gate", keys[1])
    func refused(_ code: SignetError.Code, _ summary: String, publisher: String = "one") throws {
      let text = Array(try text(summary, publisher: publisher).utf8)
      expectError(code) { _ = try TrustPolicy(json: text) }
    }
    try refused(.policyEntry, "{}")
    try refused(.policyEntry, #"{"signers":[]}"#)
    try refused(.policyMalformed, "7")
    try refused(.policyMalformed, #"{"signers":7}"#)
    try refused(.policyUnknownField, #"{"signers":[\#(gate)],"signer":1}"#)
    try refused(.policyUnknownField, #"{"signers":[\#(gate.dropLast()),"x":1}]}"#)
    try refused(.policyEntry, #"{"signers":[\#(gate)],"verifier":""}"#)
    try refused(.policyEntry, #"{"signers":[\#(gate)],"levels":[""]}"#)
    try refused(.policyMalformed, #"{"signers":[\#(gate)],"levels":"x"}"#)
    try refused(.policyMalformed, #"{"signers":[\#(gate)],"policySHA256":"00"}"#)
    try refused(.policyMalformed, #"{"signers":[\#(gate)],"policySHA256":"\#(String(repeating: "0A", count: 32))"}"#)
    try refused(.policyDuplicate, #"{"signers":[\#(gate),\#(gate)]}"#)
    try refused(.policyDuplicate, #"{"signers":[\#(gate)]}"#, publisher: "gate")
    // One key could publish anything and pass it.
    try refused(.policyDuplicate, #"{"signers":[\#(entry("gate", keys[0]))]}"#)
    let test = try PublicKey(file: SecretBytes(Repository.bytes("keys/insecure-test-ed25519.pub")))
    try refused(.policyTestKey, #"{"signers":[\#(entry("gate", test))]}"#)
  }
}
