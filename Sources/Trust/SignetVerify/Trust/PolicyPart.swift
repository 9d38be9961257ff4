package import SignetBase
package import SignetCrypto

/// What a policy may have that SignetVerify does not read itself.
public enum PolicyPart: Sendable {
  /// A kind of entry.
  case entries(EntryKind)
  /// What the policy's ``TrustPolicy/Terms/timestampAuthorities`` state counts.
  case timestampForm(TimestampForm)
  /// What the policy's ``TrustPolicy/Terms/statusResponses`` are.
  case statusForm(StatusForm)
  /// What introduces the keys that follow an entry's own.
  case successionForm(SuccessionForm)
}

/// A kind of entry whose signers others vouch for.
public struct EntryKind: Sendable {
  let signers: any VouchedSigners.Type

  package init(_ signers: any VouchedSigners.Type) { self.signers = signers }
}

/// A form of timestamps over signatures, and what verifies them.
public struct TimestampForm: Hashable, Sendable {
  let verifier: (any TimestampVerifier.Type)?

  /// None: no timestamp counts.
  public static let none = TimestampForm(nil)

  package init(_ verifier: (any TimestampVerifier.Type)?) { self.verifier = verifier }

  /// All forms are equal: what verifies timestamps is no part of what a policy says.
  public static func == (left: Self, right: Self) -> Bool { true }
  /// Nothing is hashed, as all forms are equal.
  public func hash(into hasher: inout Hasher) {}
}

/// A form of what responders say of single certificates, and what reads it.
public struct StatusForm: Sendable {
  let statements: any CertificateStatements.Type
  package init(_ statements: any CertificateStatements.Type) { self.statements = statements }
}

/// What responders have said of single certificates, fetched beforehand: nobody is asked while something is verified.
public struct StapledResponses: Hashable, Sendable {
  /// The responses in DER.
  public let responses: [[UInt8]]
  package var statements: (any CertificateStatements)? { read.first }
  private let read: [any CertificateStatements]

  /// Nothing was said.
  public static let none = StapledResponses()

  private init() { (responses, read) = ([], []) }

  package init(_ responses: [[UInt8]], in form: StatusForm) throws(SignetError) {
    self.responses = responses
    read = [try form.statements.init(reading: responses)]
  }

  /// Responses are equal if their DER is equal.
  public static func == (left: Self, right: Self) -> Bool { left.responses == right.responses }
  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(responses) }
}

/// Verifies the timestamps over a signature.
package protocol TimestampVerifier: Sendable {
  /// The times that trusted authorities state, earliest first: one of each authority, by whatever certificates.
  ///
  /// A timestamp by somebody else does not count, and one that claims a trusted authority must hold.
  /// - Parameters:
  ///   - statements: what responders have said of the authorities' certificates.
  ///   - isRevoked: whether the policy revokes an authority at the time that it states.
  /// - Throws: if one does not hold or cannot be read.
  static func times(
    _ timestamps: [[UInt8]], over signature: [UInt8], by authorities: [Certificate], _ lists: [RevocationList],
    statements: (any CertificateStatements)?, at now: UnixTime, _ isRevoked: (StatedTime) -> Bool
  ) throws(SignetError) -> [StatedTime]
}

/// A time at which a signature was there, and the certificates of the authority that states it.
package struct StatedTime: Sendable {
  package let time: UnixTime
  package let path: CertificatePath

  package init(_ time: UnixTime, _ path: CertificatePath) { (self.time, self.path) = (time, path) }
}

extension [PolicyPart] {
  var kinds: [EntryKind] { compactMap { if case .entries(let kind) = $0 { kind } else { nil } } }
  var timestamps: TimestampForm {
    lazy.compactMap { if case .timestampForm(let form) = $0 { form } else { nil } }.first ?? .none
  }
  var succession: SuccessionForm? {
    lazy.compactMap { if case .successionForm(let form) = $0 { form } else { nil } }.first
  }
  var status: StatusForm? { lazy.compactMap { if case .statusForm(let form) = $0 { form } else { nil } }.first }
}
