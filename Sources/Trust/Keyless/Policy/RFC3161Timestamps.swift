internal import KeyLineages
package import SignetBase
internal import SignetCMS
package import SignetCrypto
internal import SignetOCSP
public import SignetVerify

/// The tokens of RFC 3161 over signatures by keys and certificates, for policies with ``TrustPolicy/Terms/timestampAuthorities``.
package enum RFC3161Timestamps: TimestampVerifier {
  /// How many seconds the authority's clock may be ahead of this one: a signature is often verified as soon as it is made.
  private static let clockTolerance: Int64 = 60
  /// What says that a token is by nobody whom the policy trusts now: it names another certificate, or one that a list revokes, or
  /// of which lists and responders do not say whether it is revoked.
  private static let strangers = Set.aboutRevocationLists.union(Set.aboutStatusResponses).union([
    .timestampAuthority, .timestampCertificate, .chainUntrusted, .chainRevoked,
  ])

  /// - Throws: `timestamp.…`, `cms.…`, `chain.…`; `crypto.failure`.
  package static func times(
    _ timestamps: [[UInt8]], over signature: [UInt8], by authorities: [Certificate], _ lists: [RevocationList],
    statements: (any CertificateStatements)?, at now: UnixTime, _ isRevoked: (StatedTime) -> Bool
  ) throws(SignetError) -> [StatedTime] {
    let trusted = authorities.compactMap {
      TimestampAuthority([$0], revocationLists: lists, statements: statements)
    }
    var times: [StatedTime] = []
    for der in timestamps {
      let token = try TimestampToken(der: der)
      let path: CertificatePath
      do throws(SignetError) { path = try token.path(over: signature, by: trusted, listsAt: now).certificates } catch
        where strangers.contains(error.code)
      {
        continue
      }
      guard token.info.time.seconds <= now.seconds + clockTolerance else {
        throw SignetError(
          .timestampOutsideWindow, "timestamp", "is of a time that has not come yet", expected: "\(now) or earlier",
          found: "\(token.info.time)",
          hint: "if the time of the verification is right, ask the publisher who has stamped it")
      }
      let stated = StatedTime(min(token.info.time, now), path)
      if !isRevoked(stated) { times.append(stated) }
    }
    return oneOfEach(times).sorted { $0.time < $1.time }
  }

  /// The earliest time of each authority.
  ///
  /// No signature covers the certificates in a token, so who writes a bundle decides by which of several paths the token is
  /// accepted, and up to which anchor. What has any key in common is one authority.
  private static func oneOfEach(_ times: [StatedTime]) -> [StatedTime] {
    var authorities: [(keys: Set<[UInt8]>, first: StatedTime)] = []
    for each in times {
      var (keys, first) = (Set(each.path.certificates.map(\.publicKeyInfo)), each)
      for index in authorities.indices.reversed() where !authorities[index].keys.isDisjoint(with: keys) {
        let same = authorities.remove(at: index)
        keys.formUnion(same.keys)
        if same.first.time < first.time { first = same.first }
      }
      authorities.append((keys, first))
    }
    return authorities.map(\.first)
  }
}

extension PolicyPart {
  /// Tokens by RFC 3161: a signature by a key or certificate is judged at the time that one of the policy's authorities states.
  public static let timestamps = PolicyPart.timestampForm(.rfc3161)
}

extension TimestampForm {
  /// Tokens by RFC 3161.
  public static let rfc3161 = TimestampForm(RFC3161Timestamps.self)
}

extension [PolicyPart] {
  /// All that SignetVerify does not read itself.
  public static let all: [PolicyPart] = [.sigstore, .timestamps, .statusResponses, .rotations]
}
