package import Signet
package import SignetBase

/// A release once all its artifacts were examined, for the rules about the release as a whole.
package struct ExaminedRelease: Sendable {
  /// Every file of the release, and what it is.
  package let files: ReleaseFiles
  /// The artifacts, sorted by the bytes of their paths.
  package let artifacts: [ExaminedArtifact]
  /// The modules in the artifacts.
  let modules: ModuleReleases
  /// The artifacts of the last release and of this one, each with the one that it takes the place of; empty without a
  /// last release.
  let pairs: [ArtifactPairs.Pair]
  /// What other programs have stated about the artifacts.
  package let attestations: ReleaseAttestations
  /// The time of the check.
  package let time: UnixTime
  /// The signers that the policy trusts.
  package let policy: TrustPolicy
  /// The last release; nil if none was given.
  package let baseline: Baseline?
  /// The files of a second build of the same release, by the same paths; nil if none was given.
  package let rebuild: ReleaseFiles?

  /// The last release, examined as this one, but without looking into its files.
  package struct Baseline: Sendable {
    /// What the user calls it.
    package let name: String
    package let files: ReleaseFiles
    /// Its artifacts, sorted by the bytes of their paths.
    package let artifacts: [ExaminedArtifact]
    /// The modules in its artifacts.
    let modules: ModuleReleases

    package init(name: String, files: ReleaseFiles, artifacts: [ExaminedArtifact]) {
      self.name = name
      self.files = files
      self.artifacts = artifacts
      modules = ModuleReleases(artifacts)
    }

    /// The artifact with this path, or nil.
    func artifact(at path: String) -> ExaminedArtifact? {
      let index = ReleasePath.firstIndex(from: path, in: artifacts, by: \.path)
      return index < artifacts.count && artifacts[index].path.isExactly(path) ? artifacts[index] : nil
    }
  }

  /// Verifies the attestations of a release whose artifacts were examined.
  ///
  /// - Throws: if it could not be determined whether an attestation holds.
  package init(
    files: ReleaseFiles, artifacts: [ExaminedArtifact], time: UnixTime, policy: TrustPolicy, baseline: Baseline?,
    rebuild: ReleaseFiles?
  ) throws(SignetError) {
    attestations = try ReleaseAttestations(of: artifacts, in: files, policy: policy, at: time)
    self.files = files
    self.artifacts = artifacts
    modules = ModuleReleases(artifacts)
    pairs = baseline.map { ArtifactPairs($0.artifacts, artifacts).all } ?? []
    self.time = time
    self.policy = policy
    self.baseline = baseline
    self.rebuild = rebuild
  }

  /// Calls `body` for each module's release of which the last release had one, too.
  ///
  /// - Parameter body: gets the release, and those of the same module in the last release: one or more.
  func forEachSuccessor(
    _ body: (_ new: ModuleReleases.Release, _ old: [ModuleReleases.Release]) -> Void
  ) {
    guard let baseline else { return }
    for release in modules.all {
      let old = baseline.modules[release.description.identifier]
      if !old.isEmpty { body(release, old) }
    }
  }
}
