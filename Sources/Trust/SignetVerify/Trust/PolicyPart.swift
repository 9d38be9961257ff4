package import SignetBase
package import SignetCrypto

/// What a policy may have besides what SignetVerify reads itself. Programs that need none of it do not compile it.
public enum PolicyPart: Sendable {
  /// A kind of entry.
  case entries(EntryKind)
  /// What the policy's ``TrustPolicy/timestampAuthorities`` state counts.
  case times(TimestampForm)
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
  /// What trusted authorities state about a signature, earliest first.
  ///
  /// A timestamp by somebody else does not count, and one that claims a trusted authority must hold.
  ///
  /// - Throws: if one does not hold or cannot be read.
  static func statements(
    _ timestamps: [[UInt8]], over signature: [UInt8], by authorities: [Certificate], at now: UnixTime
  ) throws(SignetError) -> [(time: UnixTime, authority: String)]
}

extension [PolicyPart] {
  var kinds: [EntryKind] { compactMap { if case .entries(let kind) = $0 { kind } else { nil } } }
  var timestamps: TimestampForm {
    lazy.compactMap { if case .times(let form) = $0 { form } else { nil } }.first ?? .none
  }
}
