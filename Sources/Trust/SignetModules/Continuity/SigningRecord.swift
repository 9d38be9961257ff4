package import SignetBase
internal import SignetCrypto
package import SignetVerify

/// What a release was signed with, as the next release is held to it: who has signed, by what kind of trust, and how many
/// signatures had a timestamp.
package struct SigningRecord: Hashable, Sendable {
  /// A signer of the release.
  package struct Signer: Hashable, Sendable {
    /// What tells the signer from others: names of a certificate, or the key's ID.
    package let identity: String
    /// The ID of the key that signed.
    package let key: String
    /// The best kind of entry that trusts the signer.
    package let kind: Kind
    /// The names of the entries that trust the signer.
    package let entries: [String]

    package init(identity: String, key: String, kind: Kind, entries: [String]) {
      (self.identity, self.key, self.kind, self.entries) = (identity, key, kind, entries)
    }
  }

  /// How a policy trusts a signer, from the least that it demands to the most.
  package enum Kind: String, Comparable, Hashable, Sendable, CaseIterable {
    /// Whoever has a certificate of an authority.
    case anyone
    /// One of the names that an authority certifies.
    case name
    /// One key, or one certificate.
    case key
    /// An identity that a public log has written down.
    case identity

    package static func < (left: Kind, right: Kind) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  /// The signers, each once, in the order of the bytes of their identities; at least one.
  package let signers: [Signer]
  /// How many of the signatures were judged at the time of a timestamp.
  package let stamped: Int
  /// What else was stated about it, such as its provenance.
  package let attestations: Set<String>

  package init(signers: [Signer], stamped: Int = 0, attestations: Set<String> = []) {
    (self.signers, self.stamped, self.attestations) = (signers, stamped, attestations)
  }

  /// What verified signatures are.
  ///
  /// - Parameters:
  ///   - policy: the policy that they were verified under.
  ///   - attestations: what else was stated about the release.
  package init(_ signatures: [VerifiedSignature], under policy: TrustPolicy, attestations: Set<String> = []) {
    self.attestations = attestations
    signers = KnownSigner.all(of: signatures).map { signer in
      let names = signatures.filter { KnownSigner($0).identity.isExactly(signer.identity) }.flatMap(\.entries)
      return Signer(signer, trustedBy: names, of: policy)
    }
    stamped = signatures.count { $0.stamped != nil }
  }
}

extension SigningRecord.Signer {
  /// - Parameter names: the entries of the policy that trust the signer.
  init(_ signer: KnownSigner, trustedBy names: [String], of policy: TrustPolicy) {
    let trusting = policy.entries.filter { entry in names.contains { $0.isExactly(entry.name) } }
    (identity, key) = (signer.identity, signer.key)
    kind = trusting.map(\.anchor.recordedKind).max() ?? .anyone
    entries = trusting.map(\.name)
  }

  /// Whether both are one signer: by the names, by the key, or by the keys of one lineage.
  func isSame(as other: SigningRecord.Signer, _ lineages: [Set<String>]) -> Bool {
    identity.isExactly(other.identity) || key.isExactly(other.key)
      || lineages.contains { $0.contains(key) && $0.contains(other.key) }
  }
}

extension SigningRecord.Signer {
  /// Whether a policy still trusts the signer. Whoever has removed an entry, or revoked a key, expects nothing of it.
  func isTrusted(by policy: TrustPolicy) -> Bool {
    let isRevoked = policy.terms.revocations.contains { revocation in
      switch revocation.target {
      case .key(let id): "\(id)".isExactly(key)
      case .identity(let name, _): name.isExactly(identity)
      case .certificate, .sha256, .fsverity, .sequence, .versions: false
      }
    }
    return !isRevoked
      && policy.entries.contains { entry in
        guard entries.contains(where: { $0.isExactly(entry.name) }) else { return false }
        return entry.keys.isEmpty || entry.keys.contains { "\($0.id)".isExactly(key) }
      }
  }
}

extension TrustPolicy {
  /// The IDs of the keys of signers who have had several, one after the other.
  var lineageKeys: [Set<String>] { entries.map { Set($0.keys.map { "\($0.id)" }) }.filter { $0.count > 1 } }
}

extension TrustAnchor {
  fileprivate var recordedKind: SigningRecord.Kind {
    switch kind {
    case .vouched: .identity
    case .key, .sameSigner: .key
    case .sameAuthority: .name
    case .authority(let authority): authority.identities == nil ? .anyone : .name
    }
  }
}

extension SigningRecord {
  /// As many signers as bundles are read for one artifact.
  private static let signerLimit = SignatureSource.bundleLimit
  private static let attestationLimit = 100
  /// As many as a policy may have.
  private static let entryLimit = 100

  /// The record in JSON.
  package var json: JSONValue {
    .object(
      (
        "signers",
        .array(
          signers.map {
            .object(
              ("identity", .string($0.identity)), ("key", .string($0.key)), ("kind", .string($0.kind.rawValue)),
              ("entries", .array($0.entries.map { .string($0) })))
          })
      ), ("stamped", stamped == 0 ? nil : .integer(stamped)),
      ("attestations", attestations.isEmpty ? nil : .array(attestations.sorted().map { .string($0) })))
  }

  /// Reads a record.
  ///
  /// - Throws: `json.…`, and the code for unknown fields that the object has.
  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    signers = try object.objects("signers", atMost: Self.signerLimit).map { (signer) throws(SignetError) in
      var signer = signer
      let name = try signer.string("kind")
      guard let kind = Kind(rawValue: name) else {
        throw signer.wrong("kind", Kind.allCases.map(\.rawValue).joined(separator: ", "), name)
      }
      let read = Signer(
        identity: try signer.string("identity"), key: try signer.string("key"), kind: kind,
        entries: try signer.strings("entries", atMost: Self.entryLimit))
      try signer.finish()
      return read
    }
    guard !signers.isEmpty else { throw object.wrong("signers", "one or more", "none") }
    stamped = object.has("stamped") ? try object.count("stamped") : 0
    attestations =
      object.has("attestations") ? Set(try object.strings("attestations", atMost: Self.attestationLimit)) : []
    try object.finish()
  }
}
