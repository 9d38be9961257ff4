internal import SignetBase

/// The metadata of a folder as it is, judged like metadata that was just fetched. Nobody is asked for newer metadata.
struct StoredMetadata {
  private let folder: TrustedMetadataFolder
  private let limits: TUFLimits

  init(_ folder: TrustedMetadataFolder, _ limits: TUFLimits) {
    self.folder = folder
    self.limits = limits
  }

  /// The top-level targets.
  ///
  /// - Throws: what the checks of the workflow throw; `tuf.not-found` if a role was never stored.
  func targets(at time: UnixTime) throws(SignetError) -> FreshTargets {
    let root = try folder.root(atMost: limits.longestFile).fresh(at: time)
    let timestamp = try root.timestamp(root.prior(timestamp: try bytes("timestamp")))
    let snapshot = try timestamp.snapshot(timestamp.prior(snapshot: try bytes("snapshot")))
    return try snapshot.targets(try bytes("targets"))
  }

  private func bytes(_ role: String) throws(SignetError) -> [UInt8] {
    guard let bytes = try folder.stored(role, atMost: limits.longestFile) else {
      throw SignetError(
        .tufNotFound, "\(folder.path)/\(role).json", "is not stored",
        hint: "refresh while the repository can be reached")
    }
    return bytes
  }
}
