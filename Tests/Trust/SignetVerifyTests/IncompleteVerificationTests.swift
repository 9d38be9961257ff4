import Foundation
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify
@testable import TrustTestSupport

/// A file whose kind is at fault: the engine must not take what was left out for what was found good.
private struct ForgetfulKind: ArtifactKind, ProvableKind {
  enum Fault: CaseIterable { case step, role }

  let file = FileKind(named: "plugin.zip", as: .unnamed)
  let fault: Fault

  var name: String { file.name }
  var steps: [Check.Step] { file.steps + (fault == .step ? [.structure] : []) }
  var predicateTypes: [PredicateType] { file.predicateTypes }
  var knownRole: ArtifactRole? { file.knownRole }
  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try LookedAtArtifact(file: artifact, as: self)
  }
  func role(by statement: Statement) -> ArtifactRole? { fault == .role ? nil : file.role(by: statement) }
  func compare(_ statement: Statement, _ check: inout StatementCheck) { file.compare(statement, &check) }
  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    try file.compareContent(statement, &check)
  }
  func prove(_ evidence: Evidence) -> VerifiedArtifact { file.prove(evidence) }
}

@Suite("verifications that leave something out") struct IncompleteVerificationTests {
  @Test(
    "a kind that forgets a step, or what it takes the artifact for, refuses", arguments: ForgetfulKind.Fault.allCases)
  private func forgotten(_ fault: ForgetfulKind.Fault) throws {
    let signed = try VerifierTests.Signed()
    let verdict = try Verifier(
      policy: TrustPolicy(trusting: [signed.key.publicKey]), clock: .fixed(VerifierTests.time)
    ).verify(
      .bytes(signed.artifact), signatures: .bytes([signed.bundle.canonicalBytes()]),
      expecting: Verifier.Expectation(ForgetfulKind(fault: fault)))
    #expect(VerifierTests.code(verdict) == .verificationIncomplete)
  }

  @Test("a policy that has expired refuses before the artifact is looked at")
  func expired() throws {
    let signed = try VerifierTests.Signed()
    var terms = TrustPolicy.Terms()
    terms.expires = UnixTime(seconds: VerifierTests.time.seconds - 1)
    let policy = try TrustPolicy(
      entries: [TrustEntry("publisher", .key(signed.key.publicKey), scope: .everything)], terms: terms)
    let source = CountedSource(signed.artifact)
    let verdict = try Verifier(policy: policy, clock: .fixed(VerifierTests.time)).verify(
      .source(source), signatures: .absent, expecting: .fileOrModule(named: "plugin.zip"))
    #expect(VerifierTests.code(verdict) == .policyExpired)
    #expect(source.read == 0)
  }

  @Test("a refusal as one error tells all of its reasons, whatever causes they have")
  func combined() throws {
    let inner = SignetError(.jsonSyntax, "line 1", "is not the beginning of a value")
    let reasons = [
      SignetError(.signatureMalformed, "a", "is not a valid Sigstore bundle", cause: inner),
      SignetError(.fileUnreadable, "b", "cannot be read", cause: SystemFailure("open", number: 13)),
      SignetError(.statementExpired, "c", "has a statement that has expired"),
    ]
    let text = "\(Refusal(reasons, []).combined)"
    for part in ["json.syntax", "signature.malformed", "file.unreadable", "statement.expired", "open: "] {
      #expect(text.components(separatedBy: part).count == 2, "\(part) in \(text)")
    }
    // A code that is a failure elsewhere is the reason of a verdict here.
    let unreadable = SignetError(.fileUnreadable, "b", "cannot be read")
    #expect(unreadable.nature == .failure)
    #expect(Refusal([unreadable], []).combined.nature == .refusal)
    #expect(Refusal([unreadable], []).combined.about("d").nature == .refusal)
  }
}
