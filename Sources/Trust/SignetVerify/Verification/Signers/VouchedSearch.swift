internal import SignetBase
internal import SignetCrypto

/// A search for those of the policy's signers whose signatures others vouch for.
struct VouchedSearch {
  let policy: PolicyInForce
  /// What messages call the bundle.
  let label: String
  /// What the signature must be over.
  let format: SignatureFormat

  /// Judges a bundle for each entry with such signers.
  ///
  /// - Parameter other: what the entries of other kinds found.
  func run(
    beside other: SignerFinding, _ judge: (any VouchedSigners) throws(SignetError) -> VouchedSignature
  ) throws(SignetError) -> SignerFinding {
    var (found, objections): (FoundSigner?, [SignetError]) = (nil, [])
    switch other {
    case .found(let signer): found = signer
    case .stranger(let reasons): objections = reasons
    case .forged, .broken: return other
    }
    var broken: VouchedSignature?
    // Of several instances, the one that most of the bundle is by tells why it is refused.
    var strangers: (reasons: [SignetError], passed: Int) = ([], 0)
    for entry in policy.entries {
      guard let signers = entry.entry.anchor.vouched, entry.entry.formats.contains(format) else { continue }
      let judged = try judge(signers)
      switch judged.outcome {
      case .holds(let key, let identity, let path, let names):
        if let objection = objection(to: entry, key, identity, path) {
          objections.append(objection)
          continue
        }
        let units = names.map { SignerUnit(entry: entry.index, identity: $0) }
        if found == nil {
          found = FoundSigner(key: key, units: [], path: path, identity: identity, checks: judged.checks)
        }
        found?.units += units
      case .stranger(let reason):
        let passed = judged.checks.count
        if passed > strangers.passed { strangers = ([], passed) }
        if passed == strangers.passed { strangers.reasons.append(reason.about("\(label): \(reason.object)")) }
      case .broken: broken = broken ?? judged
      }
    }
    if let found { return .found(found) }
    if let broken, case .broken(let reason) = broken.outcome {
      return .broken(reason.about("\(label): \(reason.object)"), broken.checks)
    }
    objections += strangers.reasons
    if objections.isEmpty {
      objections.append(
        SignetError(
          .signerUntrusted, label, "has a format that the policy accepts from nobody", expected: policy.trusted,
          found: format.rawValue))
    }
    return .stranger(objections)
  }

  private func objection(
    to entry: EntryInForce, _ key: PublicKey, _ identity: ProvenIdentity?, _ path: CertificatePath?
  ) -> SignetError? {
    entry.objection(label, policy.now, policy.knownRole) ?? policy.revocations.objection(to: key, label)
      ?? path.flatMap { policy.revocations.objection(to: $0, label) }
      ?? identity.flatMap { policy.revocations.objection(to: $0, label) }
  }
}
