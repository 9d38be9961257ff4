public import SignetBase
internal import SignetCrypto
internal import SignetKeys
public import SignetVerify

/// Something in a trust policy that is legal but probably a mistake.
public struct PolicyAdvice: Hashable, Sendable {
  /// The topic, such as `wide-scope`. The texts are stable.
  public let topic: String
  /// The entry that the advice is about; nil for the policy as a whole.
  public let entry: String?
  /// What to consider, for people.
  public let message: String
}

extension TrustPolicy {
  /// How long before an end the advice begins, in seconds: 30 days.
  private static let notice: Int64 = 30 * 86400

  /// Advice about what is legal in the policy, but unwise.
  public func advice(at now: UnixTime) -> [PolicyAdvice] {
    var advice: [PolicyAdvice] = []
    if entries.isEmpty {
      advice.append(PolicyAdvice(topic: "empty", entry: nil, message: "no one is trusted: everything is refused"))
    }
    let usable = entries.filter { $0.anchor.key == nil || $0.keys.contains { !revokesAlways($0) } }
    if usable.isEmpty, !entries.isEmpty {
      advice.append(
        PolicyAdvice(topic: "unreachable", entry: nil, message: "every key is revoked: everything is refused"))
    }
    // Signatures of bytes alone do not add up with statements.
    let most = max(
      Self.signers(usable.filter { $0.formats.contains(.dsse) }),
      Self.signers(usable.filter { $0.formats != [.dsse] }))
    if case .threshold(let count) = terms.requirement, !usable.isEmpty, count > most {
      advice.append(
        PolicyAdvice(
          topic: "unreachable", entry: nil,
          message: "requires \(count) signers, but has \(most): everything is refused"))
    }
    if let summary = terms.summary, summary.signers.allSatisfy({ $0.anchor.key.map(revokesAlways) ?? false }) {
      advice.append(
        PolicyAdvice(
          topic: "unreachable", entry: nil,
          message: "every key of a signer of verification summaries is revoked: everything is refused"))
    }
    if let expires = terms.expires, let message = Self.ending(expires, now) {
      advice.append(PolicyAdvice(topic: "expiry", entry: nil, message: "the policy \(message)"))
    }
    if terms.revocationDemand == .staleAllowed {
      advice.append(
        PolicyAdvice(
          topic: "stale-revocation", entry: nil,
          message:
            "accepts revocation lists and OCSP responses that are out of date: what was revoked since is accepted"))
    }
    // Lists and responses are made again every few days or weeks: only their end is news.
    for old in revocationOutOfDate(at: now) {
      advice.append(PolicyAdvice(topic: "expiry", entry: nil, message: old))
    }
    if terms.leastRSABits < Terms().leastRSABits {
      advice.append(
        PolicyAdvice(
          topic: "weak-keys", entry: nil, message: "accepts RSA keys as short as \(terms.leastRSABits) bits"))
    }
    for entry in entries + (terms.summary?.signers ?? []) {
      if let key = entry.anchor.key, let revocation = revocation(of: key) {
        let from = revokesAlways(key) ? "" : revocation.from.map { " from \($0) on" } ?? ""
        advice.append(
          PolicyAdvice(topic: "revoked", entry: entry.name, message: "has a key that the policy revokes\(from)"))
      }
      for (certificate, objection) in entry.anchor.uselessCertificates(terms.leastRSABits) {
        advice.append(
          PolicyAdvice(
            topic: "useless-certificate", entry: entry.name,
            message: "the certificate of \(certificate.name) certifies nobody: it \(objection.message)"))
      }
      for (topic, message) in Self.advice(on: entry, now) {
        advice.append(PolicyAdvice(topic: topic, entry: entry.name, message: message))
      }
    }
    return advice
  }

  /// The revocation lists and OCSP responses of the policy that are out of date, for people.
  public func revocationOutOfDate(at now: UnixTime) -> [String] {
    terms.revocationLists.filter { now > $0.nextUpdate }.map {
      "the revocation list of \($0.issuer) ended at \($0.nextUpdate)"
    } + (terms.statusResponses.statements?.outOfDate(at: now) ?? []).map { "\($0) is out of date" }
  }

  /// Whether the policy revokes a key for whatever it has signed.
  private func revokesAlways(_ key: PublicKey) -> Bool {
    terms.revocations.contains { $0.target == .key(key.id) && $0.from == nil }
  }

  /// How many signers entries have. A key counts once, even if two of them have it.
  private static func signers(_ entries: [TrustEntry]) -> Int {
    Set(entries.compactMap(\.anchor.key)).count
      + entries.filter { $0.anchor.key == nil }.reduce(0) { $0 + ($1.anchor.identityCount ?? 1) }
  }

  private static func advice(on entry: TrustEntry, _ now: UnixTime) -> [(String, String)] {
    var advice: [(String, String)] = []
    if entry.scope.modules.contains(.any) { advice.append(("wide-scope", "is trusted for every module")) }
    if entry.scope.uris.contains(.any) { advice.append(("wide-scope", "is trusted for every URI")) }
    if !entry.formats.contains(.dsse), !(entry.scope.modules.isEmpty && entry.scope.uris.isEmpty) {
      advice.append(("bytes-alone", "is trusted for modules or URIs, of which its formats say nothing"))
    }
    if entry.scope == TrustScope() {
      advice.append(("no-scope", "is trusted for nothing"))
    }
    if let until = entry.window.until, let message = ending(until, now) { advice.append(("expiry", message)) }
    switch entry.anchor.kind {
    case .key(let key):
      if let message = weakness(of: key) { advice.append(("weak-keys", message)) }
    case .authority(let authority):
      if authority.identities == nil {
        advice.append(("any-leaf", "trusts every signer that the authority certifies, now and later"))
      }
    case .vouched(let anchor): advice += anchor.signers.advice
    case .sameSigner, .sameAuthority: break
    }
    for certificate in entry.anchor.certificates {
      if let message = ending(certificate.notAfter, now) {
        advice.append(("expiry", "the certificate of \(certificate.name) \(message)"))
      }
      if let key = try? certificate.publicKey(), let message = weakness(of: key) {
        advice.append(("weak-keys", "the certificate of \(certificate.name) \(message)"))
      }
    }
    return advice
  }

  /// The entries that no signature can ever satisfy, whatever the time, and why.
  ///
  /// An entry with several authorities is among them if none of its authorities can certify anyone.
  public func uselessEntries() -> [EntryStanding] {
    (entries + (terms.summary?.signers ?? [])).compactMap { entry in
      guard let objection = entry.anchor.objection(terms.leastRSABits) else { return nil }
      return EntryStanding(
        entry: entry, objection: objection.about("\(entry.name): \(objection.object)"))
    }
  }

  private static func weakness(of key: PublicKey) -> String? {
    guard case .rsa(let bits) = key.algorithm, bits < Terms().leastRSABits else { return nil }
    return "has an RSA key of \(bits) bits"
  }

  private static func ending(_ end: UnixTime, _ now: UnixTime) -> String? {
    if now > end { return "ended at \(end)" }
    return end.seconds - now.seconds < notice ? "ends soon, at \(end)" : nil
  }
}

extension TrustAnchor {
  /// Why no signature can ever satisfy the anchor, whatever the time; nil if one can.
  fileprivate func objection(_ leastRSABits: Int) -> SignetError? {
    switch kind {
    case .key, .vouched: nil
    case .authority(let authority):
      Self.objection(to: authority.certificates, leastRSABits)
    case .sameSigner(let certificate, let issuers):
      CertificateUse.objection(toSigner: certificate, isAnchor: issuers.isEmpty, leastRSABits: leastRSABits)
        ?? (issuers.isEmpty ? nil : Self.objection(to: Self.ends(of: issuers), leastRSABits))
    case .sameAuthority(_, let issuer): CertificateUse.objection(toIssuer: issuer, isAnchor: true)
    }
  }

  /// Why none of these certificates can be an anchor; nil if one can.
  private static func objection(to certificates: [Certificate], _ leastRSABits: Int) -> SignetError? {
    var first: SignetError?
    for certificate in certificates {
      guard let objection = CertificateUse.objection(toAnchor: certificate, leastRSABits: leastRSABits) else {
        return nil
      }
      first = first ?? objection
    }
    return first
  }

  /// The certificates that can certify nobody, beside others that can.
  fileprivate func uselessCertificates(_ leastRSABits: Int) -> [(Certificate, SignetError)] {
    guard case .authority(let authority) = kind, objection(leastRSABits) == nil else { return [] }
    let anchors = authority.certificates.map {
      ($0, CertificateUse.objection(toAnchor: $0, leastRSABits: leastRSABits))
    }
    let others = authority.intermediates.map { ($0, CertificateUse.objection(toIssuer: $0, isAnchor: false)) }
    return (anchors + others).compactMap { certificate, objection in objection.map { (certificate, $0) } }
  }
}
