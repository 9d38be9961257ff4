import Foundation
import OtherSignatures
import TestSupport
import Testing

extension OtherSignatureTests {
  @Test("an envelope without a bundle, alone or one a line, with what it states and whom its certificate names")
  func envelope() throws {
    func envelope(_ type: String, _ more: String = "") -> String {
      let payload = Data(#"{"_type": "https://in-toto.io/Statement/v0.1", "predicateType": "\#(type)"}"#.utf8)
      return #"{"payloadType": "application/vnd.in-toto+json", "payload": "\#(payload.base64EncodedString())", "#
        + #""signatures": [{"keyid": "", "sig": "AAEC"\#(more)}]}"#
    }
    let provenance = Self.read(envelope("https://slsa.dev/provenance/v0.2"))
    #expect(provenance?.format == .envelope)
    #expect(Self.claims(provenance) == ["states https://slsa.dev/provenance/v0.2"])
    #expect(
      provenance?.command(verifying: "a", signature: "b")
        == "slsa-verifier verify-artifact a --provenance-path b --source-uri github.com/OWNER/NAME")
    let other = Self.read(envelope("https://example.com/a") + "\n" + envelope("https://example.com/b") + "\n")
    #expect(Self.claims(other) == ["states https://example.com/a"])
    #expect(
      other?.command(verifying: "a", signature: "b")
        == "cosign verify-blob-attestation a --signature b --key KEY.pub --type TYPE")
    let pem = try Repository.text("Tests/Vectors/models/authority.pem")
    let named = Self.read(envelope("https://example.com/a", ", \"cert\": \(String(reflecting: pem))"))
    #expect(try #require(Self.claims(named)).count > 1)
    // One without signatures, and a bundle, are something else.
    #expect(Self.read(#"{"payloadType": "a", "payload": "e30=", "signatures": []}"#) == nil)
    #expect(Self.read(#"{"dsseEnvelope": {}, "mediaType": "a"}"#) == nil)
  }
}
