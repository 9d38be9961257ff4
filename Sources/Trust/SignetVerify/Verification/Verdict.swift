public import SignetBase
internal import SignetCrypto

/// The verdict of a verification: a proof, or every reason to refuse.
public enum Verdict<Proof: VerificationProof>: Sendable {
  /// The artifact was verified, with this proof.
  case verified(Proof)
  /// The artifact was refused, with these reasons.
  case refused(Refusal)

  /// Returns the proof, or throws the refusal.
  ///
  /// - Throws: the ``Refusal``, for callers that cannot continue without a proof.
  public func get() throws(Refusal) -> Proof {
    switch self {
    case .verified(let proof): return proof
    case .refused(let refusal): throw refusal
    }
  }

  /// Every step, in order: passed, failed, or skipped and why.
  public var checks: [Check] {
    switch self {
    case .verified(let proof): proof.checks
    case .refused(let refusal): refusal.checks
    }
  }
}

/// The refusal of an artifact: the reasons, and every step of the verification.
public struct Refusal: Error, Sendable {
  /// Every reason, the most telling first. The list is never empty.
  public let reasons: [SignetError]
  /// Every step, in order: passed, failed, or skipped and why.
  public let checks: [Check]

  /// The most telling reason.
  public var reason: SignetError { reasons[0] }

  init(_ reasons: [SignetError], _ checks: [Check]) {
    precondition(!reasons.isEmpty)
    self.reasons = reasons.enumerated()
      .sorted { (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset) }.map(\.element)
    self.checks = checks
  }

  /// Reasons about tampering come first, then faults of other kinds, then reasons about untrusted signers.
  ///
  /// With several bundles beside an artifact, an untrusted signer's bundle must not hide that the trusted one fails.
  private static let order: [SignetError.Code] = [
    .signatureInvalid, .policyRevoked, .digestMismatch, .directoryTypeMismatch, .directoryTargetMismatch,
    .directoryMissingEntry, .directoryExtraEntry, .directoryModeMismatch, .directoryMoreDifferences,
    .signatureMalformed, .policyRollback, .statementExpired, .manifestIdentifierMismatch, .subjectName,
    .statementPredicateType, .signerRevoked,
  ]

  private static func rank(_ reason: SignetError) -> Int {
    if let index = order.firstIndex(of: reason.code) { return index }
    return [.signerUntrusted, .signerCertificate, .chainUntrusted].contains(reason.code)
      ? order.count + 1 : order.count
  }
}

extension Refusal: CustomStringConvertible {
  /// The reasons, one on each line.
  public var description: String { reasons.map { "\($0)" }.joined(separator: "\n") }
}
