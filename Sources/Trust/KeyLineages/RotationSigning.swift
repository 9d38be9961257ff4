public import SignetBase
internal import SignetCrypto
public import SignetKeys
internal import SignetVerify

extension KeyLineage {
  /// The lineage after the present key has introduced the next one.
  ///
  /// - Parameters:
  ///   - lineage: the signer's lineage up to now; nil if no key was introduced before.
  ///   - key: the present key.
  ///   - next: the key to introduce, which accepts that by a signature of its own.
  ///   - since: when signatures by it begin to count.
  ///   - until: the last second at which signatures by the present key count.
  /// - Throws: `lineage.order` if the key is not the lineage's present one; `lineage.cycle`, `lineage.too-long`,
  ///   `lineage.malformed` for an overlap that ends before it begins; `crypto.failure`.
  public static func rotating(
    _ lineage: KeyLineage?, from key: PrivateKey, to next: PrivateKey, since: UnixTime, until: UnixTime
  ) throws(SignetError) -> KeyLineage {
    let last = lineage?.rotations.last
    if let last, last.to != key.publicKey {
      throw SignetError(
        .lineageOrder, "lineage", "has another present key", expected: "\(last.to.id)", found: "\(key.publicKey.id)",
        hint: "sign with the newest key of the lineage")
    }
    let content = try RotationStatement.Content(
      from: key.publicKey, to: next.publicKey, number: (last?.number ?? 0) + 1, previous: last?.digest, since: since,
      until: until)
    let acceptance = try next.sign(Envelope.preAuthenticationEncoding(of: content.acceptedPayload()))
    let payload = try content.payload(acceptance: acceptance)
    let signature = try key.sign(Envelope.preAuthenticationEncoding(of: payload))
    let bundle = SigstoreBundle(payload: payload, signature: signature, key: key.publicKey.id)
    // What is written must be read again.
    return try KeyLineage((lineage?.rotations ?? []) + [RotationStatement(bundle: bundle.canonicalBytes())])
  }
}
