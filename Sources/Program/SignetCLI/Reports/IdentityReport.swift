internal import Keyless
internal import Signet
internal import SignetBase

/// Who has signed by an identity, for people and for programs: what an authority certifies, and when it was proven.
enum IdentityReport {
  /// The facts in lines. Statements by one identity share its lines.
  static func lines(_ signatures: [VerifiedSignature]) -> [String] {
    var groups: [(facts: [String], types: [String])] = []
    for signature in signatures {
      guard signature.identity != nil || signature.statement.predicateType == .message else { continue }
      let facts = signature.identity.map(facts) ?? []
      let type = statement(signature)
      if let index = groups.firstIndex(where: { $0.facts == facts }) {
        if !groups[index].types.contains(type) { groups[index].types.append(type) }
      } else {
        groups.append((facts, [type]))
      }
    }
    return groups.flatMap { facts, types in facts + types.map { "  states   \($0.display)" } }
  }

  /// What is stated: the type of a statement, or that there is none.
  private static func statement(_ signature: VerifiedSignature) -> String {
    let type = signature.statement.predicateType
    return type == .message ? "nothing but these bytes: no name, kind or version" : type.uri
  }

  private static func facts(_ identity: ProvenIdentity) -> [String] {
    func claim(_ name: String) -> String? { identity.claims.first { $0.name.isExactly(name) }?.text }
    let source = [claim("repository"), claim("ref"), claim("commit")].compactMap(\.self)
    return [
      "  by       \(identity.name.display)", identity.issuer.map { "  issuer   \($0.display)" },
      source.isEmpty ? nil : "  source   \(source.joined(separator: ", ").display)",
      identity.times.first.map { "  signed   \($0.minute), as was proven" },
    ].compactMap(\.self)
  }

  /// What signatures of other programs are, and what they say besides.
  static func remarks(_ signatures: [VerifiedSignature]) -> [String] {
    signatures.flatMap { signature in
      (signature.format.map { ["  format   \($0.rawValue.display)"] } ?? [])
        + signature.remarks.map { name, text in
          // minisign itself puts tabs between the parts.
          "  \(name)  \(String(text.map { $0 == "\t" ? " " : $0 }).display)"
        }
    }
  }

  /// What is not established where an authority of Sigstore is trusted like any other.
  static func unchecked(_ signatures: [VerifiedSignature]) -> [String] {
    let isUnchecked = signatures.contains { signature in
      signature.identity == nil && signature.certificatePath.map { CertifiedIdentity.names($0.leaf) } ?? false
    }
    return isUnchecked ? ["  but      neither log nor time were checked: --certificate-identity checks them"] : []
  }

  /// The identity for programs.
  static func json(_ identity: ProvenIdentity) -> JSONValue {
    .object(
      ("name", .string(identity.name)), ("issuer", identity.issuer.map { .string($0) }),
      ("times", .array(identity.times.map { .string("\($0)") })),
      (
        "claims",
        JSONValue(.object(identity.claims.map { JSONValue.Member($0.name, .string($0.text)) }))
      ))
  }
}
