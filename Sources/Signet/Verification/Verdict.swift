public import SignetBase
internal import SignetCrypto

/// How a verification ended: with a proof, or with every reason against.
public enum Verdict<Proof: VerificationProof>: Sendable {
  /// The proof.
  case verified(Proof)
  /// The reasons.
  case refused(Refusal)

  /// The proof.
  ///
  /// - Throws: the refusal, for whoever goes no other way on.
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

/// Why an artifact was refused.
public struct Refusal: Error, Sendable {
  /// Every reason, the most telling first; never empty.
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

  /// What was tampered with comes before what does not fit, and that before who is not trusted: with several bundles
  /// beside an artifact the bundle of a stranger must not hide that the trusted one fails.
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

  /// The reasons as one error, for whoever has room for one: the most telling, and each other as the cause of the one
  /// before it that has none of its own.
  package var combined: SignetError {
    reasons.dropLast().reversed().reduce(reasons[reasons.count - 1]) { rest, reason in
      var reason = reason
      if reason.cause == nil { reason.cause = rest }
      return reason
    }
  }
}

extension Refusal: CustomStringConvertible {
  /// The reasons, a line each.
  public var description: String { reasons.map { "\($0)" }.joined(separator: "\n") }
}
