internal import SignetBase
public import SignetNames

/// A release that a person names: `com.example.player@1.2.0`.
public struct NamedRelease: Hashable, Sendable, CustomStringConvertible {
  /// The module's identifier.
  public let identifier: ModuleIdentifier
  /// The release's version.
  public let version: SemanticVersion

  /// What a text must be.
  public static let form = "a module and a version, such as com.example.player@1.2.0"

  /// Reads an identifier, `@` and a version; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let identifier = ModuleIdentifier(parts[0]), let version = SemanticVersion(parts[1])
    else { return nil }
    (self.identifier, self.version) = (identifier, version)
  }

  /// The text that it is read from.
  public var description: String { "\(identifier)@\(version)" }

  /// Whether it names a release: the same version, build metadata included.
  public func isOf(_ module: ModuleIdentifier, _ version: SemanticVersion) -> Bool {
    identifier == module && self.version.description.isExactly(version.description)
  }
}
