/// Another module that a release requires, as its description says.
public struct ModuleRequirement: Hashable, Sendable, CustomStringConvertible {
  /// The other module.
  public let identifier: ModuleIdentifier
  /// The versions of it that are accepted. Pre-releases count as ordinary versions, as for a host.
  public let versions: VersionRange

  /// Creates a requirement.
  public init(_ identifier: ModuleIdentifier, _ versions: VersionRange) {
    self.identifier = identifier
    self.versions = versions
  }

  /// Identifier and range, such as `com.example.codec >=1.0.0 <2.0.0`.
  public var description: String { "\(identifier) \(versions)" }
}
