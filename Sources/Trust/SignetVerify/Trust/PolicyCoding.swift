public import SignetBase
internal import SignetCrypto
internal import SignetNames

extension TrustPolicy {
  /// The version of the format that Signet reads and writes.
  package static let version = 1
  private static let listLimit = 1000

  /// Reads a policy's JSON text, which need not be canonical (docs/trust-policy.schema.json).
  ///
  /// - Parameters:
  ///   - text: the JSON text.
  ///   - allowsTestKeys: only for tests.
  ///   - parts: what it may have besides entries with keys and certificates.
  /// - Throws: `policy.malformed`, `policy.unknown-field`, `policy.version`, `policy.entry`; `key.…`, `certificate.…`
  ///   and `crl.malformed` for what the policy contains; and what ``init(entries:terms:allowsTestKeys:)`` throws. The
  ///   error's object gives line and column.
  public init(
    json text: [UInt8], allowsTestKeys: Bool = false, with parts: [PolicyPart] = []
  ) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(text, limits: .policy)
      try self.init(
        JSONObject(value, "policy", unknownField: .policyUnknownField, in: text), allowsTestKeys: allowsTestKeys,
        with: parts)
    } catch  where Set.aboutJSON.contains(error.code) || error.code == .base64Malformed {
      throw SignetError(
        .policyMalformed, error.object, error.message, expected: error.expected, found: error.found,
        cause: error.cause, hint: "correct it, or begin a new one: signet trust init POLICY")
    }
  }

  /// Reads a policy that is part of another document.
  ///
  /// - Throws: what ``init(json:allowsTestKeys:with:)`` throws, and `json.…` and `base64.malformed` instead of
  ///   `policy.malformed`.
  package init(
    _ object: JSONObject, allowsTestKeys: Bool, with parts: [PolicyPart] = []
  ) throws(SignetError) {
    var object = object
    let version = try object.count("version")
    guard version == Self.version else {
      throw SignetError(
        .policyVersion, object.path(of: "version"), "is not a supported version",
        expected: "\(Self.version)", found: "\(version)")
    }
    var entries: [TrustEntry] = []
    guard object.has("entries") else {
      throw SignetError(
        .jsonMissingField, object.path(of: "entries"), "is missing", expected: "a list, even if empty")
    }
    let objects = try object.objects("entries", atMost: Self.entryLimit)
    for each in objects { entries.append(try TrustEntry(each, with: parts)) }
    var terms = Terms()
    terms.requirement = try Self.requirement(&object)
    terms.summary = try object.optionalObject("summary").map { (summary) throws(SignetError) in
      try SummaryRequirement(summary, with: parts)
    }
    terms.expires = try object.optionalTime("expires")
    terms.timestampAuthorities = try object.certificates("timestampAuthorities")
    terms.timestamps = parts.timestamps
    if object.has("timestamps") { terms.leastTimestamps = try object.count("timestamps") }
    terms.revocationLists = try object.revocationLists("revocationLists")
    if let text = try object.optionalString("revocation") {
      guard let demand = RevocationDemand(rawValue: text) else {
        throw object.wrong("revocation", RevocationDemand.allCases.map(\.rawValue).joined(separator: ", "), text)
      }
      terms.revocationDemand = demand
    }
    if let text = try object.optionalString("continuity") {
      guard let demand = Continuity(rawValue: text) else { throw object.wrong("continuity", "refuse or warn", text) }
      terms.continuity = demand
    }
    if let text = try object.optionalString("minimumAge") {
      guard let age = MinimumAge(text) else { throw object.wrong("minimumAge", MinimumAge.form, text) }
      terms.minimumAge = age
    }
    // Who cannot read them refuses the policy, by an unknown field.
    if let form = parts.status { terms.statusResponses = try object.responses("statusResponses", form) }
    for each in try object.objects("revoked", atMost: Self.listLimit) {
      terms.revocations.append(try Revocation(each))
    }
    for var each in try object.objects("floors", atMost: Self.listLimit) {
      let module = try each.module("module")
      guard terms.floors.updateValue(try each.sequence("sequence"), forKey: module) == nil else {
        throw SignetError(.policyDuplicate, each.place, "sets a second floor for the same module", found: "\(module)")
      }
      try each.finish()
    }
    if var strengths = try object.optionalObject("strengths") {
      let bits = try strengths.count("leastRSABits")
      guard (Self.leastRSABitsOfAll...8192).contains(bits) else {
        throw strengths.wrong("leastRSABits", "\(Self.leastRSABitsOfAll) to 8192", "\(bits)")
      }
      terms.leastRSABits = bits
      try strengths.finish()
    }
    try object.finish()
    try self.init(entries: entries, at: objects.map(\.place), terms: terms, allowsTestKeys: allowsTestKeys)
  }

  private static func requirement(_ object: inout JSONObject) throws(SignetError) -> Requirement {
    let isExact = try object.optionalBool("exact") ?? false
    guard object.has("threshold") else { return isExact ? .exact : .threshold(1) }
    let count = try object.count("threshold")
    guard !isExact else { throw object.wrong("threshold", "a threshold or exact, not both", "both") }
    guard (1...1000).contains(count) else { throw object.wrong("threshold", "1 or more", "\(count)") }
    return .threshold(count)
  }
}
