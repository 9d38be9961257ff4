/// What a verification summary calls an artifact: a URI.
package enum ArtifactResource {
  /// What comes before an artifact's path, unless a caller says where it will be published.
  package static let usualPrefix = "urn:signet:artifact:"

  /// The URI of a path: the path as a relative reference, behind a prefix.
  package static func uri(_ path: String, in prefix: String) -> String { prefix + ReleasePath.uri(of: path) }
}
