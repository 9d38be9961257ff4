public import SignetBase
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

/// Where modules lie: a repository in a registry, or an image layout in a directory; and possibly which manifest there.
///
/// `oci://HOST[:PORT]/NAME[:TAG][@sha256:DIGEST]` or `oci-layout:DIRECTORY[:TAG][@sha256:DIGEST]`. If both are given,
/// the digest decides, and the tag is for people.
public struct OCIPlace: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of place.
  public enum Holder: Hashable, Sendable {
    /// A repository in a registry.
    case registry(RepositoryName)
    /// A directory (OCI image-spec, "Image Layout").
    case layout(path: String)
  }

  /// The repository or the directory.
  public let holder: Holder
  /// The tag; nil if none is named.
  public let tag: String?
  /// The digest; nil if none is named.
  public let digest: Digest?

  static let registryStart = "oci://"
  static let layoutStart = "oci-layout:"

  /// Whether a text is meant as a place: it begins with `oci://` or `oci-layout:`.
  public static func isMeant(_ text: String) -> Bool {
    [registryStart, layoutStart].contains { text.utf8.starts(with: $0.utf8) }
  }

  /// Reads a place.
  ///
  /// - Throws: `oci.reference`.
  public init(_ text: String) throws(SignetError) {
    guard Self.isMeant(text), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw Self.refused(text, "does not name a registry or an image layout")
    }
    let isLayout = text.utf8.starts(with: Self.layoutStart.utf8)
    var rest = Substring(text.utf8.dropFirst((isLayout ? Self.layoutStart : Self.registryStart).utf8.count))
    var digest: Digest?
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      digest = ManifestName.digest(rest[rest.utf8.index(after: at)...])
      if digest != nil {
        rest = rest[..<at]
      } else if !isLayout {
        throw Self.refused(text, "has a digest that is not one")
      }
    }
    var tag: String?
    if let colon = rest.utf8.lastIndex(of: UInt8(ascii: ":")),
      rest.utf8.lastIndex(of: UInt8(ascii: "/")).map({ $0 < colon }) ?? isLayout
    {
      let name = rest[rest.utf8.index(after: colon)...]
      guard ManifestName.isTag(name) else { throw Self.refused(text, "has a tag that is not one") }
      tag = String(name)
      rest = rest[..<colon]
    }
    if isLayout {
      guard !rest.isEmpty else { throw Self.refused(text, "names no directory") }
      holder = .layout(path: String(rest))
    } else {
      guard let name = RepositoryName(rest) else {
        throw Self.refused(text, "does not name a repository of a registry")
      }
      holder = .registry(name)
    }
    self.tag = tag
    self.digest = digest
  }

  /// Which manifest is meant: the digest, if there is one, else the tag; nil if neither is named.
  public var manifest: ManifestName? { digest.map { .digest($0) } ?? tag.map { .tag($0) } }

  /// The place as it is written.
  public var description: String {
    let start =
      switch holder {
      case .registry(let name): Self.registryStart + name.description
      case .layout(let path): Self.layoutStart + path
      }
    return start + (tag.map { ":\($0)" } ?? "") + (digest.map { "@\($0)" } ?? "")
  }

  /// Opens the place.
  ///
  /// - Parameter isMade: whether a missing layout is made.
  /// - Throws: `oci.layout`, `file.…`, `output.failed`; `fetch.url`, `fetch.unavailable`.
  package func open(_ settings: RegistrySettings, isMade: Bool = false) throws(SignetError) -> any OCIStorage {
    switch holder {
    case .registry(let name): try OCIRegistry(name, settings)
    case .layout(let path): try OCILayout(path, isMade: isMade)
    }
  }

  private static func refused(_ text: String, _ message: String) -> SignetError {
    SignetError(
      .ociReference, text.display, message,
      expected: "oci://HOST/NAME:TAG, oci://HOST/NAME@sha256:DIGEST or oci-layout:DIRECTORY:TAG",
      hint: "names have small letters and digits, and . _ - between them; tags also capital letters")
  }
}
