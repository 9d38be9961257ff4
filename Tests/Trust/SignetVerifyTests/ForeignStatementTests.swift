import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct ForeignStatementTests {
  private static let type = PredicateType("https://example.com/report")
  private static let time = UnixTime(seconds: 1_800_000_000)
  private static let key = Result { try PrivateKey.generate(.ed25519) }

  private func digest(_ byte: UInt8) throws -> String { try Digest.of([byte], .sha256).hex }

  /// A statement of another program with these subjects.
  private func payload(_ subjects: String, type: PredicateType = Self.type) -> [UInt8] {
    Array(
      """
      {"_type":"https://in-toto.io/Statement/v1","subject":[\(subjects)],"predicateType":"\(type)","predicate":{}}
      """.utf8)
  }

  private func verdict(
    _ payload: [UInt8], _ bytes: [UInt8], named name: String, known digest: Digest? = nil
  ) throws -> Verdict<VerifiedAttestation> {
    let key = try Self.key.get()
    let signature = try key.sign(Envelope.preAuthenticationEncoding(of: payload))
    let text = try SigstoreBundle(payload: payload, signature: signature, key: key.publicKey.id).canonicalBytes()
    let verifier = Verifier(policy: try TrustPolicy(trusting: [key.publicKey]), clock: .fixed(Self.time))
    guard let digest else {
      return try verifier.verify(
        .bytes(bytes), signatures: .bytes([text]), expecting: .attestation(Self.type, about: name))
    }
    return try verifier.verify(
      .bytes(bytes), sha256: digest, signatures: .bytes([text]), expecting: .attestation(Self.type, about: name))
  }

  @Test("of several subjects, the artifact is compared with the one of its name")
  func severalSubjects() throws {
    let payload = payload(
      """
      {"name":"a","digest":{"sha256":"\(try digest(1))","sha384":"0"}},{"name":"b","uri":"x:y","digest":{\
      "sha256":"\(try digest(2))"}},{"digest":{"sha256":"\(try digest(3))"}},{"name":"c","digest":{"sha1":"0"}}
      """)
    let proof = try verdict(payload, [2], named: "b").get()
    #expect(proof.signatures.map(\.statement.subjectName) == ["b"])
    #expect(proof.signatures.map(\.statement.subjectDigest.hex) == [try digest(2)])
    #expect(VerifierTests.code(try verdict(payload, [1], named: "b")) == .digestMismatch)
    #expect(VerifierTests.code(try verdict(payload, [2], named: "a")) == .digestMismatch)
    // Where a name is demanded, neither it nor a digest alone is enough.
    for name in ["", "c", "d"] {
      #expect(VerifierTests.code(try verdict(payload, [3], named: name)) == .subjectName)
    }
  }

  @Test("a known digest decides between subjects of the same name, and is believed")
  func knownDigest() throws {
    let payload = payload(
      #"{"name":"a","digest":{"sha256":"\#(try digest(1))"}},{"name":"a","digest":{"sha256":"\#(try digest(2))"}}"#)
    let known = try Digest.of([2], .sha256)
    #expect(try verdict(payload, [2], named: "a", known: known).get().sha256 == known)
    #expect(VerifierTests.code(try verdict(payload, [2], named: "a")) == .digestMismatch)
    let other = try Digest.of([3], .sha256)
    #expect(VerifierTests.code(try verdict(payload, [2], named: "a", known: other)) == .digestMismatch)
  }

  @Test("subjects that nothing could be compared with are refused, and so are several of Signet's own")
  func refusedSubjects() throws {
    let one = #"{"name":"a","digest":{"sha256":"\#(try digest(1))"}}"#
    func refused(_ code: SignetError.Code, _ subjects: String, _ type: PredicateType = Self.type) {
      expectError(code) { _ = try Statement(payload: payload(subjects, type: type)) }
    }
    refused(.statementSubjectCount, "")
    refused(.statementMalformed, "7")
    refused(.statementMalformed, #"\#(one),{"name":"b"}"#)
    refused(.statementMalformed, #"\#(one),{"name":7,"digest":{}}"#)
    refused(.statementDigestLength, #"{"name":"a","digest":{"sha512":"0"}}"#)
    refused(.statementDigestForm, #"{"digest":{"sha512":"\#(String(repeating: "G", count: 128))"}}"#)
    refused(.statementDigestAlgorithm, #"{"name":"a","digest":{}},{"digest":{"sha1":"0"}}"#)
    refused(.statementDigestLength, #"\#(one),{"name":"b","digest":{"sha256":"00"}}"#)
    refused(.statementDigestForm, #"{"name":"a","digest":{"sha256":"\#(String(repeating: "G", count: 64))"}}"#)
    refused(.statementSubjectCount, "\(one),\(one)", .file)
    refused(.statementDigestAlgorithm, #"{"name":"a","digest":{"sha256":"\#(try digest(1))","sha1":"0"}}"#, .file)
  }

  @Test("a statement with several subjects is written as it was read")
  func rewritten() throws {
    let subjects =
      #"{"digest":{"sha256":"\#(try digest(1))","sha384":"0"},"name":"a"},{"digest":{"sha1":"0"},"uri":"x:y"}"#
    let text = try Statement(payload: payload(subjects)).canonicalBytes()
    #expect(
      String(decoding: text, as: UTF8.self) == """
        {"_type":"https://in-toto.io/Statement/v1","predicate":{},"predicateType":"https://example.com/report",\
        "subject":[\(subjects)]}
        """)
    #expect(try Statement(payload: text).canonicalBytes() == text)
  }

  @Test("a signer makes statements of other programs' types, which verify")
  func signing() throws {
    let signer = try Signer(Self.key.get())
    let bundle = try signer.sign(
      .object(("passed", JSONValue(.bool(true)))), of: Self.type, about: "linux/a", digests: [Digest.of([1], .sha256)]
    )
    #expect(
      String(decoding: bundle.envelope.payload, as: UTF8.self) == """
        {"_type":"https://in-toto.io/Statement/v1","predicate":{"passed":true},"predicateType":\
        "https://example.com/report","subject":[{"digest":{"sha256":"\(try digest(1))"},"name":"linux/a"}]}
        """)
    #expect(bundle.claimedKeyIDs == ["\(signer.publicKey.id)"])
    let proof = try verdict(bundle.envelope.payload, [1], named: "linux/a").get()
    #expect(proof.signatures.map(\.statement.subjectName) == ["linux/a"])
  }

  @Test("a type that a later Signet may have is not taken for another program's")
  func laterType() throws {
    let subject = #"{"name":"a","digest":{"sha256":"\#(try digest(1))"}}"#
    #expect(try Statement(payload: payload(subject)).predicateType == Self.type)
    expectError(.statementPredicateType) {
      _ = try Statement(payload: payload(subject, type: PredicateType("urn:signet:later:v1")))
    }
  }

  @Test("a signer does not let others' predicates pass for its own, and signs nothing that it could not read")
  func refusedSigning() throws {
    let signer = try Signer(Self.key.get())
    let sha256 = try Digest.of([1], .sha256)
    func refused(
      _ code: SignetError.Code, _ predicate: JSONValue = .object(), type: PredicateType = Self.type,
      name: String = "a", digest: Digest
    ) {
      expectError(code) { _ = try signer.sign(predicate, of: type, about: name, digests: [digest]) }
    }
    for type in [PredicateType.file, .directory, .module, .hostManifest, PredicateType("urn:signet:later:v1")] {
      refused(.statementPredicateType, type: type, digest: sha256)
    }
    refused(.statementDigestAlgorithm, digest: try Digest.of([1], .sha512))
    refused(.signingName, name: "", digest: sha256)
    refused(.signingName, name: "a\0", digest: sha256)
    refused(.statementMalformed, .array([]), digest: sha256)
    refused(.jsonNumber, .object(("ratio", JSONValue(.decimal("0.5")))), digest: sha256)
  }
}
