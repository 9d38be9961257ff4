internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// An artifact and those of its digests that were needed; each is computed once, however many bundles ask.
struct HashedArtifact {
  let artifact: Artifact
  /// The archive, where the artifact may be verified as a module's.
  let archive: ArchiveFile?
  /// Why there is no archive, where there could have been one.
  let archiveFailure: SignetError?
  private let progress: ProgressCounter?
  private var comparison: DirectoryComparison?
  /// Listings that were compared with the directory, and what came of it.
  private var compared: [Digest: DirectoryDifferences] = [:]
  /// What the archive holds, once its bytes were found to be the signed ones.
  private(set) var opened: OpenedArchive?
  private var raw: FileDigests?
  /// The flat digest, once it was needed.
  private(set) var flat: Digest?
  /// The tree digest, once it was needed.
  private(set) var tree: FSVerityDigest?

  /// Where a compressed archive takes up space while it is looked at.
  private let snapshotFolder: String
  /// The contents that an unpacked module was compared with last, and what came of it.
  private var unpacked: (contents: ModuleContents, found: DirectoryDifferences)?

  /// Digests that were computed before: when the bytes were copied, or unpacked.
  struct Known {
    /// Those of the file.
    var file: FileDigests?
    /// Those of the bytes that are signed, where they are not the whole file.
    var signed: FileDigests?
    /// Those of a directory's files as they were written, by what the system knew of them then.
    var written: [FileStatus: Digest] = [:]
  }

  init(
    _ artifact: Artifact, archive: ArchiveFile?, archiveFailure: SignetError? = nil, known: Known = Known(),
    snapshotsIn folder: String = Snapshot.usualFolder, _ progress: ProgressCounter?
  ) {
    snapshotFolder = folder
    let isWholeSigned = archive != nil && archive?.block == nil
    let signed = isWholeSigned ? known.file : archive != nil ? known.signed : nil
    flat = signed?.sha256
    tree = signed?.fsverity
    if !isWholeSigned { raw = known.file }
    self.artifact = artifact
    self.archive = archive
    self.archiveFailure = archiveFailure
    self.progress = progress
    comparison = artifact.directory.map { DirectoryComparison($0, written: known.written, progress) }
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

  /// In what a directory is not what a module's contents are once they are unpacked, and whether they were asked about
  /// before.
  mutating func differences(
    from contents: ModuleContents
  ) throws(SignetError) -> (found: DirectoryDifferences, isRepeated: Bool) {
    if let unpacked, unpacked.contents == contents { return (unpacked.found, true) }
    guard var comparison else { throw SignetError(.fileNotDirectory, "artifact", "is not a directory") }
    let found = try comparison.differences(fromUnpacked: contents)
    self.comparison = comparison
    unpacked = (contents, found)
    return (found, false)
  }

  /// How many bytes are signed.
  var size: Int { archive?.signed.size ?? artifact.size }

  /// What the archive holds; whoever asks has seen that its bytes are the signed ones.
  ///
  /// - Throws: `archive.…`, `path.…`, and `archive.format` for what is no archive.
  mutating func open() throws(SignetError) -> OpenedArchive {
    if let opened { return opened }
    guard let archive else { throw SignetError(.archiveFormat, "artifact", "is not an archive") }
    let found = try archive.open(snapshotsIn: snapshotFolder)
    try artifact.checkUnchanged()
    opened = found
    return found
  }

  /// The digests of an archive with its signing block, where they were computed before.
  var knownRawDigests: FileDigests? { raw }

  /// The digests of an archive with its signing block, of one that was unpacked, too; nil where there is none.
  mutating func rawDigests() throws(SignetError) -> FileDigests? {
    guard raw == nil, let archive, archive.block != nil else { return raw }
    raw = try archive.source.bothDigests(progress: progress)
    try artifact.checkUnchanged()
    return raw
  }

  /// The flat digest.
  mutating func sha256() throws(SignetError) -> Digest {
    if let flat { return flat }
    let digest: Digest
    if let archive {
      digest = try archive.signed.flatDigest(progress: progress)
      try artifact.checkUnchanged()
    } else {
      digest = try artifact.sha256(progress: progress)
    }
    flat = digest
    return digest
  }

  /// The tree digest.
  mutating func fsverity() throws(SignetError) -> FSVerityDigest {
    if let tree { return tree }
    let digest: FSVerityDigest
    if let archive {
      digest = try archive.signed.treeDigest(progress: progress)
      try artifact.checkUnchanged()
    } else {
      digest = try artifact.fsverity(progress: progress)
    }
    tree = digest
    return digest
  }

  /// Both digests, from one pass over the bytes.
  mutating func both() throws(SignetError) {
    guard flat == nil, tree == nil else {
      _ = try sha256()
      _ = try fsverity()
      return
    }
    let digests: FileDigests
    if let archive {
      digests = try archive.signed.bothDigests(progress: progress)
      try artifact.checkUnchanged()
    } else {
      digests = try artifact.digests(progress: progress)
    }
    flat = digests.sha256
    tree = digests.fsverity
  }
}
