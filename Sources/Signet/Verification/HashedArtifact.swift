internal import SignetCrypto

/// An artifact and those of its digests that were needed; each is computed once, however many bundles ask.
struct HashedArtifact {
  let artifact: Artifact
  private let progress: ProgressCounter?
  /// The flat digest, once it was needed.
  private(set) var flat: Digest?
  /// The tree digest, once it was needed.
  private(set) var tree: FSVerityDigest?

  init(_ artifact: Artifact, _ progress: ProgressCounter?) {
    self.artifact = artifact
    self.progress = progress
  }

  /// The flat digest.
  mutating func sha256() throws(SignetError) -> Digest {
    if let flat { return flat }
    let digest = try artifact.sha256(progress: progress)
    flat = digest
    return digest
  }

  /// The tree digest.
  mutating func fsverity() throws(SignetError) -> FSVerityDigest {
    if let tree { return tree }
    let digest = try artifact.fsverity(progress: progress)
    tree = digest
    return digest
  }
}
