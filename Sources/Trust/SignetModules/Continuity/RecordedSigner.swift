internal import SignetBase
internal import SignetCrypto
internal import SignetVerify

/// A signer of a release, as it is remembered.
package struct RecordedSigner: Hashable, Sendable {
  /// The ID of the key that signed.
  package let key: String
  /// The names that a certificate proves, as far as the policy asks for them; none for a bare key.
  package let names: [String]
  /// Who has established the names: the authority, or the issuer of an identity; nil for a bare key, or if it is not known.
  package let issuer: String?
  /// The serial number of the certificate, and who has issued it; nil for a bare key and for identities.
  package let certificate: Serial?
  /// The best kind of entry that trusted the signer.
  package let kind: Kind
  /// Whether the signature was judged at the time of a timestamp.
  package var isStamped: Bool

  /// What a certificate is revoked by.
  package struct Serial: Hashable, Sendable {
    let number: String
    let issuer: String
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

  package init(key: String, names: [String] = [], issuer: String? = nil, kind: Kind, isStamped: Bool = false) {
    (self.key, self.names, self.issuer, self.kind, self.isStamped) = (key, names, issuer, kind, isStamped)
    certificate = nil
  }

  /// The signer of a verified signature.
  ///
  /// - Parameter policy: the policy that it was verified under.
  init(_ signature: VerifiedSignature, of policy: TrustPolicy) {
    self.init(
      signature.key, signature.certificatePath, signature.identity, trustedBy: signature.entries, of: policy,
      isStamped: signature.stamped != nil)
  }

  /// - Parameter entries: the names of the policy's entries that trust the signer.
  init(
    _ key: PublicKey, _ path: CertificatePath?, _ proven: ProvenIdentity?, trustedBy entries: [String],
    of policy: TrustPolicy, isStamped: Bool = false
  ) {
    self.key = "\(key.id)"
    self.isStamped = isStamped
    let trusting = policy.entries.filter { entry in entries.contains { $0.isExactly(entry.name) } }
    kind = trusting.map(\.anchor.recordedKind).max() ?? .anyone
    if let proven {
      (names, issuer, certificate) = ([proven.holder], proven.issuer, nil)
    } else if let path {
      let all = path.leaf.recordedNames
      let asked = trusting.flatMap(\.anchor.names)
      let known = all.filter { name in asked.contains { $0.isExactly(name) } }
      names = (known.isEmpty ? all : known).prefix(Self.nameLimit).map(Self.bounded)
      issuer = path.certificates.last.map { Self.bounded("\($0.subject)") }
      certificate = Serial(number: path.leaf.serialNumber, issuer: Self.bounded("\(path.leaf.issuer)"))
    } else {
      (names, issuer, certificate) = ([], nil, nil)
    }
  }

  /// What fills a store's state: a certificate can have hundreds of names, and long ones.
  private static let nameLimit = 16
  private static let lengthLimit = 256

  private static func bounded(_ name: String) -> String {
    guard name.utf8.count > lengthLimit, let digest = try? Digest.of(Array(name.utf8), .sha256) else { return name }
    return "\(digest)"
  }
}

extension TrustAnchor {
  fileprivate var recordedKind: RecordedSigner.Kind {
    switch kind {
    case .vouched: .identity
    case .key, .sameSigner: .key
    case .sameAuthority: .name
    case .authority(let authority): authority.identities == nil ? .anyone : .name
    }
  }

  /// The names that an authority's signers must have; none for anchors that ask for no name.
  fileprivate var names: [String] {
    if case .authority(let authority) = kind { authority.identities?.map { "\($0)" } ?? [] } else { [] }
  }
}

extension Certificate {
  fileprivate var recordedNames: [String] {
    let names = subjectAlternativeNames.map { "\($0)" }
    return subject.isEmpty ? names : names + ["subject:\(subject)"]
  }
}

extension RecordedSigner {
  /// Whether both are one signer: by the key, by the keys of one lineage, or by a name from the same authority.
  func isSame(as other: RecordedSigner, under policy: TrustPolicy) -> Bool {
    if key.isExactly(other.key) { return true }
    let isOfLineage = policy.entries.contains { entry in
      let keys = entry.keys.map { "\($0.id)" }
      return keys.contains { $0.isExactly(key) } && keys.contains { $0.isExactly(other.key) }
    }
    guard !isOfLineage else { return true }
    return names.contains { name in other.names.contains { $0.isExactly(name) } }
      && hasIssuer(of: other, under: policy)
  }

  /// Whether the same authority has established the names, or one that the policy has in the same entry.
  private func hasIssuer(of other: RecordedSigner, under policy: TrustPolicy) -> Bool {
    guard let issuer, let otherIssuer = other.issuer, !issuer.isExactly(otherIssuer) else { return true }
    return policy.entries.contains { entry in
      let subjects = entry.anchor.certificates.map { Self.bounded("\($0.subject)") }
      return subjects.contains { $0.isExactly(issuer) } && subjects.contains { $0.isExactly(otherIssuer) }
    }
  }

  /// Whether the policy trusts the signer now. Nothing is expected of anybody else.
  func isTrusted(by policy: TrustPolicy, for role: ArtifactRole, at now: UnixTime) -> Bool {
    guard !isRevoked(by: policy, at: now) else { return false }
    return policy.entries.contains { entry in
      entry.scope.covers(role) && entry.window.from.map { $0 <= now } ?? true
        && entry.window.until.map { now <= $0 } ?? true && isTrusted(by: entry)
    }
  }

  private func isTrusted(by entry: TrustEntry) -> Bool {
    switch entry.anchor.kind {
    case .key, .sameSigner: entry.keys.contains { "\($0.id)".isExactly(key) }
    case .authority(let authority):
      kind != .identity && !names.isEmpty && hasIssuer(in: entry)
        && (authority.identities.map { identities in
          identities.contains { identity in names.contains { $0.isExactly(Self.bounded("\(identity)")) } }
        } ?? true)
    case .sameAuthority: kind != .identity && !names.isEmpty && hasIssuer(in: entry)
    case .vouched: kind == .identity
    }
  }

  /// Whether the names are by an authority of the entry.
  private func hasIssuer(in entry: TrustEntry) -> Bool {
    issuer.map { issuer in
      entry.anchor.certificates.contains { Self.bounded("\($0.subject)").isExactly(issuer) }
    } ?? true
  }

  private func isRevoked(by policy: TrustPolicy, at now: UnixTime) -> Bool {
    policy.terms.revocations.contains { revocation in
      guard revocation.from.map({ $0 <= now }) ?? true else { return false }
      return switch revocation.target {
      case .key(let id): "\(id)".isExactly(key)
      case .certificate(let serial, let issuer):
        certificate.map { own in
          own.number.isExactly(serial) && issuer.map { own.issuer.isExactly(Self.bounded($0)) } ?? true
        } ?? false
      case .identity(let name, let issuer):
        names.contains { $0.isExactly(name) } && issuer.map { self.issuer?.isExactly($0) ?? true } ?? true
      case .sha256, .fsverity, .sequence, .versions: false
      }
    }
  }

  /// What people call the signer: the policy's name, and the names or the key.
  func shown(under policy: TrustPolicy) -> String {
    let known = names.isEmpty ? key : names.joined(separator: ", ")
    let entries = policy.entries.filter { isTrusted(by: $0) }.map(\.name).filter { !$0.isExactly(known) }
    return entries.isEmpty ? known : "\(entries.joined(separator: " or ")) (\(known))"
  }
}

extension RecordedSigner {
  /// The signer in JSON.
  var json: JSONValue {
    .object(
      ("key", .string(key)), ("names", names.isEmpty ? nil : .array(names.map { .string($0) })),
      ("issuer", issuer.map { .string($0) }), ("kind", .string(kind.rawValue)),
      ("stamped", isStamped ? JSONValue(.bool(true)) : nil),
      (
        "certificate",
        certificate.map { .object(("serial", .string($0.number)), ("issuer", .string($0.issuer))) }
      ))
  }

  /// Reads a signer.
  ///
  /// - Throws: `json.…`, and the code for unknown fields that the object has.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let kind = try object.string("kind")
    guard let known = Kind(rawValue: kind) else {
      throw object.wrong("kind", Kind.allCases.map(\.rawValue).joined(separator: ", "), kind)
    }
    self.kind = known
    key = try object.string("key")
    names = object.has("names") ? try object.strings("names", atMost: Self.nameLimit) : []
    issuer = try object.optionalString("issuer")
    isStamped = try object.optionalBool("stamped") ?? false
    certificate = try object.optionalObject("certificate").map { (certificate) throws(SignetError) in
      var certificate = certificate
      let read = Serial(number: try certificate.string("serial"), issuer: try certificate.string("issuer"))
      try certificate.finish()
      return read
    }
    try object.finish()
  }
}
