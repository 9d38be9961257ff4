import OtherSignatures
import SignetBase
import SignetCrypto
import SignetSystem
import SignetVerify
import TestSupport
import Testing

/// A program that verifies signatures of other programs beside a file.
struct VerifyingTests {
  @Test("a program verifies a download by the key of minisign that its publisher has had for years")
  func minisign() throws {
    let folder = try TemporaryFolder()
    let vector = try Vector.named("minisign", in: "others")
    try vector.write(into: folder)
    let key = try #require(try MinisignKey(vector.bytes("k.pub")))
    #expect(key.formats.map(\.rawValue) == ["minisign:0807060504030201"])
    let entry = try TrustEntry("ann", .key(key.key), scope: .everything, formats: key.formats)
    let policy = try TrustPolicy(entries: [entry])
    let tool = folder.file("tool")
    let source = try SignatureSource.beside(tool).adding(othersBeside: tool, for: policy)
    let verifier = Verifier(policy: policy, clock: .system)
    let verdict = try verifier.verify(
      .file(RegularFile(opening: tool)), signatures: source, expecting: .file(named: "tool"))
    guard case .verified(let proof) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(proof.signatures.map(\.entries) == [["ann"]])
    #expect(proof.signatures.first?.format?.rawValue == "minisign:0807060504030201")
    #expect(proof.signatures.first?.remarks.map(\.name) == ["comment"])
    // A key that is trusted for bundles alone says nothing by minisign.
    let other = try TrustPolicy(trusting: [key.key])
    let none = try SignatureSource.beside(tool).adding(othersBeside: tool, for: other)
    let refusal = try Verifier(policy: other, clock: .system).verify(
      .file(RegularFile(opening: tool)), signatures: none, expecting: .file(named: "tool"))
    guard case .refused(let reasons) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(reasons.reasons.map(\.code) == [.signatureMissing])
    #expect(try MinisignKey(Array("RWQ=".utf8)) == nil)
  }
}
