package import SignetBase
internal import SignetCMS
package import SignetCrypto
public import SignetVerify

/// The tokens of RFC 3161 over signatures by keys and certificates, for policies with ``TrustPolicy/timestampAuthorities``.
package enum SignatureTimes: TimestampVerifier {
  /// How many seconds the authority's clock may be ahead of this one: a signature is often verified as soon as it is made.
  private static let clockTolerance: Int64 = 60

  /// - Throws: `timestamp.…`, `cms.…`, `chain.…`; `crypto.failure`.
  package static func statements(
    _ timestamps: [[UInt8]], over signature: [UInt8], by authorities: [Certificate], at now: UnixTime
  ) throws(SignetError) -> [(time: UnixTime, authority: String)] {
    let trusted = authorities.compactMap { TimestampAuthority([$0]) }
    var statements: [(time: UnixTime, authority: String)] = []
    for der in timestamps {
      let token = try TimestampToken(der: der)
      let authority: TimestampAuthority
      do throws(SignetError) {
        authority = try token.check(over: signature, by: trusted)
      } catch  where [.timestampAuthority, .chainUntrusted].contains(error.code) {
        continue
      }
      guard token.info.time.seconds <= now.seconds + clockTolerance else {
        throw SignetError(
          .timestampOutsideWindow, "timestamp", "is of a time that has not come yet", expected: "\(now) or earlier",
          found: "\(token.info.time)", hint: "set this machine's clock, if it is wrong")
      }
      statements.append((min(token.info.time, now), "\(authority)"))
    }
    return statements.sorted { $0.time < $1.time }
  }
}

extension PolicyPart {
  /// Timestamps by RFC 3161: a signature by a key or certificate is judged at the time that one of the policy's authorities
  /// states.
  public static let timestamps = PolicyPart.times(.rfc3161)
}

extension TimestampForm {
  /// Tokens by RFC 3161.
  public static let rfc3161 = TimestampForm(SignatureTimes.self)
}

extension [PolicyPart] {
  /// All that SignetVerify does not read itself.
  public static let all: [PolicyPart] = [.sigstore, .timestamps]
}
