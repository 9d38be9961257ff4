internal import SignetBase
internal import SignetCrypto

/// A signer with a certificate that chains to one that the policy knows.
struct CertificateSigner: SignerKind {
  /// The signer's certificate, in DER.
  let leaf: [UInt8]
  /// The certificates that came with it, in DER.
  let chain: [[UInt8]]

  func find(in search: SignerSearch) throws(SignetError) -> SignerSearch.Result {
    try CertificateSearch(search: search).run(leaf, chain)
  }
}

/// A search for the policy's signers by one certificate.
private struct CertificateSearch {
  let search: SignerSearch
  private var policy: PolicyInForce { search.policy }
  private var label: String { search.label }

  /// What an entry says about a leaf.
  private enum Match {
    case none(SignetError)
    case signer(CertificatePath, [SignerUnit])
  }

  func run(_ leafDER: [UInt8], _ chainDER: [[UInt8]]) throws(SignetError) -> SignerSearch.Result {
    let entries = search.entries.filter { $0.entry.anchor.isOfCertificates }
    guard !entries.isEmpty else {
      if let key = try? certificate(leafDER).publicKey(), let objection = policy.revocations.objection(to: key, label)
      {
        return .stranger([objection])
      }
      return .stranger([
        SignetError(
          .signerCertificate, label, "carries a certificate, but the policy trusts only keys",
          expected: policy.trusted, hint: "ask the publisher for a signature by that key")
      ])
    }
    let leaf = try certificate(leafDER)
    var chain: [Certificate] = []
    for der in chainDER { chain.append(try certificate(der)) }
    let key: PublicKey
    do throws(SignetError) {
      key = try leaf.publicKey()
    } catch {
      if error.code == .cryptoFailure { throw error }
      return .stranger([error.about("\(label): \(leaf.name)")])
    }
    var objections: [SignetError] = []
    var reached: [(entry: EntryInForce, path: CertificatePath, units: [SignerUnit])] = []
    for entry in entries {
      switch try match(entry, leaf: leaf, chain: chain, key: key) {
      case .none(let reason): objections.append(reason)
      case .signer(let path, let units): reached.append((entry, path, units))
      }
    }
    guard try search.hasSigned(key) else {
      let forged = SignetError.forgedSignature(label, [leaf.name])
      return reached.isEmpty ? .stranger([forged] + objections) : .forged(forged)
    }
    return judge(key, reached, objections)
  }

  /// Decides which of the entries that the leaf reaches count for the artifact.
  private func judge(
    _ key: PublicKey, _ reached: [(entry: EntryInForce, path: CertificatePath, units: [SignerUnit])],
    _ objections: [SignetError]
  ) -> SignerSearch.Result {
    var objections = objections
    var units: [SignerUnit] = []
    var path: CertificatePath?
    if let objection = policy.revocations.objection(to: key, label) { return .stranger([objection]) }
    for each in reached {
      if let objection = each.entry.objection(label, policy.judged, policy.knownRole)
        ?? policy.revocations.objection(to: each.path, label)
      {
        objections.append(objection)
        continue
      }
      units += each.units
      path = path ?? each.path
    }
    guard let path else { return .stranger(objections) }
    return .found(FoundSigner(key: key, units: units, path: path))
  }

  private func match(
    _ entry: EntryInForce, leaf: Certificate, chain: [Certificate], key: PublicKey
  ) throws(SignetError) -> Match {
    guard let chains = entry.chains(adding: chain) else { return .none(untrusted(entry, leaf)) }
    do throws(SignetError) {
      switch entry.entry.anchor.kind {
      case .key, .vouched: return .none(untrusted(entry, leaf))
      case .authority(let authority):
        let path = try chains.verify(leaf, at: policy.judged, listsAt: policy.now)
        return identities(authority.identities, entry, path)
      case .sameSigner(let certificate, _):
        guard try certificate.publicKey() == key else { return .none(untrusted(entry, leaf)) }
        let path = try chains.verify(certificate, at: policy.judged, listsAt: policy.now)
        // A presented certificate must be valid as well: adding one never makes a bundle easier to accept.
        if leaf != certificate {
          _ = try CertificateChainVerifier(
            anchors: [leaf], intermediates: [], revocationLists: [], leastRSABits: policy.policy.leastRSABits
          ).verify(leaf, at: policy.judged)
        }
        return .signer(path, [SignerUnit(entry: entry.index, identity: nil)])
      case .sameAuthority(let certificate, let issuer):
        let path = try chains.verify(leaf, at: policy.judged, listsAt: policy.now)
        guard path.issuer == issuer else { return .none(untrusted(entry, leaf)) }
        guard leaf.subject.isSameAuthority(as: certificate.subject) else { return .none(identity(entry, leaf)) }
        return .signer(path, [SignerUnit(entry: entry.index, identity: nil)])
      }
    } catch {
      if error.code == .cryptoFailure { throw error }
      var reason = error.about("\(label): \(error.object)")
      if policy.judged != policy.now, [.chainExpired, .chainNotYetValid].contains(error.code) {
        reason.hint = "ask the publisher: the time is that of the signature's timestamp"
      }
      return .none(reason)
    }
  }

  private func identities(_ names: [SignerIdentity]?, _ entry: EntryInForce, _ path: CertificatePath) -> Match {
    guard let names else { return .signer(path, [SignerUnit(entry: entry.index, identity: nil)]) }
    let units = names.indices.filter { names[$0].isNamed(by: path.leaf) }.map {
      SignerUnit(entry: entry.index, identity: $0)
    }
    return units.isEmpty ? .none(identity(entry, path.leaf)) : .signer(path, units)
  }

  private func certificate(_ der: [UInt8]) throws(SignetError) -> Certificate {
    do throws(SignetError) {
      return try Certificate(der: der)
    } catch {
      throw SignetError(.signatureMalformed, label, "carries a certificate that cannot be parsed", cause: error)
    }
  }

  private func untrusted(_ entry: EntryInForce, _ leaf: Certificate) -> SignetError {
    SignetError(
      .signerUntrusted, label, "is not signed by a trusted signer", expected: policy.trusted,
      found: "a certificate of \(leaf.name)",
      hint: "get the file and its bundle from a publisher whom you trust")
  }

  private func identity(_ entry: EntryInForce, _ leaf: Certificate) -> SignetError {
    let names =
      (leaf.subject.isEmpty ? [] : [leaf.subject.description]) + leaf.subjectAlternativeNames.map { "\($0)" }
    return SignetError(
      .signerIdentity, label, "is signed by an identity that the policy does not name",
      expected: "\(entry.entry.name): \(entry.entry.anchor)", found: names.joined(separator: ", "),
      hint: "get the file and its bundle from a publisher whom you trust")
  }
}

extension TrustAnchor {
  /// Whether chains of certificates lead to the anchor.
  fileprivate var isOfCertificates: Bool {
    switch kind {
    case .key, .vouched: false
    case .authority, .sameSigner, .sameAuthority: true
    }
  }
}

extension DistinguishedName {
  /// Whether country, organization and organizational units are equal as a whole, and there is an organization.
  func isSameAuthority(as other: DistinguishedName) -> Bool {
    func same(_ left: [String], _ right: [String]) -> Bool {
      left.count == right.count && zip(left, right).allSatisfy { $0.isExactly($1) }
    }
    return !organizations.isEmpty && same(countries, other.countries) && same(organizations, other.organizations)
      && same(organizationalUnits, other.organizationalUnits)
  }
}
