public import SignetBase
internal import SignetCrypto

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
    let usable = entries.filter { entry in entry.anchor.key.map { revocation(of: $0) == nil } ?? true }
    if usable.isEmpty, !entries.isEmpty {
      advice.append(
        PolicyAdvice(topic: "unreachable", entry: nil, message: "every key is revoked: everything is refused"))
    }
    // A key counts once, even if two entries have it.
    let most =
      Set(usable.compactMap(\.anchor.key)).count
      + usable.filter { $0.anchor.key == nil }.reduce(0) { $0 + $1.anchor.signerCount }
    if case .threshold(let count) = requirement, !usable.isEmpty, count > most {
      advice.append(
        PolicyAdvice(
          topic: "unreachable", entry: nil,
          message: "requires \(count) signers, but has \(most): everything is refused"))
    }
    if let summary, summary.signers.allSatisfy({ $0.anchor.key.map { revocation(of: $0) != nil } ?? false }) {
      advice.append(
        PolicyAdvice(
          topic: "unreachable", entry: nil,
          message: "every key of a signer of verification summaries is revoked: everything is refused"))
    }
    if let expires, let message = Self.ending(expires, now) {
      advice.append(PolicyAdvice(topic: "expiry", entry: nil, message: "the policy \(message)"))
    }
    if leastRSABits < Terms().leastRSABits {
      advice.append(
        PolicyAdvice(topic: "weak-keys", entry: nil, message: "accepts RSA keys as short as \(leastRSABits) bits"))
    }
    for entry in entries + (summary?.signers ?? []) {
      if let key = entry.anchor.key, revocation(of: key) != nil {
        advice.append(PolicyAdvice(topic: "revoked", entry: entry.name, message: "has a key that the policy revokes"))
      }
      for (topic, message) in Self.advice(on: entry, now) {
        advice.append(PolicyAdvice(topic: topic, entry: entry.name, message: message))
      }
    }
    return advice
  }

  private static func advice(on entry: TrustEntry, _ now: UnixTime) -> [(String, String)] {
    var advice: [(String, String)] = []
    if entry.scope.modules.contains(.any) { advice.append(("wide-scope", "is trusted for every module")) }
    if entry.scope.uris.contains(.any) { advice.append(("wide-scope", "is trusted for every URI")) }
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
    case .sameSigner, .sameAuthority: break
    }
    for certificate in entry.anchor.certificates {
      if let message = ending(certificate.notAfter, now) {
        advice.append(("expiry", "the certificate of \(certificate.subject) \(message)"))
      }
      if let key = try? certificate.publicKey(), let message = weakness(of: key) {
        advice.append(("weak-keys", "the certificate of \(certificate.subject) \(message)"))
      }
    }
    return advice
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

/// Whether an entry of a policy counts for an artifact, and why not.
public struct EntryStanding: Sendable {
  /// The entry of the policy.
  public let entry: TrustEntry
  /// Why the entry does not count; nil if it does.
  public let objection: SignetError?
}

extension TrustPolicy {
  /// Says for each entry whether it counts for an artifact with this role at this time, whatever signatures there
  /// are.
  public func standings(for role: ArtifactRole, at time: UnixTime) -> [EntryStanding] {
    PolicyInForce(self, time, role, Revocations(of: self)).entries.map { entry in
      EntryStanding(entry: entry.entry, objection: entry.objection(entry.entry.name, time, role))
    }
  }
}
