public import SignetBase
public import SignetNames

/// A release of a module, from what offers it to the lock: what a registry's index, a spec, or the description in a folder or
/// a commit says of it.
public struct CandidateRelease: Sendable {
  /// The version, which no other offered release of the module has.
  public let version: SemanticVersion
  /// The sequence, which orders releases for hosts.
  public let sequence: Int
  /// The modules that the release requires, in the order of their identifiers. They come from their sources, as all modules
  /// do.
  public let requirements: [ModuleRequirement]
  /// The versions of the host that the release supports; nil for all.
  public let host: VersionRange?
  /// Whether the release has code that was built, for the platform in question.
  public let hasBinary: Bool
  /// Why the release was withdrawn; nil if it was not.
  public let yanked: String?
  /// Whether the release came too recently to be chosen now.
  public let isWaiting: Bool
  /// What the release is made of; nil in a folder or a commit, whose bytes no lock has.
  public let content: ReleaseContent?

  /// Describes a release. The order of the requirements does not matter.
  public init(
    version: SemanticVersion, sequence: Int, requirements: [ModuleRequirement], host: VersionRange? = nil,
    hasBinary: Bool, yanked: String? = nil, isWaiting: Bool = false, content: ReleaseContent? = nil
  ) {
    self.version = version
    self.sequence = sequence
    self.requirements = requirements.sorted { $0.identifier.precedes($1.identifier) }
    self.host = host
    self.hasBinary = hasBinary
    self.yanked = yanked
    self.isWaiting = isWaiting
    self.content = content
  }
}

/// What registries, folders and repositories offer. A resolution asks for each module once, and only when it is needed.
public protocol CandidateSource {
  /// All releases of a module that a source offers, in any order; none if the source does not have the module.
  func releases(of module: ModuleIdentifier, from source: ModuleSource) throws(SignetError) -> [CandidateRelease]

  /// The module that a folder or a commit has.
  func module(_ module: ModuleIdentifier, at override: ModuleOverride) throws(SignetError) -> CandidateRelease
}
