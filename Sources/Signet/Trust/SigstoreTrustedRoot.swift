public import SignetCrypto

extension TrustEntry {
  /// Certificates from an anchor down at most; chains are short.
  private static let depthLimit = 8

  /// The certificate authorities of the entry as Sigstore's `trusted_root.json` (`sigstore_trustroot.proto`, version
  /// 0.1), without transparency logs: one authority for each chain of its certificates, the anchor last.
  ///
  /// It does not say whom of those certified the entry trusts, since the format cannot.
  ///
  /// - Throws: `policy.entry` for an entry that is no authority.
  public func sigstoreTrustedRoot() throws(SignetError) -> [UInt8] {
    guard case .authority(let authority) = anchor.kind else {
      throw SignetError(
        .policyEntry, name, "is no authority", expected: "an entry with an authority", found: "\(anchor)")
    }
    var chains: [[Certificate]] = []
    for certificate in authority.certificates {
      chains += Self.chains(below: [certificate], authority.intermediates)
    }
    return try CanonicalJSON.write(
      .object(
        ("mediaType", .string("application/vnd.dev.sigstore.trustedroot+json;version=0.1")),
        ("tlogs", .array([])), ("ctlogs", .array([])), ("timestampAuthorities", .array([])),
        ("certificateAuthorities", .array(chains.map { Self.authority($0) }))))
  }

  /// Every chain that ends in these certificates, which are in order.
  private static func chains(below chain: [Certificate], _ intermediates: [Certificate]) -> [[Certificate]] {
    let issued = intermediates.filter { $0.issuer == chain[0].subject && !chain.contains($0) }
    guard !issued.isEmpty, chain.count < depthLimit else { return [chain] }
    return issued.flatMap { chains(below: [$0] + chain, intermediates) }
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
