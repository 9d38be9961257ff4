public import SignetBase
internal import SignetCrypto
public import SignetVerify

extension TrustEntry {
  /// The maximum length of a chain in certificates, from the anchor down. Real chains are short.
  private static let depthLimit = 8
  /// The maximum number of chains of an entry. Certificates with the same name can form very many chains.
  private static let chainLimit = 100

  /// The certificate authorities of the entry, in the format of Sigstore's `trusted_root.json`.
  ///
  /// The format is version 0.1 of `sigstore_trustroot.proto`. The text has no transparency logs. It has one authority
  /// for each chain of the entry's certificates, with the anchor last. It does not say which certified identities the
  /// entry trusts, because the format cannot.
  ///
  /// - Throws: `policy.entry` for an entry that is not an authority, or has more than a hundred chains.
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

  /// Adds every chain that ends in these certificates. They are in order, the anchor last.
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
      ),
      (
        "certChain",
        .object(("certificates", .array(chain.map { .object(("rawBytes", .string(Base64.encode($0.der)))) })))
      ),
      (
        "validFor",
        .object(("start", .string("\(root.notBefore)")), ("end", .string("\(root.notAfter)")))
      ))
  }
}
