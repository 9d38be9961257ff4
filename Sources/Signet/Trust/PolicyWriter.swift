public import SignetBase
internal import SignetCrypto

extension TrustPolicy {
  /// The policy's one canonical JSON text, in one line without an end.
  ///
  /// - Throws: nothing in practice: a policy has no numbers that are not whole.
  public func canonicalBytes() throws(SignetError) -> [UInt8] {
    func list<Element>(_ elements: [Element], _ json: (Element) -> JSONValue) -> JSONValue? {
      elements.isEmpty ? nil : .array(elements.map(json))
    }
    var threshold: JSONValue?
    if case .threshold(let count) = requirement { threshold = .integer(count) }
    let floors = floors.sorted { "\($0.key)".precedesInBytes("\($1.key)") }
    return try CanonicalJSON.write(
      .object(
        ("version", .integer(Self.version)), ("entries", .array(entries.map(\.json))), ("threshold", threshold),
        ("exact", threshold == nil ? JSONValue(.bool(true)) : nil), ("expires", expires.map { .string("\($0)") }),
        ("timestampAuthorities", timestampAuthorities.isEmpty ? nil : .encoded(timestampAuthorities)),
        ("revocationLists", list(revocationLists) { .string(Base64.encode($0.der)) }),
        ("revoked", list(revocations) { $0.json }),
        ("floors", list(floors) { .object(("module", .string("\($0.key)")), ("sequence", .integer($0.value))) }),
        ("strengths", leastRSABits == Terms().leastRSABits ? nil : .object(("leastRSABits", .integer(leastRSABits)))))
    )
  }
}
