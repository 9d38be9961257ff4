public import SignetBase
package import SignetCrypto
internal import SignetNames
public import SignetVerify

extension TrustPolicy {
  /// The policy's one canonical JSON text, in one line without a line end.
  ///
  /// - Throws: nothing in practice, since all numbers in a policy are whole.
  public func canonicalBytes() throws(SignetError) -> [UInt8] {
    func list<Element>(_ elements: [Element], _ json: (Element) -> JSONValue) -> JSONValue? {
      elements.isEmpty ? nil : .array(elements.map(json))
    }
    var threshold: JSONValue?
    if case .threshold(let count) = terms.requirement { threshold = .integer(count) }
    let floors = terms.floors.sorted { "\($0.key)".precedesInBytes("\($1.key)") }
    return try CanonicalJSON.write(
      .object(
        ("version", .integer(Self.version)), ("entries", .array(entries.map(\.json))), ("threshold", threshold),
        ("exact", threshold == nil ? JSONValue(.bool(true)) : nil),
        ("summary", terms.summary?.json), ("expires", terms.expires.map { .string("\($0)") }),
        ("timestampAuthorities", terms.timestampAuthorities.isEmpty ? nil : .encoded(terms.timestampAuthorities)),
        ("timestamps", terms.leastTimestamps == 0 ? nil : .integer(terms.leastTimestamps)),
        ("revocationLists", list(terms.revocationLists) { .string(Base64.encode($0.der)) }),
        ("revocation", terms.revocationDemand == .current ? nil : .string(terms.revocationDemand.rawValue)),
        ("continuity", terms.continuity == .refuse ? nil : .string(terms.continuity.rawValue)),
        ("minimumAge", terms.minimumAge.map { .string("\($0)") }),
        ("statusResponses", list(terms.statusResponses.responses) { .string(Base64.encode($0)) }),
        ("revoked", list(terms.revocations) { $0.json }),
        ("floors", list(floors) { .object(("module", .string("\($0.key)")), ("sequence", .integer($0.value))) }),
        (
          "strengths",
          terms.leastRSABits == Terms().leastRSABits ? nil : .object(("leastRSABits", .integer(terms.leastRSABits)))
        ))
    )
  }
}

extension TrustEntry {
  fileprivate var json: JSONValue {
    func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }
    let (kind, value) = anchor.json
    return .object(
      ("name", .string(name)), (kind, value),
      ("rotations", succession.flatMap { list($0.proofs.map { Base64.encode($0) }) }),
      ("modules", list(scope.modules.map(\.description))),
      ("uris", list(scope.uris.map(\.description))), ("files", list(scope.files.map(\.description))),
      ("validFrom", window.from.map { .string("\($0)") }),
      ("validUntil", window.until.map { .string("\($0)") }),
      ("formats", formats == [.dsse] ? nil : list(formats.map(\.rawValue).sorted())))
  }
}

extension TrustAnchor {
  fileprivate var json: (String, JSONValue) {
    switch kind {
    case .key(let key): ("key", .string(Base64.encode(key.der)))
    case .authority(let authority):
      (
        "authority",
        .object(
          ("certificates", .encoded(authority.certificates)),
          ("intermediates", authority.intermediates.isEmpty ? nil : .encoded(authority.intermediates)),
          ("anyLeaf", authority.identities == nil ? JSONValue(.bool(true)) : nil),
          ("identities", authority.identities.map { .array($0.map { .string("\($0)") }) }))
      )
    case .sameSigner(let certificate, let issuers):
      (
        "sameSignerAs",
        .object(
          ("certificate", .encoded(certificate)), ("issuers", issuers.isEmpty ? nil : .encoded(issuers)))
      )
    case .sameAuthority(let certificate, let issuer):
      ("sameAuthorityAs", .object(("certificate", .encoded(certificate)), ("issuer", .encoded(issuer))))
    case .vouched(let anchor): (type(of: anchor.signers).field, anchor.signers.json)
    }
  }
}

extension JSONValue {
  /// A certificate in base64.
  package static func encoded(_ certificate: Certificate) -> JSONValue { .string(Base64.encode(certificate.der)) }
  /// Certificates in base64.
  package static func encoded(_ certificates: [Certificate]) -> JSONValue {
    .array(certificates.map { .encoded($0) })
  }
}

extension SummaryRequirement {
  fileprivate var json: JSONValue {
    .object(
      ("signers", .array(signers.map(\.json))),
      ("verifier", verifier.isExactly(SummaryPredicate.gate) ? nil : .string(verifier)),
      ("policySHA256", policySHA256.map { .string($0.hex) }),
      ("levels", levels.isEmpty ? nil : .array(levels.map { .string($0) })))
  }
}

extension Revocation {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [("reason", .string(reason))]
    if let date { members.append(("date", .string("\(date)"))) }
    if let from { members.append(("from", .string("\(from)"))) }
    switch target {
    case .key(let id): members.append(("key", .string("\(id)")))
    case .certificate(let serial, let issuer):
      members.append(("serial", .string(serial)))
      if let issuer { members.append(("issuer", .string(issuer))) }
    case .identity(let name, let issuer):
      members.append(("identity", .string(name)))
      if let issuer { members.append(("issuer", .string(issuer))) }
    case .sha256(let digest): members.append(("sha256", .string(digest.hex)))
    case .fsverity(let digest): members.append(("fsverity", .string("\(digest)")))
    case .sequence(let module, let number):
      members += [("module", .string("\(module)")), ("sequence", .integer(number))]
    case .versions(let module, let range):
      members += [("module", .string("\(module)")), ("versions", .string("\(range)"))]
    }
    return JSONValue(.object(members.map { JSONValue.Member($0.0, $0.1) }))
  }
}
