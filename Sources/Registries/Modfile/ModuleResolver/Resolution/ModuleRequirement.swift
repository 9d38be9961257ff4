public import Signet
internal import SignetBase

/// Another module that a release requires, as its description says.
public struct ModuleRequirement: Hashable, Sendable, CustomStringConvertible {
  /// The other module.
  public let identifier: ModuleIdentifier
  /// The versions of it that are accepted. Pre-releases count as ordinary versions, as for a host.
  public let versions: VersionRange

  /// The most requirements of one release.
  static let limit = 256

  /// Creates a requirement.
  public init(_ identifier: ModuleIdentifier, _ versions: VersionRange) {
    self.identifier = identifier
    self.versions = versions
  }

  /// The requirement of a module's description.
  public init(_ dependency: ModuleDescription.Dependency) {
    self.init(dependency.identifier, dependency.versions)
  }

  /// Identifier and range, such as `com.example.codec >=1.0.0 <2.0.0`.
  public var description: String { "\(identifier) \(versions)" }
}

extension ModuleIdentifier {
  /// The order in which modules are listed: that of their bytes.
  func precedes(_ other: ModuleIdentifier) -> Bool { description.precedesInBytes(other.description) }
}
