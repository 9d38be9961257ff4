internal import SignetCrypto

/// An artifact and those of its digests that were needed; each is computed once, however many bundles ask.
struct HashedArtifact {
  let artifact: Artifact
  private let progress: ProgressCounter?
  private var comparison: DirectoryComparison?
  /// Listings that were compared with the directory, and what came of it.
  private var compared: [Digest: DirectoryDifferences] = [:]
  /// The flat digest, once it was needed.
  private(set) var flat: Digest?
  /// The tree digest, once it was needed.
  private(set) var tree: FSVerityDigest?

  init(_ artifact: Artifact, _ progress: ProgressCounter?) {
    self.artifact = artifact
    self.progress = progress
    comparison = artifact.directory.map { DirectoryComparison($0, progress) }
  }

  /// In what a directory is not what a listing says, and whether that listing was asked about before.
  mutating func differences(
    from listing: DirectoryListing
  ) throws(SignetError) -> (found: DirectoryDifferences, isRepeated: Bool) {
    if let known = compared[listing.digest] { return (known, true) }
    guard var comparison else { throw SignetError(.fileNotDirectory, "artifact", "is not a directory") }
    let found = try comparison.differences(from: listing)
    self.comparison = comparison
    compared[listing.digest] = found
    // The digest of what the directory holds: it has one listing only.
    if found.told.isEmpty { flat = listing.digest }
    return (found, false)
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
