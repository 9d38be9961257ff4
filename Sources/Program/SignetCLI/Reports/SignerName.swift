package import Signet
package import SignetBase
package import SignetCrypto

/// The name of a signer for people: the policy's name, or else the certificate's, or else the key.
package struct SignerName {
  /// The text for a column of a list.
  package let short: String
  /// The text for a line of its own.
  let full: String

  /// - Parameter isNamed: whether a policy has names for the signers that it trusts.
  package init(_ signature: VerifiedSignature, isNamed: Bool) {
    let key = Self.words(signature.key)
    let names = isNamed ? signature.entries : []
    let holder = signature.identity?.name ?? signature.certificatePath.map { Self.holder(of: $0.leaf) }
    let known = (names.isEmpty ? nil : names.joined(separator: ", ")) ?? holder
    short = (known ?? key).display
    guard let known else {
      full = key
      return
    }
    let more = (names.isEmpty ? [] : [holder].compactMap(\.self)) + [key]
    full = "\(known.display) (\(more.joined(separator: ", ").display))"
  }

  /// The algorithm and the short ID. The ID of a trusted key only tells it from others; the whole ID is in `--json`.
  package static func words(_ key: PublicKey) -> String { "\(key.algorithm) \(short(key.id.description))" }

  /// The ends of a key's ID.
  package static func short(_ text: String) -> String {
    let (prefix, ends) = ("SHA256:".utf8.count, 4)
    return text.prefix(prefix + ends) + Symbols.current.ellipsis + text.suffix(ends)
  }

  private static func holder(of leaf: Certificate) -> String {
    leaf.subjectAlternativeNames.first.map { "\($0)" } ?? "subject:\(leaf.subject)"
  }
}

extension UnixTime {
  /// The day, as people write it.
  var day: String { String(description.prefix(10)) }

  /// Day and minute.
  package var minute: String { "\(day) \(description.dropFirst(11).prefix(5)) UTC" }
}
