public import SignetBase
public import SignetCrypto
public import SignetNames

/// The signers that a verifier trusts, and for what. It trusts no others, and an empty policy refuses everything.
///
/// Every policy that exists is sound: an invalid anchor is refused when the policy is made.
@dynamicMemberLookup public struct TrustPolicy: Hashable, Sendable {
  /// The trusted signers.
  public let entries: [TrustEntry]
  /// Everything except who is trusted.
  package let terms: Terms
  /// Whether published test keys may be anchors, although their private halves are public.
  public let allowsTestKeys: Bool

  /// How many trusted signers must have signed.
  public enum Requirement: Hashable, Sendable {
    /// At least this many trusted signers, over the same payload.
    case threshold(Int)
    /// All signers that are trusted for the artifact, and no others, over the same payload.
    case exact
  }

  /// The terms of a policy besides its entries: how many signers, until when, and what is revoked.
  public struct Terms: Hashable, Sendable {
    /// How many trusted signers must have signed.
    public var requirement = Requirement.threshold(1)
    /// The verification summary that is demanded besides these signatures; nil for none.
    ///
    /// It is demanded for files, directories and modules. Hosts' manifests and attestations need none.
    public var summary: SummaryRequirement?
    /// The time after which the policy trusts no signer.
    public var expires: UnixTime?
    /// The authorities of timestamps: a signature that one of them has stamped is judged at that time.
    public var timestampAuthorities: [Certificate] = []
    /// How many of these authorities must have stamped a signature by a key or a certificate.
    public var leastTimestamps = 0
    /// What verifies timestamps. Without it none counts.
    public var timestamps = TimestampForm.none
    /// The lists of certificates that their issuers have revoked.
    public var revocationLists: [RevocationList] = []
    /// What must be known about the revocation of certificates.
    public var revocationDemand = RevocationDemand.current
    /// What responders have said of single certificates.
    public var statusResponses = StapledResponses.none
    /// What happens to a release that is signed with less than the one before it.
    public var continuity = Continuity.refuse
    /// How long ago a release must have come before it is chosen; nil for at once.
    public var minimumAge: MinimumAge?
    /// The keys, certificates, artifacts and releases that the policy itself revokes.
    public var revocations: [Revocation] = []
    /// The lowest accepted sequence of each module or host's manifest.
    public var floors: [ModuleIdentifier: Int] = [:]
    /// The minimum length of RSA keys, in bits: shorter ones are refused.
    ///
    /// Lower this from 3072 only if old keys must be accepted. Keys below 2048 bits cannot be read in any case.
    public var leastRSABits = 3072

    /// Creates terms that require one signature by any trusted signer, and revoke nothing.
    public init() {}
  }

  /// RSA keys below this cannot be read at all.
  static let leastRSABitsOfAll = 2048
  /// The maximum number of entries. Each may cost the building of a chain for every bundle.
  static let entryLimit = 100

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - entries: the trusted signers, each with its scope.
  ///   - terms: the threshold, the verification summary that is demanded, the expiry and the revocations.
  ///   - allowsTestKeys: only for tests.
  /// - Throws: `policy.duplicate`, `policy.entry`, `policy.test-key`, `policy.weak-key`; `key.…` and `crypto.failure`
  ///   for a certificate of ``TrustAnchor/sameSigner(as:issuers:)`` whose key cannot be used.
  public init(entries: [TrustEntry], terms: Terms = Terms(), allowsTestKeys: Bool = false) throws(SignetError) {
    try self.init(entries: entries, at: nil, terms: terms, allowsTestKeys: allowsTestKeys)
  }

  /// - Parameter places: where each entry is in a document, for errors about it.
  init(entries: [TrustEntry], at places: [String]?, terms: Terms, allowsTestKeys: Bool) throws(SignetError) {
    guard entries.count <= Self.entryLimit else {
      throw SignetError(
        .policyEntry, "policy", "has too many entries", expected: "at most \(Self.entryLimit)",
        found: "\(entries.count)")
    }
    for (index, entry) in entries.enumerated() {
      do throws(SignetError) {
        guard !entries[..<index].contains(where: { $0.name.isExactly(entry.name) }) else {
          throw SignetError(.policyDuplicate, entry.name, "is the name of two entries", hint: "rename one of them")
        }
        try Self.checkAnchor(of: entry, terms.leastRSABits, allowsTestKeys)
      } catch {
        throw places.map { error.about("\($0[index]): \(error.object)") } ?? error
      }
    }
    if case .threshold(let count) = terms.requirement, count < 1 {
      throw SignetError(
        .policyEntry, "policy", "requires no signature", expected: "a threshold of 1 or more", found: "\(count)")
    }
    for revocation in terms.revocations { try revocation.checkTarget() }
    if let summary = terms.summary {
      try Self.check(summary, besides: entries, terms.leastRSABits, allowsTestKeys)
    }
    guard (0...terms.timestampAuthorities.count).contains(terms.leastTimestamps) else {
      throw SignetError(
        .policyEntry, "policy", "demands more timestamps than it trusts authorities of timestamps",
        expected: "at most \(terms.timestampAuthorities.count)", found: "\(terms.leastTimestamps)")
    }
    self.entries = entries
    var terms = terms
    terms.leastRSABits = max(terms.leastRSABits, Self.leastRSABitsOfAll)
    self.terms = terms
    self.allowsTestKeys = allowsTestKeys
  }

  /// Creates a policy that trusts these keys for everything. One signature suffices.
  ///
  /// - Throws: `policy.test-key`, `policy.weak-key`; `policy.entry` for more than 100 keys.
  public init(
    trusting keys: [PublicKey], leastRSABits: Int = 3072, allowsTestKeys: Bool = false
  ) throws(SignetError) {
    var entries: [TrustEntry] = []
    for key in Set(keys).sorted(by: { "\($0.id)" < "\($1.id)" }) {
      entries.append(try TrustEntry("\(key.id)", .key(key), scope: .everything))
    }
    var terms = Terms()
    terms.leastRSABits = leastRSABits
    try self.init(entries: entries, terms: terms, allowsTestKeys: allowsTestKeys)
  }

  /// Checks the signers of verification summaries.
  private static func check(
    _ summary: SummaryRequirement, besides entries: [TrustEntry], _ bits: Int, _ allowsTestKeys: Bool
  ) throws(SignetError) {
    guard entries.count + summary.signers.count <= entryLimit else {
      throw SignetError(
        .policyEntry, "policy", "has too many entries and signers of verification summaries",
        expected: "at most \(entryLimit)", found: "\(entries.count + summary.signers.count)")
    }
    for (index, signer) in summary.signers.enumerated() {
      for other in entries + summary.signers[..<index] {
        guard !other.name.isExactly(signer.name) else {
          throw SignetError(.policyDuplicate, signer.name, "is the name of two entries", hint: "rename one of them")
        }
        // The holder of one key for both could publish any release and also let it pass.
        guard !signer.anchor.overlaps(other.anchor), Set(signer.keys).isDisjoint(with: other.keys) else {
          throw SignetError(
            .policyDuplicate, signer.name, "trusts the signer of another entry", expected: "a signer of its own",
            found: other.name, hint: "let the verifier sign with a key of its own")
        }
      }
      try checkAnchor(of: signer, bits, allowsTestKeys)
    }
  }

  /// Refuses anchors that prove nothing, or too little.
  private static func checkAnchor(of entry: TrustEntry, _ bits: Int, _ allowsTestKeys: Bool) throws(SignetError) {
    var keys: [PublicKey] = []
    switch entry.anchor.kind {
    case .key: keys = entry.keys
    case .sameSigner(let certificate, _): keys = [try certificate.publicKey()]
    case .vouched(let anchor): keys = anchor.signers.keys
    case .authority, .sameAuthority:
      // An authority may have a key of a kind that signs nothing here. Such a key cannot be a test key.
      for certificate in entry.anchor.certificates { if let key = try? certificate.publicKey() { keys.append(key) } }
    }
    for key in keys {
      guard allowsTestKeys || !TestKeys.contains(key.id) else {
        throw SignetError(
          .policyTestKey, "\(key.id)", "is a test key, whose private half is public",
          expected: "a key whose private half only its owner has", hint: "ask the publisher for the key to trust")
      }
    }
    switch entry.anchor.kind {
    case .key, .sameSigner, .vouched:
      for key in keys { try key.checkStrength(bits) }
    case .authority, .sameAuthority: break
    }
  }
}

extension PublicKey {
  /// Checks that a signer's key is as strong as a policy requires.
  ///
  /// - Throws: `policy.weak-key`.
  func checkStrength(_ least: Int) throws(SignetError) {
    guard case .rsa(let bits) = algorithm, bits < least else { return }
    throw SignetError(
      .policyWeakKey, "\(id)", "is weaker than the policy allows", expected: "RSA with \(least) bits or more",
      found: "\(bits) bits", hint: "ask the publisher for signatures by a stronger key")
  }
}

extension TrustAnchor {
  /// The bare key; nil for an anchor of another kind.
  package var key: PublicKey? { if case .key(let key) = kind { key } else { nil } }

  /// Whether one signer can be trusted by both anchors, as far as the policy shows: by one key, or as one name of an
  /// authority.
  func overlaps(_ other: TrustAnchor) -> Bool {
    if let key = bareKey, key == other.bareKey { return true }
    if let vouched, let others = other.vouched { return vouched.names.contains(where: others.names.contains) }
    guard case .authority(let mine) = kind, case .authority(let others) = other.kind,
      mine.certificates.contains(where: others.certificates.contains)
    else { return self == other }
    // Without identities, every signer of the authority is trusted.
    guard let names = mine.identities, let otherNames = others.identities else { return true }
    return names.contains(where: otherNames.contains)
  }
}

extension TrustPolicy {
  /// A term of the policy, such as `requirement` or `revocations`.
  public subscript<Term>(dynamicMember term: KeyPath<Terms, Term>) -> Term { terms[keyPath: term] }
}

/// The published keys in `keys/insecure-test-*`. Their private halves are public, so they prove nothing.
package enum TestKeys {
  private static let ids: [String] = [
    "SHA256:t4zZ/PiJ5G+RW1h5HioQB81YtrcEWj1VVtROKj/kUJY",  // insecure-test-ed25519
    "SHA256:lrOoFa/DMi+jdZypw8Xz+xE7yklqx5vfV87zH9o980k",  // insecure-test-encrypted
    "SHA256:0avYYe0klONjNUmW3iGEOFdUA9COAQqJrMSjUdRnqjA",  // insecure-test-p256
    "SHA256:vAe9mMCNJVgp6WpGuB9FaQZRcsBFqJaSz898KzvzmS8",  // insecure-test-p384
    "SHA256:WZI8u7+ZNn5+Q+Ph0LxooZozHfX9Hv6BCJXn9hnZG20",  // insecure-test-p521
    "SHA256:k1VkxMsLw6A1T+2Mxx/QfTjq0d5UaGYoQIFqKPHPazU",  // insecure-test-rsa2048
    "SHA256:ISNT9WMleS8mZEYVtU9h8ziNXz8xOeXAK0WJSmyUFXU",  // insecure-test-rsa3072
    "SHA256:Svvb7sJrntO2zQS2rknrSaedZWq8qweSJ2LlSyk57/E",  // insecure-test-rsa4096
  ]

  /// Whether a key is a published test key.
  package static func contains(_ id: KeyID) -> Bool { ids.contains { id.matches($0) } }
}
