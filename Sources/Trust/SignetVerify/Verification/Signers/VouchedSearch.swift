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
    var strangers: [SignetError] = []
    // Why what has signed does not count tells more than that somebody else has not signed.
    var silenced: [SignetError] = []
    for entry in policy.entries {
      guard let signers = entry.entry.anchor.vouched, entry.entry.accepts(format) else { continue }
      let judged = try judge(signers)
      switch judged.outcome {
      case .holds(let key, let identity, let path, let names):
        if let objection = objection(to: entry, key, identity, path) {
          silenced.append(objection)
          continue
        }
        var signer = found ?? FoundSigner(key: key, units: [], path: path)
        if signer.checks.isEmpty { (signer.identity, signer.checks) = (identity, judged.checks) }
        signer.units += names.map { SignerUnit(entry: entry.index, identity: $0) }
        found = signer
        // Where the role is known and one signer is enough, no other entry can change the verdict.
        if policy.knownRole != nil, policy.policy.requirement == .threshold(1) { return .found(signer) }
      case .stranger(let reason): strangers.append(reason.about("\(label): \(reason.object)"))
      case .broken: broken = broken ?? judged
      }
    }
    // What is there must hold, whoever else trusts the signer.
    if found?.checks.isEmpty ?? true, let broken, case .broken(let reason) = broken.outcome {
      return .broken(reason.about("\(label): \(reason.object)"), broken.checks)
    }
    if let found, silenced.isEmpty || !found.checks.isEmpty { return .found(found) }
    if !silenced.isEmpty { return .stranger(silenced) }
    guard objections.isEmpty, strangers.isEmpty else { return .stranger(objections + strangers) }
    return .stranger([
      SignetError(
        .signerUntrusted, label, "has a format in which nobody is trusted", expected: policy.trusted,
        found: format.rawValue)
    ])
  }

  private func objection(
    to entry: EntryInForce, _ key: PublicKey, _ identity: ProvenIdentity?, _ path: CertificatePath?
  ) -> SignetError? {
    let revocations = identity.map { policy.revocations.at($0.times) } ?? policy.revocations
    return entry.objection(label, policy.now, policy.knownRole) ?? revocations.objection(to: key, label)
      ?? path.flatMap { path in revocations.noting(path.certificates).objection(to: path, label) }
      ?? identity.flatMap { revocations.objection(to: $0, label) }
  }
}
