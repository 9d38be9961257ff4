public import SignetBase
public import SignetNames

/// The digests of a release in a registry, all SHA-256.
public struct ReleaseDigests: Hashable, Sendable {
  /// That of the module's file.
  public let archive: Digest
  /// That of the canonical description.
  public let description: Digest
  /// The sources; nil if the release has none.
  public let source: Source?

  /// The sources of a release.
  public struct Source: Hashable, Sendable {
    /// The digest of the source archive.
    public let archive: Digest
    /// The full ID of the commit from which module and sources were built: 40 or 64 lower-case hexadecimal digits.
    public let commit: String

    /// Creates the record of sources; nil unless the digest is SHA-256 and the ID is one.
    public init?(archive: Digest, commit: String) {
      guard archive.algorithm == .sha256, [20, 32].contains(Hexadecimal.decode(commit)?.count) else { return nil }
      self.archive = archive
      self.commit = commit
    }
  }

  /// Creates the digests; nil unless they are SHA-256.
  public init?(archive: Digest, description: Digest, source: Source? = nil) {
    guard archive.algorithm == .sha256, description.algorithm == .sha256 else { return nil }
    self.archive = archive
    self.description = description
    self.source = source
  }

  /// The digest of the module and, if there are sources, theirs and the commit: for messages.
  var words: String {
    "\(archive)" + (source.map { ", sources \($0.archive) of commit \($0.commit)" } ?? "")
  }
}

/// The release of a module that a lock records.
public struct LockedModule: Hashable, Sendable {
  /// The module's identifier.
  public let identifier: ModuleIdentifier
  /// The version of the release.
  public let version: SemanticVersion
  /// The sequence of the release, from 1 to 2^53-1.
  public let sequence: Int
  /// Where the release came from.
  public let origin: Origin
  /// What the release requires, in the order of the identifiers.
  public let requirements: [ModuleRequirement]

  /// Where a release came from.
  public enum Origin: Hashable, Sendable {
    /// From the source that may serve the module.
    case source(Served)
    /// From a folder or a commit.
    case override(ModuleOverride)
  }

  /// What a lock keeps of a release that a source served.
  public struct Served: Hashable, Sendable {
    /// The name of the source.
    public let source: ModfileName
    /// What the release is made of.
    public let content: ReleaseContent
    /// Who signed the release in a registry, one or more in the order of their bytes. The list is empty for a spec: the
    /// policy says whose signatures it needs whenever it is used.
    public let signers: [ReleaseSigner]

    /// How it is known who signed.
    public let standing: Standing

    /// How it is known who signed a release, of which the next one is held to them.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
      /// They were verified.
      case verified
      /// The registry says so: nobody has verified the release yet, or its sources are used.
      case unverified
      /// They have signed an earlier release, whose place this one has taken where nobody needed it: it is still to be held to
      /// them.
      case unheld
      /// The same, and that release had sources with a provenance.
      case unheldWithSources = "unheld with sources"

      /// Whether the release is still to be held to the signers.
      public var isUnheld: Bool { self == .unheld || self == .unheldWithSources }
    }

    /// The digests of a release in a registry; nil for one that a spec describes.
    public var digests: ReleaseDigests? {
      if case .registry(let digests) = content { digests } else { nil }
    }

    /// Creates the record of a release that a spec describes.
    public init(source: ModfileName, spec: SpecifiedRelease) {
      self.source = source
      content = .spec(spec)
      (signers, standing) = ([], .verified)
    }

    /// The most signers, as many as a module can have bundles.
    static let signerLimit = 16

    /// Creates the record of a release. The order of the signers does not matter.
    ///
    /// - Throws: `lockfile.count` for no signer and for too many, `lockfile.order` for one twice.
    public init(
      source: ModfileName, digests: ReleaseDigests, signers: [ReleaseSigner], standing: Standing = .verified
    ) throws(SignetError) {
      guard (1...Self.signerLimit).contains(signers.count) else {
        throw SignetError(
          .lockfileCount, "source \(source)", "served a release with no signer, or too many",
          expected: "1 to \(Self.signerLimit)", found: "\(signers.count)")
      }
      self.source = source
      content = .registry(digests)
      self.standing = standing
      self.signers = signers.sorted { $0.description.precedesInBytes($1.description) }
      if let twice = zip(self.signers, self.signers.dropFirst()).first(where: { $0 == $1 }) {
        throw SignetError(.lockfileOrder, "signer \(twice.0)", "stands twice", expected: "each signer once")
      }
    }
  }

  /// Creates the record of a release. The order of the requirements does not matter.
  ///
  /// - Throws: `lockfile.value` for a sequence out of range, `lockfile.count` for too many requirements,
  ///   `lockfile.order` for a module that is required twice.
  public init(
    _ identifier: ModuleIdentifier, version: SemanticVersion, sequence: Int, origin: Origin,
    requirements: [ModuleRequirement]
  ) throws(SignetError) {
    guard (1...LockedModule.sequenceLimit).contains(sequence) else {
      throw SignetError(
        .lockfileValue, "module \(identifier)", "has a sequence out of range",
        expected: "1 to \(LockedModule.sequenceLimit)", found: "\(sequence)")
    }
    guard requirements.count <= ModuleRequirement.limit else {
      throw SignetError(
        .lockfileCount, "module \(identifier)", "requires too many modules",
        expected: "at most \(ModuleRequirement.limit)", found: "\(requirements.count)")
    }
    self.identifier = identifier
    self.version = version
    self.sequence = sequence
    self.origin = origin
    self.requirements = requirements.sorted { $0.identifier.precedes($1.identifier) }
    let pairs = zip(self.requirements, self.requirements.dropFirst())
    if let twice = pairs.first(where: { $0.identifier == $1.identifier }) {
      throw SignetError(
        .lockfileOrder, "module \(identifier)", "requires \(twice.0.identifier) twice", expected: "each module once")
    }
  }

  /// Records are equal if their lines are. Versions that differ only in build metadata make them unequal.
  public static func == (left: LockedModule, right: LockedModule) -> Bool { left.text.isExactly(right.text) }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }

  /// The highest sequence: every reader of JSON holds it exactly (docs/format.md, section 10).
  static let sequenceLimit = 1 << 53 - 1

  /// The source and the content of a release that was served; nil for an override.
  public var served: Served? {
    if case .source(let served) = origin { return served }
    return nil
  }

  /// The lines of the release in a lock.
  var text: String {
    var lines = ["module \(identifier) \(version)"]
    switch origin {
    case .source(let served):
      if case .spec = served.content {
        lines.append("  specs \(served.source)")
      } else {
        lines.append("  source \(served.source)")
      }
    case .override(.path(let path)): lines.append("  path \(path)")
    case .override(.commit(let commit)): lines += ["  git \(commit.repository)", "  commit \(commit.id)"]
    }
    lines.append("  sequence \(sequence)")
    switch served?.content {
    case .registry(let digests):
      lines += ["  archive \(digests.archive)", "  description \(digests.description)"]
      if let source = digests.source {
        lines += ["  source-archive \(source.archive)", "  commit \(source.commit)"]
      }
      lines += served?.signers.map { "  signer \($0)" } ?? []
      if let standing = served?.standing, standing != .verified { lines.append("  signers \(standing.rawValue)") }
    case .spec(let release):
      lines += ["  spec \(release.spec)", "  git \(release.commit.repository)", "  commit \(release.commit.id)"]
      if let archive = release.archive { lines.append("  archive \(archive)") }
    case nil: break
    }
    lines += requirements.map { "  requires \($0)" }
    return lines.map { $0 + "\n" }.joined()
  }
}
