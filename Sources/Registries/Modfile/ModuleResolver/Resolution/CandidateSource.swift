public import SignetBase
public import SignetNames

/// A release as a source offers it.
public struct CandidateRelease: Sendable {
  /// The version, which no other offered release of the module has.
  public let version: SemanticVersion
  /// The sequence, which orders releases for hosts.
  public let sequence: Int
  /// The modules that the release requires.
  public let requirements: [ModuleRequirement]
  /// The versions of the host that the release supports; nil for all.
  public let host: VersionRange?
  /// Whether the release has code that was built, for the platform in question.
  public let hasBinary: Bool
  /// Why the release was withdrawn; nil if it was not.
  public let yanked: String?
  /// What the release is made of.
  public let content: ReleaseContent

  /// Describes a release in a registry.
  public init(
    version: SemanticVersion, sequence: Int, requirements: [ModuleRequirement], host: VersionRange? = nil,
    hasBinary: Bool, yanked: String? = nil, digests: ReleaseDigests
  ) {
    self.version = version
    self.sequence = sequence
    self.requirements = requirements
    self.host = host
    self.hasBinary = hasBinary
    self.yanked = yanked
    content = .registry(digests)
  }

  /// Describes a release of a repository of specs. A spec that was pushed is never withdrawn, and does not say which hosts
  /// the release supports: only the module's description does, which is compared once it is there.
  public init(
    version: SemanticVersion, sequence: Int, requirements: [ModuleRequirement], spec: SpecifiedRelease
  ) {
    self.version = version
    self.sequence = sequence
    self.requirements = requirements
    host = nil
    hasBinary = spec.archive != nil
    yanked = nil
    content = .spec(spec)
  }
}

/// A module from a folder or a commit, as its description says.
public struct OverridingModule: Sendable {
  /// The version.
  public let version: SemanticVersion
  /// The sequence.
  public let sequence: Int
  /// The modules that it requires. They come from their sources, as all modules do.
  public let requirements: [ModuleRequirement]
  /// The versions of the host that it supports; nil for all.
  public let host: VersionRange?
  /// Whether it has code that was built, for the platform in question.
  public let hasBinary: Bool

  /// Describes a module.
  public init(
    version: SemanticVersion, sequence: Int, requirements: [ModuleRequirement], host: VersionRange? = nil,
    hasBinary: Bool
  ) {
    self.version = version
    self.sequence = sequence
    self.requirements = requirements
    self.host = host
    self.hasBinary = hasBinary
  }
}

/// What registries, folders and repositories offer. A resolution asks for each module once, and only when it is needed.
public protocol CandidateSource {
  /// All releases of a module that a source offers, in any order; none if the source does not have the module.
  func releases(of module: ModuleIdentifier, from source: ModuleSource) throws(SignetError) -> [CandidateRelease]

  /// The module that a folder or a commit has.
  func module(_ module: ModuleIdentifier, at override: ModuleOverride) throws(SignetError) -> OverridingModule
}
