internal import SignetAddresses
public import SignetBase
public import SignetNames

/// The name of a source or a target in a Modfile: 1 to 64 ASCII letters, digits, `-`, `_` and `.`, beginning with a
/// letter or digit.
public struct ModfileName: Hashable, Sendable, CustomStringConvertible {
  /// The name's text.
  public let description: String

  private static let lengthLimit = 64

  /// Reads a name; nil if the text is not one.
  public init?(_ text: String) {
    guard (1...Self.lengthLimit).contains(text.utf8.count), let first = text.utf8.first, Self.isAlphanumeric(first),
      text.utf8.allSatisfy({ Self.isAlphanumeric($0) || "-_.".utf8.contains($0) })
    else { return nil }
    description = text
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

/// A registry or a repository of specs that a Modfile names, and the modules that may come from there.
public struct ModuleSource: Hashable, Sendable {
  /// The name, for the lock and for messages.
  public let name: ModfileName
  /// What it is.
  public let kind: Kind
  /// The address: http, https or, for a registry, oci; without user name, password, query and fragment.
  public let url: String
  /// Patterns of the modules that may come from here, one or more.
  public let modules: [ModulePattern]

  /// What a source is.
  public enum Kind: Hashable, Sendable {
    /// A registry, which The Update Framework signs.
    case registry
    /// A repository of git with specs (docs/spec.md).
    case specs
  }

  /// Creates a source.
  ///
  /// - Throws: `modfile.url`, `modfile.pattern` for no pattern.
  public init(
    name: ModfileName, _ kind: Kind = .registry, url: String, modules: [ModulePattern]
  ) throws(SignetError) {
    guard !modules.isEmpty else {
      throw SignetError(
        .modfilePattern, "source \(name)", "may serve nothing", expected: "a pattern such as com.example.**")
    }
    self.name = name
    self.kind = kind
    self.url = try Self.checked(url, "source \(name)", mayBeOCI: kind == .registry)
    self.modules = modules
  }

  /// An address without secrets. It stands in files that many people read.
  ///
  /// - Parameter mayBeOCI: whether a repository of an OCI registry will do, `oci://HOST/NAME`. Its name has the form of an
  ///   address over https.
  static func checked(_ url: String, _ object: String, mayBeOCI: Bool = false) throws(SignetError) -> String {
    let refusal: SignetError
    let start = "oci://"
    let isOCI = mayBeOCI && url.utf8.starts(with: start.utf8)
    let plain = isOCI ? "https://" + String(decoding: url.utf8.dropFirst(start.utf8.count), as: UTF8.self) : url
    do throws(SignetError) {
      let address = try DownloadURL(plain)
      // A quote would end the text in which the address stands.
      if address.text.isExactly(plain), !url.utf8.contains(where: { "?'".utf8.contains($0) }) { return url }
      refusal = DownloadURL.refused(url, "has a query, a fragment or a quote")
    } catch {
      refusal = error
    }
    throw SignetError(
      .modfileURL, object, refusal.message,
      expected: "\(mayBeOCI ? "http, https or oci" : "http or https"), a host, no name, password, query or fragment",
      found: (shownForSSH(url) ?? refusal.object).display,
      hint: url.utf8.contains { "?#@".utf8.contains($0) } && DownloadURL.scheme(of: plain) != nil
        ? "give secrets to the program that fetches, not to the Modfile"
        : mayBeOCI ? "name it as it is served over http, https or oci" : "name it as it is served over http or https")
  }

  /// An address for ssh with the user `git`, as most have it, in whole: it holds no secret. Nil for any other.
  private static func shownForSSH(_ url: String) -> String? {
    guard let start = ["ssh://git@", "git@"].first(where: { url.utf8.starts(with: $0.utf8) }),
      DownloadURL.isPlain(url), !url.utf8.dropFirst(start.utf8.count).contains(where: { "@?#".utf8.contains($0) })
    else { return nil }
    return url
  }
}
