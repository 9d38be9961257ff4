package import SignetBase
package import SignetCrypto

/// What a policy may have that SignetVerify does not read itself.
public enum PolicyPart: Sendable {
  /// A kind of entry.
  case entries(EntryKind)
  /// What the policy's ``TrustPolicy/Terms/timestampAuthorities`` state counts.
  case timestampForm(TimestampForm)
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

/// Verifies the timestamps over a signature.
package protocol TimestampVerifier: Sendable {
  /// The times that trusted authorities state, earliest first: one of each authority, by whatever certificates.
  ///
  /// A timestamp by somebody else does not count, and one that claims a trusted authority must hold.
  /// - Parameter isRevoked: whether the policy revokes an authority at the time that it states.
  /// - Throws: if one does not hold or cannot be read.
  static func times(
    _ timestamps: [[UInt8]], over signature: [UInt8], by authorities: [Certificate], _ lists: [RevocationList],
    at now: UnixTime, _ isRevoked: (StatedTime) -> Bool
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
}
