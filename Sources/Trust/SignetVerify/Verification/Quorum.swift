internal import SignetBase
internal import SignetCrypto

/// Decides whether the signatures meet the policy's requirement.
struct Quorum {
  private let policy: PolicyInForce
  private let name: String

  init(_ policy: PolicyInForce, name: String) {
    self.policy = policy
    self.name = name
  }

  /// The keys of the signers who have had several, one after the other.
  private var lineages: [[PublicKey]] { policy.policy.entries.map(\.keys).filter { $0.count > 1 } }

  /// Signatures over the same payload that meet the requirement, and what the check says about them.
  struct Met {
    let signatures: [CountedSignature]
    let found: String
  }

  /// Decides whether one group of signatures over the same payload meets the requirement.
  ///
  /// Signatures over different payloads never add up: a group has to suffice by itself.
  ///
  /// - Parameter strangers: the number of bundles without a trusted signer.
  func judge(_ signatures: [CountedSignature], strangers: Int) -> Result<Met, SignetError> {
    var groups: [[CountedSignature]] = []
    for each in signatures {
      if let index = groups.firstIndex(where: { $0[0].signature.payloadDigest == each.signature.payloadDigest }) {
        groups[index].append(each)
      } else {
        groups.append([each])
      }
    }
    let counted = groups.map { (group: $0, count: SignerCount($0, lineages)) }
    var best: (group: [CountedSignature], signers: [SignerUnit])?
    for each in counted {
      let signers = each.count.signers
      if signers.count > best?.signers.count ?? 0 { best = (each.group, signers) }
    }
    guard let best else { return .failure(tooFew([])) }
    switch policy.policy.requirement {
    case .threshold(let least):
      guard best.signers.count >= least else { return .failure(tooFew(best.signers)) }
      let over = least == 1 ? "" : " over the same statement"
      // Every group that suffices by itself counts: what it says is proved.
      let enough = counted.filter { $0.count.signers.count >= least }.flatMap(\.group)
      return .success(Met(signatures: enough, found: "\(names(best.signers)): \(least) needed\(over)"))
    case .exact: return exact(best.group, signers: best.signers, groups: groups.count, strangers: strangers)
    }
  }

  /// Requires every signer that is trusted for the artifact, and no others.
  private func exact(
    _ group: [CountedSignature], signers: [SignerUnit], groups: Int, strangers: Int
  ) -> Result<Met, SignetError> {
    // If only the statement says what the artifact is, it also decides which entries' scopes cover it.
    let speaking = policy.knownRole == nil ? policy.speaking(for: group[0].role) : policy
    // Those who speak now, and at each time at which a signature is judged.
    let times = group.compactMap(\.signature.stamped).map { speaking.judging($0).entries }
    let expected = speaking.entries.filter { entry in
      entry.silence == nil || times.contains { $0[entry.index].silence == nil }
    }.flatMap { entry in
      switch entry.entry.anchor.identityCount {
      case nil: [SignerUnit(entry: entry.index, identity: nil)]
      case let count?: (0..<count).map { SignerUnit(entry: entry.index, identity: $0) }
      }
    }
    let extra = strangers + SignerCount(group, lineages).keys - signers.count
    guard signers.count == expected.count, extra == 0, groups == 1 else {
      var found = signers.isEmpty ? "nobody" : names(signers)
      if extra > 0 { found += ", and \(extra) more" }
      if groups > 1 { found += ", and other statements" }
      return .failure(
        SignetError(
          .policyExact, name, "is not signed by exactly the signers that the policy names", expected: names(expected),
          found: found, hint: "ask the publisher for a release that all of these have signed"))
    }
    var unseen = "a signature of somebody else that was removed would not be seen"
    if let named = group[0].signature.statement.module?.signers {
      let present = Set(group.map(\.signer.key.id))
      guard present == Set(named) else {
        return .failure(
          SignetError(
            .policyExact, name, "is not signed by exactly the signers that its statement names",
            expected: named.map { "\($0)" }.joined(separator: ", "),
            found: present.map { "\($0)" }.sorted().joined(separator: ", "),
            hint: "ask the publisher for a release with all of its signatures"))
      }
      unseen = "all that the statement names"
    }
    return .success(Met(signatures: group, found: "exactly \(names(signers)); \(unseen)"))
  }

  private func tooFew(_ signers: [SignerUnit]) -> SignetError {
    var expected = "exactly those the policy names"
    if case .threshold(let least) = policy.policy.requirement { expected = "\(least) of those the policy names" }
    return SignetError(
      .policyThreshold, name, "does not have enough trusted signatures", expected: expected,
      found: signers.isEmpty ? "none" : "\(signers.count): \(names(signers))",
      hint: "ask the publisher for a release with enough signatures")
  }

  private func names(_ units: [SignerUnit]) -> String {
    units.map { unit in
      let entry = policy.entries[unit.entry].entry
      guard let identity = unit.identity.flatMap({ entry.anchor.identity($0) }) else { return entry.name }
      return "\(entry.name) (\(identity))"
    }.joined(separator: ", ")
  }
}

extension TrustAnchor {
  /// How many names of an authority count one by one; nil for entries that count once.
  package var identityCount: Int? {
    switch kind {
    case .authority(let authority): authority.identities?.count
    case .vouched(let anchor): anchor.signers.names.count
    case .key, .sameSigner, .sameAuthority: nil
    }
  }

  func identity(_ index: Int) -> String? {
    switch kind {
    case .authority(let authority): authority.identities.map { "\($0[index])" }
    case .vouched(let anchor): anchor.signers.names[index]
    case .key, .sameSigner, .sameAuthority: nil
    }
  }
}

/// Counts the trusted signers of one payload. Each signer counts once, and each key counts once. Where others vouch for an
/// identity, which has another key each time, it counts in place of the key.
///
/// A key may belong to several entries, and an entry may be reached by several keys. The highest count is therefore a
/// maximum matching of keys and signers. It is found with augmenting paths (Kuhn's algorithm): there are at most 16
/// bundles, so that a faster algorithm would gain nothing.
struct SignerCount {
  /// For each key, the signers that it can count as.
  private let choices: [[SignerUnit]]

  /// - Parameter lineages: keys that are one signer's, whatever comes with a signature by them.
  init(_ signatures: [CountedSignature], _ lineages: [[PublicKey]] = []) {
    var groups: [(holders: Set<Holder>, choices: Set<SignerUnit>)] = []
    for signature in signatures {
      var group = (holders: signature.signer.holders, choices: Set(signature.signer.units))
      for keys in lineages where keys.contains(signature.signer.key) {
        group.holders.formUnion(keys.map { .key($0) })
      }
      // One signer may have signed by a key, and by an identity that had this key for a time.
      for index in groups.indices.reversed() where !groups[index].holders.isDisjoint(with: group.holders) {
        let other = groups.remove(at: index)
        group = (group.holders.union(other.holders), group.choices.union(other.choices))
      }
      groups.append(group)
    }
    let choices = groups.map(\.choices)
    self.choices = choices.map { $0.sorted { ($0.entry, $0.identity ?? -1) < ($1.entry, $1.identity ?? -1) } }
  }

  /// The number of keys.
  var keys: Int { choices.count }

  /// The signers that count, from a maximum matching.
  package var signers: [SignerUnit] {
    var owner: [SignerUnit: Int] = [:]
    for key in choices.indices {
      var visited: Set<SignerUnit> = []
      _ = assign(key, &owner, &visited)
    }
    return owner.keys.sorted { ($0.entry, $0.identity ?? -1) < ($1.entry, $1.identity ?? -1) }
  }

  private func assign(_ key: Int, _ owner: inout [SignerUnit: Int], _ visited: inout Set<SignerUnit>) -> Bool {
    for unit in choices[key] where visited.insert(unit).inserted {
      if let other = owner[unit], !assign(other, &owner, &visited) { continue }
      owner[unit] = key
      return true
    }
    return false
  }
}

/// Who can count as one signer at most.
enum Holder: Hashable {
  case key(PublicKey)
  case identity([UInt8], issuer: [UInt8]?)
}

extension FoundSigner {
  /// What the signer is known by: its key, and the identity that others vouch for.
  var holders: Set<Holder> {
    let identity = identity.map {
      Holder.identity(Array($0.holder.utf8), issuer: $0.issuer.map { Array($0.utf8) })
    }
    return Set([.key(key), identity].compactMap(\.self))
  }
}

/// A trusted signer's signature over a statement without faults, before the signatures are counted.
struct CountedSignature {
  package let label: String
  let signer: FoundSigner
  let signature: VerifiedSignature
  /// The artifact's role, from the caller or from the statement.
  let role: ArtifactRole

  /// The kind of artifact that the statement is about.
  var predicateType: PredicateType { signature.statement.predicateType }
}
