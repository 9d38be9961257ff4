public import SignetBase
public import SignetCrypto

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
      var error = Self.refused(text, "does not name a registry or an image layout")
      error.hint = Self.start(insteadOf: text) ?? error.hint
      throw error
    }
    let isLayout = text.utf8.starts(with: Self.layoutStart.utf8)
    var rest = Substring(text.utf8.dropFirst((isLayout ? Self.layoutStart : Self.registryStart).utf8.count))
    var digest: Digest?
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      digest = ManifestName.digest(rest[rest.utf8.index(after: at)...])
      let isDigest = rest[rest.utf8.index(after: at)...].utf8.starts(with: "sha256:".utf8)
      if digest != nil {
        rest = rest[..<at]
      } else if !isLayout || isDigest {
        // A folder may have an at sign in its name; nobody means one that looks like a digest.
        throw Self.refused(text, "has a digest that is not one")
      }
    }
    if isLayout, rest.utf8.starts(with: "//".utf8) {
      var error = Self.refused(text, "has two slashes before the path of an image layout")
      error.hint =
        "write \(Self.layoutStart)\(rest.drop { $0 == "/" }) for a folder here, or one slash for a whole path"
      throw error
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
        var error = Self.refused(text, "does not name a repository of a registry")
        if let small = RepositoryName(rest.lowercased()[...]) {
          let rest = (tag.map { ":\($0)" } ?? "") + (digest.map { "@\($0)" } ?? "")
          error.hint = "registries take small letters alone: \(Self.registryStart)\(small)\(rest)"
        }
        throw error
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

  /// How a place begins here that other programs begin otherwise; nil for other texts.
  private static func start(insteadOf text: String) -> String? {
    let starts = [
      ("docker://", registryStart), ("https://", registryStart), ("http://", registryStart), ("oci:", layoutStart),
    ]
    for start in [registryStart, layoutStart] where text.lowercased().utf8.starts(with: start.utf8) {
      return "write \(start) in small letters"
    }
    if let (other, own) = starts.first(where: { text.utf8.starts(with: $0.0.utf8) }) {
      return "write \(own) instead of \(other)"
    }
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let first = String(text[..<slash])
    if first.isEmpty || first.isExactly(".") || first.isExactly("..") { return "write \(layoutStart) before it" }
    let isHost = first.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    return isHost ? "write \(registryStart) before it" : nil
  }

  private static func refused(_ text: String, _ message: String) -> SignetError {
    SignetError(
      .ociReference, text.display, message,
      expected: "oci://HOST/NAME:TAG, oci://HOST/NAME@sha256:DIGEST or oci-layout:DIRECTORY:TAG",
      hint: "names have small letters and digits, and . _ - between them; tags also capital letters")
  }
}
