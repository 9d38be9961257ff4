internal import SignetBase
internal import SignetCrypto

/// The search for the verification summary that a policy demands, among the bundles of an artifact.
///
/// Bundles with summaries are set apart before the others are examined: they say nothing about who publishes the
/// artifact. A bundle is set apart only if a signer of summaries has signed it and its statement is a summary. So no
/// other bundle escapes its examination.
struct SummarySearch {
  private var policy: PolicyInForce
  private let requirement: SummaryRequirement
  /// What messages call the artifact.
  private let name: String
  private var summaries: [Found] = []
  /// What claims to be by a signer of summaries, and is not.
  private(set) var forgeries: [SignetError] = []
  /// Why bundles by a signer of summaries do not count.
  private var notes: [SignetError] = []
  /// The bundles that were set apart, in their order.
  package private(set) var bundles: [EncodedBundle] = []

  private struct Found {
    let label: String
    let signer: FoundSigner
    let statement: Statement
  }

  /// - Returns: nil if the policy demands no summary.
  init?(_ policy: PolicyInForce, _ name: String) {
    guard let requirement = policy.policy.summary else { return nil }
    self.policy = PolicyInForce(requirement, of: policy.policy, policy.now, policy.revocations)
    self.requirement = requirement
    self.name = name
  }

  /// Sets a bundle apart if it is a summary, or claims to be by a signer of summaries and is not.
  ///
  /// A bundle that cannot be read is left to the examination, which says what is wrong with it.
  ///
  /// - Returns: whether the bundle was set apart.
  /// - Throws: if the outcome could not be determined.
  mutating func take(_ encoded: EncodedBundle) throws(SignetError) -> Bool {
    // In an archive, all bundles have one statement: the publisher's.
    guard !encoded.isAttached, let bundle = try? encoded.bundle() else { return false }
    policy.revocations.note(certificatesOf: bundle)
    do throws(SignetError) {
      switch try SignerSearch(policy, bundle, encoded.label).run() {
      case .stranger(let reasons):
        // Of others, it is no news that they are no signers of summaries.
        notes += reasons.filter { [.signerRevoked, .signerOutsideWindow].contains($0.code) }
        return false
      case .forged(let reason), .broken(let reason, _): forgeries.append(reason)
      case .found(let signer):
        let statement: Statement
        do throws(SignetError) {
          statement = try Statement(payload: bundle.envelope.payload)
        } catch {
          notes.append(error.about("\(encoded.label): \(error.object)"))
          return false
        }
        guard statement.predicateType == SummaryPredicate.type else { return false }
        summaries.append(Found(label: encoded.label, signer: signer, statement: statement))
      }
    } catch  where error.code == .signatureMalformed {
      return false
    }
    bundles.append(encoded)
    return true
  }

  /// Judges whether the summaries are what the policy demands.
  ///
  /// The digest that a summary is about is compared with the publisher's statement, which is compared with the
  /// artifact: both digests of the artifact, where it has two.
  ///
  /// - Parameter signatures: the publishers' signatures that count.
  /// - Returns: what was found, or every reason why no summary is the demanded one.
  func judge(_ signatures: [CountedSignature]) -> Result<String, Objections> {
    var found = ""
    let publishers = signatures.reduce(into: Set<Holder>()) { $0.formUnion($1.signer.holders) }
    for signature in signatures {
      switch summary(for: signature, by: publishers) {
      case .success(let words): found = words
      case .failure(let objections): return .failure(objections)
      }
    }
    return .success(found)
  }

  /// Every reason why no summary is the demanded one; at least one.
  struct Objections: Error {
    let reasons: [SignetError]
  }

  private func summary(
    for signature: CountedSignature, by publishers: Set<Holder>
  ) -> Result<String, Objections> {
    var reasons = notes
    for summary in summaries {
      let objections = objections(to: summary, for: signature, by: publishers)
      if objections.isEmpty {
        let signer = policy.names(of: summary.signer).joined(separator: " or ")
        return .success("\(SummaryPredicate.passed) by \(requirement.verifier), signed by \(signer)")
      }
      reasons += objections
    }
    guard reasons.isEmpty else { return .failure(Objections(reasons: reasons)) }
    let names = requirement.signers.map(\.name).joined(separator: " or ")
    return .failure(
      Objections(reasons: [
        SignetError(
          .policySummary, name, "has no verification summary, which the policy demands",
          expected: "a summary by \(requirement.verifier), signed by \(names)",
          hint: "get the summary from the artifact's publisher, and put it beside the artifact as "
            + BundleFile.single("\(name).\(SummaryPredicate.label)"))
      ]))
  }

  private func objections(
    to summary: Found, for signature: CountedSignature, by publishers: Set<Holder>
  ) -> [SignetError] {
    let (allowed, outOfScope) = policy.restrict(summary.signer, to: signature.role, summary.label)
    guard allowed != nil else { return outOfScope }
    // A policy may reach one key by two certificates, which nobody sees in it.
    guard publishers.isDisjoint(with: summary.signer.holders) else {
      return [
        SignetError(
          .policySummary, summary.label, "is signed by a publisher of the artifact",
          expected: "a key of the verifier's",
          found: "\(summary.signer.key.id)", hint: "have somebody else verify the artifact")
      ]
    }
    let statement = signature.signature.statement
    guard summary.statement.subjects.contains(where: { $0.digest == statement.subjectDigest }) else {
      return [
        SignetError(
          .policySummary, summary.label, "is about other bytes than the artifact's",
          expected: "\(statement.subjectDigest)",
          found: summary.statement.subjects.prefix(3).map { "\($0.digest)" }.joined(separator: ", "),
          hint: Self.hint)
      ]
    }
    do throws(SignetError) {
      let predicate = summary.statement.foreignPredicate ?? .object()
      let read = try SummaryPredicate(JSONObject(predicate, "predicate", unknownField: .statementUnknownField))
      return [requirement.objection(to: read, summary.label) ?? objection(to: read, summary.label, for: signature)]
        .compactMap(\.self)
    } catch {
      return [
        SignetError(
          .policySummary, summary.label,
          "is no verification summary that can be read: \(error.object) \(error.message)",
          expected: error.expected, found: error.found,
          hint: "get a summary from a verifier that follows \(SummaryPredicate.type.uri)")
      ]
    }
  }

  private static let hint = "get the summary of this release from the artifact's publisher"

  /// Why a summary is about something else that has the artifact's digest; nil if it is about the artifact.
  ///
  /// The statement says what the bytes are: under which name, as a file or as a module, and what is in a directory.
  private func objection(
    to summary: SummaryPredicate, _ label: String, for signature: CountedSignature
  ) -> SignetError? {
    let type = signature.predicateType
    guard let statements = summary.statements else {
      // Of a file, there is nothing to know but its bytes.
      guard type != .file else { return nil }
      return SignetError(
        .policySummary, label, "does not say which statement of the publisher it is about",
        expected: "\(SummaryPredicate.statementsField), because this is no plain file",
        hint: "let a verifier make the summary that names the statement, such as signet gate")
    }
    let payload = signature.signature.payloadDigest
    let wanted = SummaryPredicate.VerifiedStatement(type: type.uri, payload: payload)
    guard !statements.contains(wanted) else { return nil }
    return SignetError(
      .policySummary, label, "is about another statement of the publisher", expected: "\(type), \(payload)",
      found: statements.prefix(3).map { "\($0.type), \($0.payload)" }.joined(separator: "; "), hint: Self.hint)
  }
}
