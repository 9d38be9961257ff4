internal import SignetBase
internal import SignetNames

extension ModuleRequirement {
  /// The most requirements of one release.
  static let limit = 256
}

extension ModuleIdentifier {
  /// The order in which modules are listed: that of their bytes.
  func precedes(_ other: ModuleIdentifier) -> Bool { description.precedesInBytes(other.description) }
}
