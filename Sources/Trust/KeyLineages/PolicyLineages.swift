public import SignetBase
internal import SignetCrypto
public import SignetVerify

extension PolicyPart {
  /// Statements of Signet, by which the keys of entries introduce the next ones.
  public static let rotations = PolicyPart.successionForm(SuccessionForm(KeyLineage.self))
}

extension TrustEntry {
  /// What is known of the keys of the entry's signer; nil if no key was introduced.
  ///
  /// - Throws: nothing in practice: the policy has read the statements.
  public func lineage() throws(SignetError) -> KeyLineage? {
    try succession.map { (known) throws(SignetError) in
      try KeyLineage(known.proofs.map { (proof) throws(SignetError) in try RotationStatement(bundle: proof) })
    }
  }

  /// The same entry after a lineage was seen; nil if the lineage is about none of its keys.
  fileprivate func following(
    _ lineage: KeyLineage, _ revoked: (RotationStatement) -> SignetError?
  ) throws(SignetError) -> TrustEntry? {
    guard let key = anchor.key else { return nil }
    let known = try self.lineage()
    let (seen, isOwn): (KeyLineage?, Bool) =
      if let known, !Set(keys).isDisjoint(with: lineage.rotations.map(\.from)) {
        (try known.extended(by: lineage), true)
      } else {
        (try lineage.from(key), known == nil)
      }
    guard let seen, isOwn else { return nil }
    // What is there already was accepted before its signer was revoked.
    for rotation in seen.rotations.dropFirst(known?.rotations.count ?? 0) {
      if let refusal = revoked(rotation) { throw refusal }
    }
    return succeeded(by: seen.succession)
  }
}

extension TrustPolicy {
  /// The same policy after a lineage was seen: whoever it trusts by a key of the lineage may sign with the keys that follow.
  ///
  /// The policy keeps what it has seen: give the one that this returns the next lineage, and keep it where nobody else can
  /// write (its canonical text has the statements).
  /// - Throws: `lineage.stranger` if the policy trusts nobody by a key of the lineage; `lineage.fork`, `lineage.order`,
  ///   `lineage.too-long`; `signer.revoked` for a statement that is new, by a key that the policy revokes; `policy.weak-key`,
  ///   `policy.test-key`, `policy.duplicate`.
  public func following(_ lineage: KeyLineage) throws(SignetError) -> TrustPolicy {
    try following(lineage, wasSeen: false)
  }

  /// - Parameter wasSeen: whether the lineage was accepted before, so that a key that was revoked since has introduced the others.
  func following(_ lineage: KeyLineage, wasSeen: Bool) throws(SignetError) -> TrustPolicy {
    func revoked(_ rotation: RotationStatement) -> SignetError? {
      guard !wasSeen, let revocation = revocation(of: rotation.from) else { return nil }
      return SignetError(
        .signerRevoked, "rotation \(rotation.number)", "is signed by a key that the policy revokes",
        found: "\(revocation)", hint: "get the publisher's present key over a way that you trust")
    }
    var isKnown = false
    var failure: SignetError?
    func follow(_ entries: [TrustEntry]) throws(SignetError) -> [TrustEntry] {
      try entries.map { (entry) throws(SignetError) in
        do throws(SignetError) {
          guard let following = try entry.following(lineage, revoked) else {
            // Who has the newest key already needs nothing.
            if entry.keys.last == lineage.current { isKnown = true }
            return entry
          }
          isKnown = true
          return following
        } catch  where [.lineageFork, .lineageOrder].contains(error.code) {
          // Another signer may have introduced this one's key: that is no reason against this one.
          failure = failure ?? error
          return entry
        }
      }
    }
    let followed = try follow(entries)
    var terms = terms
    if let summary = terms.summary {
      terms.summary = try SummaryRequirement(
        signers: follow(summary.signers), verifier: summary.verifier, policySHA256: summary.policySHA256,
        levels: summary.levels)
    }
    guard isKnown else {
      throw failure
        ?? SignetError(
          .lineageStranger, "lineage", "is of a signer whom the policy does not trust by a key",
          expected: "one that begins with a key of the policy", found: "\(lineage.first.id)",
          hint: "get the lineage from the publisher whom you trust")
    }
    return try TrustPolicy(entries: followed, terms: terms, allowsTestKeys: allowsTestKeys)
  }
}
