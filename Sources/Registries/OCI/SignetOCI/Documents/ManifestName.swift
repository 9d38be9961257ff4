public import SignetCrypto

/// Which manifest of a repository is meant.
public enum ManifestName: Hashable, Sendable, CustomStringConvertible {
  /// A tag, which its owner can move.
  case tag(String)
  /// A digest, which names the same bytes for ever.
  case digest(Digest)

  /// As the protocol writes it: the tag, or the algorithm and the digest.
  public var description: String {
    switch self {
    case .tag(let tag): tag
    case .digest(let digest): digest.description
    }
  }

  /// Whether a text can be a tag (OCI distribution-spec, "Pulling manifests").
  public static func isTag(_ text: some StringProtocol) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.enumerated().allSatisfy { position, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        case UInt8(ascii: "."), UInt8(ascii: "-"): position > 0
        default: false
        }
      }
  }

  /// The tag of the list of referrers, for registries without a referrers API (OCI distribution-spec, "Referrers Tag
  /// Schema").
  package static func referrersTag(of digest: Digest) -> String { "\(digest.algorithm.rawValue)-\(digest.hex)" }

  /// Whether a tag is that of a list of referrers.
  package static func isReferrersTag(_ tag: String) -> Bool { subject(ofReferrersTag: tag) != nil }

  /// What the manifests in a list of referrers are about; nil for any other tag.
  package static func subject(ofReferrersTag tag: String) -> Digest? {
    let start = "sha256-"
    guard tag.utf8.starts(with: start.utf8) else { return nil }
    return Digest(.sha256, hex: String(decoding: tag.utf8.dropFirst(start.utf8.count), as: UTF8.self))
  }

  /// Reads `sha256:` and 64 hexadecimal digits; nil for anything else.
  package static func digest(_ text: some StringProtocol) -> Digest? {
    let start = "sha256:"
    guard text.utf8.starts(with: start.utf8) else { return nil }
    let hex = String(decoding: text.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    guard hex.utf8.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) else { return nil }
    return Digest(.sha256, hex: hex)
  }
}
