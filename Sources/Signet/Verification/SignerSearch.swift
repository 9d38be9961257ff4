internal import SignetBase
internal import SignetCrypto

/// The search for those the policy trusts who have made a bundle's signature.
struct SignerSearch {
  private let policy: PolicyInForce
  private let bundle: SigstoreBundle
  private let label: String

  enum Result {
    /// These have.
    case found(FoundSigner)
    /// Nobody who may speak for the artifact has.
    case stranger([SignetError])
    /// The bundle claims that somebody trusted has, and they have not.
    case forged(SignetError)
  }

  init(_ policy: PolicyInForce, _ bundle: SigstoreBundle, _ label: String) {
    self.policy = policy
    self.bundle = bundle
    self.label = label
  }

  /// Looks for them.
  ///
  /// - Throws: when a signature could not be checked (that is neither valid nor invalid), and `signature.malformed` for
  ///   a certificate that is none.
  func run() throws(SignetError) -> Result {
    let owners = policy.entries.compactMap { entry in entry.entry.anchor.bareKey.map { (entry: entry, key: $0) } }
    let claims = bundle.claimedKeyIDs
    let claimed = Set(owners.map(\.key).filter { key in claims.contains { key.id.matches($0) } })
    // Every trusted key that is claimed must have signed, whatever else the bundle brings along.
    for key in claimed where try !hasSigned(key) {
      return .forged(.forgedSignature(label, claimed.map { "\($0.id)" }.sorted()))
    }
    switch bundle.material {
    case .publicKey: return try keyOwner(owners, claimed)
    case .certificate(let leaf): return try CertificateSearch(policy, bundle, label).run(leaf, [])
    case .certificateChain(let chain):
      return try CertificateSearch(policy, bundle, label).run(chain[0], Array(chain.dropFirst()))
    }
  }

  private func hasSigned(_ key: PublicKey) throws(SignetError) -> Bool {
    let message = Envelope.preAuthenticationEncoding(of: bundle.envelope.payload)
    switch key.check(bundle.envelope.signature, over: message) {
    case .valid: return true
    case .invalid: return false
    case .couldNotCheck(let error): throw error
    }
  }

  private func keyOwner(
    _ owners: [(entry: EntryInForce, key: PublicKey)], _ claimed: Set<PublicKey>
  ) throws(SignetError) -> Result {
    var tried = Set<PublicKey>()
    // A hint of somebody else's making says nothing about our keys: any of them may have signed.
    for key in owners.map(\.key) where tried.insert(key).inserted {
      let isSigner = try claimed.isEmpty ? hasSigned(key) : claimed.contains(key)
      if isSigner { return try judge(key, owners.filter { $0.key == key }.map(\.entry)) }
    }
    let claims = bundle.claimedKeyIDs
    return .stranger([
      SignetError(
        .signerUntrusted, label, "is signed by nobody who is trusted", expected: policy.trusted,
        found: claims.isEmpty ? "no claim who signed" : "a claim to be by \(claims.joined(separator: ", "))",
        hint: "get artifact and bundle from the publisher whom you trust")
    ])
  }

  /// Which of the entries with the key may speak for the artifact.
  private func judge(_ key: PublicKey, _ entries: [EntryInForce]) throws(SignetError) -> Result {
    if let objection = policy.revocations.objection(to: key, label) { return .stranger([objection]) }
    var signers: [SignerUnit] = []
    var objections: [SignetError] = []
    for entry in entries {
      if let objection = try objection(of: entry) {
        objections.append(objection)
      } else {
        signers.append(SignerUnit(entry: entry.index, identity: nil))
      }
    }
    return signers.isEmpty ? .stranger(objections) : .found(FoundSigner(key: key, units: signers, path: nil))
  }

  /// A certificate that an entry names counts towards bundles without one, too.
  private func objection(of entry: EntryInForce) throws(SignetError) -> SignetError? {
    if let objection = entry.objection(label, policy.now, policy.role) { return objection }
    guard case .sameSigner(let certificate, _) = entry.entry.anchor.kind, let chains = entry.chains() else {
      return nil
    }
    do throws(SignetError) {
      return policy.revocations.objection(to: try chains.verify(certificate, at: policy.now), label)
    } catch {
      if error.code == .cryptoFailure { throw error }
      return error.about("\(label): \(error.object)")
    }
  }
}

/// A signature's maker, and as whom the policy counts them.
struct FoundSigner {
  let key: PublicKey
  let units: [SignerUnit]
  let path: CertificatePath?
}

/// One of those that a policy counts: an entry, or one of an authority's names.
struct SignerUnit: Hashable {
  let entry: Int
  let identity: Int?
}

extension TrustAnchor {
  /// Whether it knows no certificates.
  var isBareKey: Bool {
    if case .key = kind { true } else { false }
  }

  /// The key that signs without a certificate.
  var bareKey: PublicKey? {
    switch kind {
    case .key(let key): key
    case .sameSigner(let certificate, _): try? certificate.publicKey()
    case .authority, .sameAuthority: nil
    }
  }
}

extension PolicyInForce {
  /// Who is trusted, for messages.
  var trusted: String {
    if entries.isEmpty { return "nobody: the policy is empty" }
    return "a signature by \(entries.map(\.entry.name).joined(separator: " or "))"
  }
}

extension SignetError {
  static func forgedSignature(_ label: String, _ signers: [String]) -> SignetError {
    SignetError(
      .signatureInvalid, label, "is not the signature it claims to be: signature or statement was changed",
      expected: "a signature by \(signers.joined(separator: " or "))",
      hint: "get artifact and bundle anew from where they come from")
  }
}
