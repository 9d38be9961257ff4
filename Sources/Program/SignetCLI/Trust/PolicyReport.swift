internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetOCSP

/// A trust policy for people and for programs.
enum PolicyReport {
  /// Everything that a policy says, one fact a line.
  static func lines(_ policy: TrustPolicy) -> [String] {
    var lines: [String] = []
    for entry in policy.entries { lines += Self.lines(entry, for: "", in: policy) }
    for signer in policy.summary?.signers ?? [] {
      lines += Self.lines(signer, for: "verification summaries of ", in: policy)
    }
    if policy.entries.isEmpty { lines.append("nobody is trusted") }
    lines += terms(policy)
    for revocation in policy.revocations { lines.append("revoked: \("\(revocation)".display)") }
    return lines
  }

  private static func lines(_ entry: TrustEntry, for what: String, in policy: TrustPolicy) -> [String] {
    let window = isRevoked(entry, in: policy) ? "never: its key is revoked" : "\(entry.window)"
    let formats = entry.formats.map(\.rawValue).sorted().joined(separator: ", ")
    return [
      entry.name, "  trusts     \("\(entry.anchor)".display)", "  for        \(what)\("\(entry.scope)".display)",
      "  valid      \(window)",
    ] + keys(entry) + (entry.formats == [.dsse] ? [] : ["  formats    \(formats)"])
  }

  /// The keys of an entry, if there are several, each with its time.
  private static func keys(_ entry: TrustEntry) -> [String] {
    guard let succession = entry.succession else { return [] }
    return zip(succession.keys, succession.windows).enumerated().map { index, each in
      let label = "key \(index + 1)"
      return "  \(label)\(String(repeating: " ", count: max(1, 11 - label.utf8.count)))\(each.0.id), \(each.1)"
    }
  }

  /// Whether the policy revokes the key that an entry names.
  private static func isRevoked(_ entry: TrustEntry, in policy: TrustPolicy) -> Bool {
    // Keys that it has introduced count without it.
    guard entry.succession == nil, let id = entry.anchor.key?.id else { return false }
    return policy.revocations.contains { $0.target == .key(id) && $0.from == nil }
  }

  /// How many must sign, until when, with which keys, and from which releases on.
  static func terms(_ policy: TrustPolicy) -> [String] {
    var lines: [String] = []
    switch policy.requirement {
    case .threshold(let count): lines.append("threshold: \(count) of the signers trusted for an artifact")
    case .exact: lines.append("required: all signers trusted for an artifact, and no others")
    }
    if let summary = policy.summary {
      lines.append("required: a verification summary by \(summary.verifier.display)")
      if let digest = summary.policySHA256 { lines.append("  against the policy \(digest.hex)") }
      if !summary.levels.isEmpty { lines.append("  with \(summary.levels.joined(separator: ", ").display)") }
    }
    if let expires = policy.expires { lines.append("expires: \(expires)") }
    if policy.leastRSABits != TrustPolicy.Terms().leastRSABits {
      lines.append("RSA from: \(policy.leastRSABits) bits")
    }
    for authority in policy.timestampAuthorities { lines.append("timestamps by: \(authority.name.display)") }
    if policy.leastTimestamps > 0 {
      lines.append("required: timestamps by \(policy.leastTimestamps) of these authorities")
    }
    for list in policy.revocationLists {
      lines.append("revocation list: \("\(list.issuer)".display), of \(list.thisUpdate), next \(list.nextUpdate)")
    }
    switch policy.revocationDemand {
    case .required:
      lines.append("required: a list or a response that says of each certificate that it is not revoked")
    case .current: break
    case .staleAllowed: lines.append("revocation: also by lists and responses that are out of date")
    }
    if policy.continuity == .warn {
      lines.append("continuity: a release with less than the one before it only gets a warning")
    }
    if let age = policy.minimumAge {
      lines.append("minimum age: releases that came \(age) ago or earlier are chosen")
    }
    for (response, statement) in statements(policy) {
      let next = statement.nextUpdate.map { ", next \($0)" } ?? ""
      lines.append(
        "OCSP response: certificate \(statement.serialNumber) is \(statement.status), by \("\(response.responder)".display), of \(statement.thisUpdate)\(next)"
      )
    }
    for floor in policy.floors.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      lines.append("floor: \(floor.key) from \(floor.value)")
    }
    return lines
  }

  /// What the policy's OCSP responses say.
  private static func statements(_ policy: TrustPolicy) -> [(response: StatusResponse, statement: StatusStatement)] {
    policy.statusResponses.responses.compactMap { try? StatusResponse(der: $0) }.flatMap { response in
      response.statements.map { (response, $0) }
    }
  }

  /// The entry of a JSON document.
  static func json(_ path: String, _ policy: TrustPolicy) -> JSONValue {
    let entries = policy.entries.map(json)
    let summary = policy.summary.map { summary in
      JSONValue.object(
        ("signers", .array(summary.signers.map(json))), ("verifier", .string(summary.verifier)),
        ("policySHA256", summary.policySHA256.map { .string($0.hex) }),
        ("levels", .array(summary.levels.map { .string($0) })))
    }
    let floors = policy.floors.sorted { "\($0.key)" < "\($1.key)" }.map { module, sequence in
      JSONValue.object(("module", .string("\(module)")), ("sequence", .integer(sequence)))
    }
    var threshold: JSONValue?
    if case .threshold(let count) = policy.requirement { threshold = .integer(count) }
    return .object(
      ("policy", .string(path)), ("entries", .array(entries)), ("threshold", threshold),
      ("exact", threshold == nil ? JSONValue(.bool(true)) : nil), ("summary", summary),
      ("expires", policy.expires.map { .string("\($0)") }), ("leastRSABits", .integer(policy.leastRSABits)),
      (
        "timestampAuthorities",
        policy.timestampAuthorities.isEmpty
          ? nil : .array(policy.timestampAuthorities.map { .string($0.name) })
      ),
      (
        "revocationLists",
        policy.revocationLists.isEmpty
          ? nil
          : .array(
            policy.revocationLists.map { list in
              .object(
                ("issuer", .string("\(list.issuer)")), ("thisUpdate", .string("\(list.thisUpdate)")),
                ("nextUpdate", .string("\(list.nextUpdate)")))
            })
      ),
      ("revocation", .string(policy.revocationDemand.rawValue)),
      ("continuity", .string(policy.continuity.rawValue)),
      ("minimumAge", policy.minimumAge.map { .string("\($0)") }),
      (
        "statusResponses",
        policy.statusResponses == .none
          ? nil
          : .array(
            statements(policy).map { response, statement in
              .object(
                ("serial", .string(statement.serialNumber)), ("status", .string("\(statement.status)")),
                ("responder", .string("\(response.responder)")), ("thisUpdate", .string("\(statement.thisUpdate)")),
                ("nextUpdate", statement.nextUpdate.map { .string("\($0)") }))
            })
      ),
      ("timestamps", policy.leastTimestamps == 0 ? nil : .integer(policy.leastTimestamps)),
      ("floors", .array(floors)),
      ("revoked", .array(policy.revocations.map { .string("\($0)") })))
  }

  private static func json(_ entry: TrustEntry) -> JSONValue {
    .object(
      ("name", .string(entry.name)), ("trusts", .string("\(entry.anchor)")),
      (
        "keys",
        entry.succession.map { succession in
          .array(
            zip(succession.keys, succession.windows).map { key, window in
              .object(
                ("keyId", .string("\(key.id)")), ("validFrom", window.from.map { .string("\($0)") }),
                ("validUntil", window.until.map { .string("\($0)") }))
            })
        }
      ),
      ("modules", .array(entry.scope.modules.map { .string("\($0)") })),
      ("uris", .array(entry.scope.uris.map { .string("\($0)") })),
      ("files", .array(entry.scope.files.map { .string("\($0)") })),
      ("validFrom", entry.window.from.map { .string("\($0)") }),
      ("validUntil", entry.window.until.map { .string("\($0)") }))
  }
}
