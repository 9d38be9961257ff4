package import SignetBase
package import SignetCrypto

/// The search for the policy's signers that have made a signature.
struct SignerSearch {
  let policy: PolicyInForce
  let signature: any SearchedSignature
  /// What messages call the bundle.
  package let label: String
  /// The entries for which a signature of its format can count.
  let entries: [EntryInForce]
  /// The entries with a key that signs without a certificate.
  let keyEntries: [(entry: EntryInForce, key: PublicKey)]
  /// The keys of these entries that the bundle claims to be signed by.
  let claimedKeys: Set<PublicKey>

  typealias Result = SignerFinding

  init(_ policy: PolicyInForce, _ signature: any SearchedSignature, _ label: String) {
    self.policy = policy
    self.signature = signature
    self.label = label
    entries = policy.entries.filter { $0.entry.accepts(signature.format) }
    keyEntries = entries.flatMap { entry in entry.entry.keys.map { (entry, $0) } }
    claimedKeys = Set(keyEntries.filter { signature.claims($0.key, in: $0.entry.entry.formats) }.map(\.key))
  }

  /// Searches for the signers.
  ///
  /// - Throws: if a signature could not be checked, so that it is neither valid nor invalid, and
  ///   `signature.malformed` for an unparsable certificate.
  func run() throws(SignetError) -> Result {
    // Every trusted key that is claimed must have signed, whatever else the bundle carries.
    for key in claimedKeys where try !hasSigned(key) {
      return .forged(
        .forgedSignature(
          label, claimedKeys.map { "\($0.id)" }.sorted(), isBare: signature.format.isOfOtherProgram))
    }
    guard policy.entries.contains(where: { $0.entry.anchor.vouched != nil }) else { return try kind.find(in: self) }
    // A certificate is nothing to an entry with a key.
    let isAlone = entries.allSatisfy { entry in
      switch (signature.material, entry.entry.anchor.kind) {
      case (_, .vouched), (.certificate, .key), (.certificateChain, .key): true
      default: false
      }
    }
    let others = isAlone ? .stranger([]) : try kind.find(in: self)
    return try VouchedSearch(policy: policy, label: label, format: signature.format).run(beside: others) {
      (signers) throws(SignetError) in
      if let bundle = signature as? SigstoreBundle { return try signers.judge(bundle, at: policy.now) }
      return try signers.judge(signature, at: policy.now)
    }
  }

  private var kind: any SignerKind {
    switch signature.material {
    case .publicKey: KeySigner()
    case .certificate(let leaf): CertificateSigner(leaf: leaf, chain: [])
    case .certificateChain(let chain): CertificateSigner(leaf: chain[0], chain: Array(chain.dropFirst()))
    }
  }

  /// Whether a key has made the signature.
  ///
  /// - Throws: `crypto.failure` when that could not be checked.
  func hasSigned(_ key: PublicKey) throws(SignetError) -> Bool {
    switch try signature.check(by: key) {
    case .valid: return true
    case .invalid: return false
    case .couldNotCheck(let error): throw error
    }
  }
}

extension TrustPolicy {
  /// Who has signed a bundle whose statement is about a module, and is no signature of it.
  ///
  /// - Throws: why the policy does not trust the signer for the module; `crypto.failure`.
  package func signer(
    of bundle: SigstoreBundle, _ label: String, as role: ArtifactRole, at now: UnixTime
  ) throws(SignetError) -> (key: PublicKey, path: CertificatePath?, identity: ProvenIdentity?, entries: [String]) {
    var revocations = Revocations(of: self)
    revocations.note(certificatesOf: bundle)
    let policy = PolicyInForce(self, at: now, role: role, revocations: revocations)
    switch try SignerSearch(policy, bundle, label).run() {
    case .found(let signer): return (signer.key, signer.path, signer.identity, policy.names(of: signer))
    case .stranger(let reasons): throw reasons[0]
    case .forged(let reason), .broken(let reason, _): throw reason
    }
  }
}

/// A kind of signer: how the material of a bundle leads to the policy's signers.
///
/// A new kind is a new file in this folder, a kind of material, and, if policies name it, a kind of trust anchor.
protocol SignerKind {
  /// Finds the policy's signers that have made the signature, and that are trusted for the artifact.
  ///
  /// - Throws: what ``SignerSearch/run()`` throws.
  func find(in search: SignerSearch) throws(SignetError) -> SignerSearch.Result
}

extension PolicyInForce {
  /// The trusted signers, for messages.
  var trusted: String {
    if entries.isEmpty { return "nobody: the policy is empty" }
    return "a signature by \(entries.map(\.entry.name).joined(separator: " or "))"
  }
}

extension SignetError {
  static func forgedSignature(_ label: String, _ signers: [String], isBare: Bool = false) -> SignetError {
    SignetError(
      .signatureInvalid, label,
      "has an invalid signature: the signature or the \(isBare ? "file" : "statement") was changed",
      expected: "a signature by \(signers.joined(separator: " or "))",
      hint: isBare
        ? "get the file and its signature again from their publisher"
        : "get artifact and bundle again from their publisher")
  }
}
