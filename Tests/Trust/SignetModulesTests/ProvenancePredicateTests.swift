import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct ProvenancePredicateTests {
  private static let commit = String(repeating: "a", count: 40)

  private func read(_ dependencies: String) throws -> ProvenancePredicate {
    let text = """
      {"buildDefinition": {"buildType": "https://example.com/build", "externalParameters": {}\(dependencies)},
       "runDetails": {"builder": {"id": "https://example.com"}}}
      """
    return try ProvenancePredicate(JSONReader.read(Array(text.utf8), limits: JSONLimits.payload))
  }

  @Test("what a package states of its source reads as the same source")
  func own() throws {
    let predicate = ProvenancePredicate(repository: "https://example.com/player.git", commit: Self.commit)
    let again = try ProvenancePredicate(predicate.json(tag: "1.0.0", spec: "a/Player.modspec.json"))
    #expect(again == predicate)
    #expect(again.words == "\(Self.commit) of https://example.com/player.git")
    #expect(again != ProvenancePredicate(repository: "https://example.com/Player.git", commit: Self.commit))
  }

  @Test(
    "the source is the only repository among the dependencies, also as other builders write it",
    arguments: [
      #"{"uri": "git+https://a.example/r@refs/tags/1", "digest": {"gitCommit": "\#(commit)"}}"#,
      #"{"uri": "git+https://a.example/r@refs/heads/m", "digest": {"sha1": "\#(commit)"}}"#,
      #"{"uri": "git+https://a.example/r", "digest": {"gitCommit": "\#(commit)", "sha1": "x"}}, {"uri": "https://b/c"}"#,
      #"{"name": "image"}, {"uri": "git+https://a.example/r#x", "digest": {"gitCommit": "\#(commit)"}, "more": 1}"#,
    ])
  func foreign(_ dependencies: String) throws {
    let predicate = try read(#", "resolvedDependencies": [\#(dependencies)]"#)
    #expect(predicate == ProvenancePredicate(repository: "https://a.example/r", commit: Self.commit))
  }

  @Test(
    "a provenance that does not name one commit is refused",
    arguments: [
      "", #", "resolvedDependencies": []"#, #", "resolvedDependencies": [{"uri": "https://a"}]"#,
      #", "resolvedDependencies": [{"uri": "git+https://a", "digest": {"gitCommit": "main"}}]"#,
      #", "resolvedDependencies": [{"uri": "git+https://a", "digest": {"gitCommit": "\#(commit.uppercased())"}}]"#,
      #", "resolvedDependencies": [{"uri": "git+https://a", "digest": {"gitCommit": "\#(commit)"}}, {"uri": "git+https://b", "digest": {"gitCommit": "\#(commit)"}}]"#,
    ])
  func refused(_ dependencies: String) {
    expectError(.jsonWrongValue) { _ = try read(dependencies) }
  }

  @Test("a repository without the digest of a commit is refused")
  func withoutCommit() {
    for digest in ["", #", "digest": {}"#, #", "digest": {"sha256": "00"}"#] {
      expectError(.jsonMissingField) {
        _ = try read(#", "resolvedDependencies": [{"uri": "git+https://a"\#(digest)}]"#)
      }
    }
  }

  @Test("a statement about several files is about each of them under any name, and about no other bytes")
  func anyName() throws {
    let key = try PrivateKey.generate(.ed25519)
    let release = try ModuleDescription(
      json: Array(#"{"identifier": "com.example.player", "version": "1.0.0", "sequence": 4}"#.utf8))
    let predicate = ProvenancePredicate(repository: "https://a.example/r", commit: Self.commit)
    let (first, second, other): ([UInt8], [UInt8], [UInt8]) = ([1], [2], [3])
    let bundle = try Signer(key).sign(
      predicate.json(tag: "1", spec: "s"), of: ProvenancePredicate.type,
      about: [("A.zip", Digest.of(first, .sha256)), ("B.zip", Digest.of(second, .sha256))])
    func verify(
      _ bytes: [UInt8], _ scope: TrustScope, _ type: PredicateType = ProvenancePredicate.type, floor: Int = 1
    ) throws {
      var terms = TrustPolicy.Terms()
      terms.floors = [release.identifier: floor]
      let policy = try TrustPolicy(entries: [TrustEntry("key", .key(key.publicKey), scope: scope)], terms: terms)
      let verdict = try Verifier(policy: policy, clock: .fixed(UnixTime(seconds: 0))).verify(
        .bytes(bytes), sha256: Digest.of(bytes, .sha256), signatures: .bytes([bundle.canonicalBytes()]),
        expecting: .attestation(type, aboutBytesCalled: "source.zip", of: release))
      if case .refused(let refusal) = verdict { throw refusal.reason }
    }
    let scope = TrustScope(modules: [try #require(ModulePattern("com.example.**"))])
    try verify(first, scope)
    try verify(second, scope)
    expectError(.digestMismatch) { try verify(other, scope) }
    expectError(.statementPredicateType) { try verify(first, scope, PredicateType("https://example.com/other")) }
    let elsewhere = TrustScope(modules: [try #require(ModulePattern("org.example.**"))])
    expectError(.signerOutOfScope) { try verify(first, elsewhere) }
    // The policy's floor holds for every file of a release.
    try verify(first, scope, floor: 4)
    expectError(.policyRollback) { try verify(first, scope, floor: 5) }
  }
}
