package import SignetBase
internal import SignetCrypto

/// A trust policy at one time, for one role of the artifact: which entries count now.
package struct PolicyInForce {
  let policy: TrustPolicy
  let now: UnixTime
  /// When the signature was there by a trusted timestamp; nil if nobody has proven it.
  private(set) var stamped: UnixTime?
  /// The time at which keys and certificates are judged.
  var judged: UnixTime { stamped ?? now }
  /// The artifact's role; nil if only a statement gives it, so that scopes are checked later.
  let knownRole: ArtifactRole?
  package private(set) var entries: [EntryInForce]
  /// How many authorities must have stamped a signature that nobody vouches for.
  let leastTimestamps: Int
  /// The policy's revocations.
  var revocations: Revocations

  package init(_ policy: TrustPolicy, at now: UnixTime, role: ArtifactRole?, revocations: Revocations) {
    self.policy = policy
    self.now = now
    knownRole = role
    entries = policy.entries.enumerated().map { EntryInForce(index: $0.offset, entry: $0.element, policy, now, role) }
    leastTimestamps = policy.leastTimestamps
    self.revocations = revocations
  }

  /// The signers of the verification summaries that the policy demands, at one time.
  ///
  /// Their scopes are checked once it is known what the artifact is.
  init(_ summary: SummaryRequirement, of policy: TrustPolicy, _ now: UnixTime, _ revocations: Revocations) {
    self.policy = policy
    self.now = now
    knownRole = nil
    entries = summary.signers.enumerated().map {
      EntryInForce(index: $0.offset, entry: $0.element, policy, now, nil)
    }
    leastTimestamps = 0
    self.revocations = revocations
  }

  /// The names of the entries that a signer counts for.
  func names(of signer: FoundSigner) -> [String] {
    var names: [String] = []
    for unit in signer.units where names.last != entries[unit.entry].entry.name {
      names.append(entries[unit.entry].entry.name)
    }
    return names
  }

  /// The same policy at the same time, for the role that a statement gives the artifact.
  func speaking(for role: ArtifactRole) -> PolicyInForce {
    PolicyInForce(policy, at: now, role: role, revocations: revocations)
  }

  /// The same policy for a signature that was there at a time. Who is vouched for is judged by other times.
  func judging(_ stamped: UnixTime) -> PolicyInForce {
    var judging = self
    judging.stamped = stamped
    judging.revocations = revocations.at([stamped])
    judging.entries = entries.map { each in
      each.entry.anchor.vouched == nil
        ? EntryInForce(index: each.index, entry: each.entry, policy, stamped, knownRole) : each
    }
    return judging
  }

  /// Restricts a signer to what its timestamps suffice for.
  ///
  /// - Parameter stamps: how many authorities have stamped the signature.
  /// - Returns: nil if nothing is left. Entries whose signers others vouch for have demands of their own.
  func restrict(_ signer: FoundSigner, stampedBy stamps: Int) -> FoundSigner? {
    guard stamps < leastTimestamps else { return signer }
    var restricted = signer
    restricted.units = signer.units.filter { entries[$0.entry].entry.anchor.vouched != nil }
    return restricted.units.isEmpty ? nil : restricted
  }

  /// Restricts a signer to the entries whose scopes cover the role.
  ///
  /// - Returns: nil and the objections if no entry's scope does.
  func restrict(
    _ signer: FoundSigner, to role: ArtifactRole, _ label: String
  ) -> (signer: FoundSigner?, objections: [SignetError]) {
    let isAllowed = { (unit: SignerUnit) in entries[unit.entry].entry.scope.covers(role) }
    let units = signer.units.filter(isAllowed)
    guard units.isEmpty else {
      var restricted = signer
      restricted.units = units
      return (restricted, [])
    }
    return (nil, Set(signer.units.map(\.entry)).sorted().map { entries[$0].outOfScope(label, role) })
  }
}

/// One entry of a policy at one time.
package struct EntryInForce {
  let index: Int
  package let entry: TrustEntry
  /// Why the entry does not count for the artifact now; nil if it does.
  let silence: SignetError.Code?

  init(index: Int, entry: TrustEntry, _ policy: TrustPolicy, _ now: UnixTime, _ role: ArtifactRole?) {
    self.index = index
    self.entry = entry
    if !entry.window.contains(now) {
      silence = .signerOutsideWindow
    } else if let role, !entry.scope.covers(role) {
      silence = .signerOutOfScope
    } else {
      silence = nil
    }
    self.policy = policy
  }

  private let policy: TrustPolicy

  /// Creates a verifier for chains to the entry's certificates.
  ///
  /// - Parameter chain: more certificates to build chains from, which came with a bundle.
  /// - Returns: nil for an anchor without certificates.
  func chains(adding chain: [Certificate] = []) -> CertificateChainVerifier? {
    let (anchors, intermediates): ([Certificate], [Certificate])
    switch entry.anchor.kind {
    case .key, .vouched: return nil
    case .authority(let authority): (anchors, intermediates) = (authority.certificates, authority.intermediates)
    case .sameSigner(let certificate, let issuers):
      (anchors, intermediates) = issuers.isEmpty ? ([certificate], []) : (TrustAnchor.ends(of: issuers), issuers)
    case .sameAuthority(_, let issuer): (anchors, intermediates) = ([issuer], [])
    }
    var verifier = CertificateChainVerifier(
      anchors: anchors, intermediates: intermediates + chain, revocationLists: policy.revocationLists,
      leastRSABits: policy.leastRSABits)
    (verifier.statements, verifier.revocationDemand) = (policy.statusResponses.statements, policy.revocationDemand)
    return verifier
  }

  /// The reason why the entry does not count; nil if it does.
  package func objection(_ label: String, _ now: UnixTime, _ role: ArtifactRole?) -> SignetError? {
    switch silence {
    case .signerOutsideWindow?:
      SignetError(
        .signerOutsideWindow, label, "is signed by a signer who is not trusted at this time",
        expected: "\(entry.name): \(entry.window)", found: "\(now)")
    case .some: outOfScope(label, role ?? .unnamed)
    case nil: nil
    }
  }

  /// The reason for an entry whose scope does not cover the artifact's role.
  func outOfScope(_ label: String, _ role: ArtifactRole) -> SignetError {
    SignetError(
      .signerOutOfScope, label, "is signed by a signer who is not trusted for this artifact",
      expected: "\(entry.name): \(entry.scope)", found: "\(role)",
      hint: "ask the publisher who signs it, and the policy's owner whom it should trust")
  }
}
