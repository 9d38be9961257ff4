internal import SignetAddresses
internal import SignetBase
internal import SignetHTTP

/// A repository in a registry: the server, and a name on it (OCI distribution-spec, "Pulling manifests").
public struct RepositoryName: Hashable, Sendable, CustomStringConvertible {
  /// The server: a host, and possibly a port.
  public let host: String
  /// The name on the server, such as `example/player`.
  public let path: String

  /// Clients may limit host and name to this many bytes together, with the slash between them.
  private static let lengthLimit = 255

  /// Reads `HOST[:PORT]/NAME`; nil if it is not one.
  init?(_ text: Substring) {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")), text.utf8.count <= Self.lengthLimit else {
      return nil
    }
    let host = text[..<slash]
    let path = text[text.utf8.index(after: slash)...]
    guard !host.isEmpty, let url = try? DownloadURL("https://\(host)/"), url.text.isExactly("https://\(host)/"),
      Self.isPath(path)
    else { return nil }
    self.host = String(host)
    self.path = String(path)
  }

  /// `HOST/NAME`.
  public var description: String { "\(host)/\(path)" }

  /// Another name on the same server.
  package func sibling(_ path: String) -> RepositoryName? { RepositoryName("\(host)/\(path)") }

  /// Whether the server is this machine, so that nobody else sees what is sent to it.
  package var isLoopback: Bool { Loopback.contains(host: host) }

  /// Whether a text is a name: components of small letters and digits, with `.`, `_`, `__` or hyphens between them.
  private static func isPath(_ text: Substring) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { component in
      var separators: [UInt8] = []
      var hasBegun = false
      for byte in component {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          guard hasBegun ? isSeparator(separators) : separators.isEmpty else { return false }
          hasBegun = true
          separators = []
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): separators.append(byte)
        default: return false
        }
      }
      return hasBegun && separators.isEmpty
    }
  }

  private static func isSeparator(_ bytes: [UInt8]) -> Bool {
    switch bytes {
    case [], [UInt8(ascii: ".")], [UInt8(ascii: "_")], [UInt8(ascii: "_"), UInt8(ascii: "_")]: true
    default: bytes.allSatisfy { $0 == UInt8(ascii: "-") }
    }
  }
}
