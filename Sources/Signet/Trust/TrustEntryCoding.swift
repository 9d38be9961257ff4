internal import SignetBase
internal import SignetCrypto

extension TrustEntry {
  private static let listLimit = 100

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let name = try object.string("name")
    let anchor = try Self.anchor(&object)
    let scope = TrustScope(
      modules: try object.modulePatterns("modules", atMost: Self.listLimit),
      uris: try object.uriPatterns("uris", atMost: Self.listLimit),
      files: try object.filePatterns("files", atMost: Self.listLimit))
    let window = Window(from: try object.optionalTime("validFrom"), until: try object.optionalTime("validUntil"))
    var formats: Set<SignatureFormat> = object.has("formats") ? [] : [.dsse]
    for text in try object.strings("formats", atMost: Self.listLimit) {
      guard let format = SignatureFormat(rawValue: text) else { throw object.wrong("formats", "dsse", text) }
      formats.insert(format)
    }
    try object.finish()
    do throws(SignetError) {
      try self.init(name, anchor, scope: scope, window: window, formats: formats)
    } catch {
      throw error.about("\(object.place): \(error.object)")
    }
  }

  private static func anchor(_ object: inout JSONObject) throws(SignetError) -> TrustAnchor {
    let kinds = ["key", "authority", "sameSignerAs", "sameAuthorityAs"].filter { object.has($0) }
    guard kinds.count == 1 else {
      throw SignetError(
        .policyEntry, object.place, "does not name exactly one kind of signer",
        expected: "key, authority, sameSignerAs or sameAuthorityAs",
        found: kinds.isEmpty ? "none" : kinds.joined(separator: ", "))
    }
    if kinds[0] == "key" { return .key(try object.key("key")) }
    var anchor = try object.object(kinds[0])
    do throws(SignetError) {
      switch kinds[0] {
      case "authority": return try authority(&anchor)
      case "sameSignerAs":
        let certificate = try anchor.certificate("certificate")
        let issuers = try anchor.certificates("issuers")
        try anchor.finish()
        return .sameSigner(as: certificate, issuers: issuers)
      default:
        let certificate = try anchor.certificate("certificate")
        let issuer = try anchor.certificate("issuer")
        try anchor.finish()
        return try .sameAuthority(as: certificate, issuer: issuer)
      }
    } catch  where error.code == .policyEntry {
      throw error.about("\(anchor.place): \(error.object)")
    }
  }

  private static func authority(_ object: inout JSONObject) throws(SignetError) -> TrustAnchor {
    let certificates = try object.certificates("certificates")
    let intermediates = try object.certificates("intermediates")
    let isAnyLeaf = try object.optionalBool("anyLeaf") ?? false
    var identities: [SignerIdentity] = []
    for text in try object.strings("identities", atMost: listLimit) {
      // With its kind: a policy leaves nothing to guess.
      guard let identity = SignerIdentity(text), identity.description.isExactly(text) else {
        throw object.wrong("identities", "names such as email:release@example.com", text)
      }
      guard !identities.contains(identity) else { throw object.wrong("identities", "each name once", text) }
      identities.append(identity)
    }
    guard !isAnyLeaf || identities.isEmpty else {
      throw object.wrong("anyLeaf", "identities or anyLeaf, not both", "both")
    }
    try object.finish()
    return isAnyLeaf
      ? try .anyLeaf(of: certificates, intermediates: intermediates)
      : try .authority(certificates, intermediates: intermediates, identities: identities)
  }

  var json: JSONValue {
    func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }
    let (kind, value) = anchor.json
    return .object(
      ("name", .string(name)), (kind, value), ("modules", list(scope.modules.map(\.description))),
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
    }
  }
}

extension JSONValue {
  /// A certificate in base64.
  static func encoded(_ certificate: Certificate) -> JSONValue { .string(Base64.encode(certificate.der)) }
  /// Certificates in base64.
  static func encoded(_ certificates: [Certificate]) -> JSONValue { .array(certificates.map { .encoded($0) }) }
}
