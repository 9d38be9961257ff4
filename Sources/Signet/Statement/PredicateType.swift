internal import SignetBase
internal import SignetCrypto

/// The URI that names what a statement's predicate means.
public struct PredicateType: Hashable, Sendable, CustomStringConvertible {
  /// The URI.
  public let uri: String

  /// A type by its URI.
  public init(_ uri: String) { self.uri = uri }

  /// A file's raw bytes.
  public static let file = PredicateType("urn:signet:file:v1")
  /// The listing of a directory.
  public static let directory = PredicateType("urn:signet:directory:v1")
  /// A module's archive.
  public static let module = PredicateType("urn:signet:module:v1")
  /// The raw bytes of a host's manifest.
  public static let hostManifest = PredicateType("urn:signet:host-manifest:v1")

  /// Everything below this is ours, now or later: it is never read as somebody else's.
  static let ownPrefix = "urn:signet:"

  /// Whether the type is one of ours.
  var isOwn: Bool { uri.utf8.starts(with: Self.ownPrefix.utf8) }

  /// The URI.
  public var description: String { uri }

  /// Types are the same when their URIs are the same bytes.
  public static func == (left: PredicateType, right: PredicateType) -> Bool { left.uri.isExactly(right.uri) }

  /// Hashes the URI's bytes.
  public func hash(into hasher: inout Hasher) { for byte in uri.utf8 { hasher.combine(byte) } }
}
