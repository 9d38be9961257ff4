public import SignetBase
internal import SignetCrypto

extension TrustEntry {
  /// Certificates from an anchor down at most; chains are short.
  private static let depthLimit = 8
  /// Chains of an entry at most. Certificates of one name can be put into a row in very many ways.
  private static let chainLimit = 100

  /// The certificate authorities of the entry as Sigstore's `trusted_root.json` (`sigstore_trustroot.proto`, version
  /// 0.1), without transparency logs: one authority for each chain of its certificates, the anchor last.
  ///
  /// It does not say whom of those certified the entry trusts, since the format cannot.
  ///
  /// - Throws: `policy.entry` for an entry that is no authority, or one with more than a hundred chains.
  public func sigstoreTrustedRoot() throws(SignetError) -> [UInt8] {
    guard case .authority(let authority) = anchor.kind else {
      throw SignetError(
        .policyEntry, name, "is not an authority", expected: "an entry with an authority", found: "\(anchor)")
    }
    var chains: [[Certificate]] = []
    for certificate in authority.certificates {
      try Self.add(to: &chains, below: [certificate], authority.intermediates, name)
    }
    return try CanonicalJSON.write(
      .object(
        ("mediaType", .string("application/vnd.dev.sigstore.trustedroot+json;version=0.1")),
        ("tlogs", .array([])), ("ctlogs", .array([])), ("timestampAuthorities", .array([])),
        ("certificateAuthorities", .array(chains.map { Self.authority($0) }))))
  }

  /// Adds every chain that ends in these certificates, which are in order.
  private static func add(
    to chains: inout [[Certificate]], below chain: [Certificate], _ intermediates: [Certificate], _ name: String
  ) throws(SignetError) {
    let issued = intermediates.filter { $0.issuer == chain[0].subject && !chain.contains($0) }
    if !issued.isEmpty, chain.count < depthLimit {
      for each in issued { try add(to: &chains, below: [each] + chain, intermediates, name) }
      return
    }
    guard chains.count < chainLimit else {
      throw SignetError(
        .policyEntry, name, "has too many chains", expected: "at most \(chainLimit)",
        hint: "remove intermediates that are not needed")
    }
    chains.append(chain)
  }

  private static func authority(_ chain: [Certificate]) -> JSONValue {
    let root = chain[chain.count - 1]
    return .object(
      (
        "subject",
        .object(
          ("commonName", root.subject.commonName.map { .string($0) }),
          ("organization", root.subject.organizations.first.map { .string($0) }))
      ), ("certChain", .object(("certificates", .array(chain.map { .object(("rawBytes", .encoded($0))) })))),
      (
        "validFor",
        .object(("start", .string("\(root.notBefore)")), ("end", .string("\(root.notAfter)")))
      ))
  }
}
