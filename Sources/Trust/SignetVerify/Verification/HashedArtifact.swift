internal import SignetBase
internal import SignetCrypto
package import SignetSystem

/// An artifact with the digests that were needed. Each is computed once, however many bundles need it.
package struct HashedArtifact: BareContent {
  package let artifact: Artifact
  /// The archive, if the artifact may be verified as a module's.
  package let archive: (any SignedContent)?
  /// Why the artifact cannot be read as an archive, if it could have been one.
  package let archiveFailure: SignetError?
  package let progress: ProgressCounter?
  private var comparison: DirectoryComparison?
  /// The listings that were compared with the directory, and the results.
  private var compared: [Digest: DirectoryDifferences] = [:]
  /// What the archive holds, set once its bytes were found to be the signed ones.
  package private(set) var opened: (any OpenedContent)?
  private var raw: FileDigests?
  /// The flat digest, set once it was needed.
  package private(set) var flat: Digest?
  /// The tree digest, set once it was needed.
  package private(set) var tree: FSVerityDigest?

  /// The folder for decompressed copies of a compressed archive while it is examined.
  private let snapshotFolder: String
  /// The contents that an unpacked module was last compared with, and the result.
  private var unpacked: (contents: ModuleContents, found: DirectoryDifferences)?

  /// Digests that were computed earlier, when the bytes were copied or unpacked.
  package struct Known {
    /// The digests of the whole file.
    var file: FileDigests?
    /// The digests of the signed bytes, if they are not the whole file.
    var signed: FileDigests?
    /// The flat digest of an artifact that is no archive.
    var flat: Digest?
    /// The digests of a directory's files as they were written, by the file status at that time.
    var written: [FileStatus: Digest] = [:]

    package init(flat: Digest? = nil, written: [FileStatus: Digest] = [:]) {
      self.flat = flat
      self.written = written
    }

    /// The digests of an archive that this process has just hashed.
    package init(file: FileDigests, signed: FileDigests?) {
      self.file = file
      self.signed = signed
    }
  }

  package init(
    _ artifact: Artifact, archive: (any SignedContent)?, archiveFailure: SignetError? = nil, known: Known = Known(),
    snapshotsIn folder: String = TemporaryName.usualFolder, _ progress: ProgressCounter?
  ) {
    snapshotFolder = folder
    let isWholeSigned = archive.map { !$0.holdsBundles } ?? false
    let signed = isWholeSigned ? known.file : archive != nil ? known.signed : nil
    flat = signed?.sha256 ?? (archive == nil ? known.flat : nil)
    tree = signed?.fsverity
    if !isWholeSigned { raw = known.file }
    self.artifact = artifact
    self.archive = archive
    self.archiveFailure = archiveFailure
    self.progress = progress
    comparison = artifact.directory.map { DirectoryComparison($0, written: known.written, progress) }
  }

  /// The differences between a directory and a listing, and whether that listing was compared before.
  package mutating func differences(
    from listing: DirectoryListing
  ) throws(SignetError) -> (found: DirectoryDifferences, isRepeated: Bool) {
    if let known = compared[listing.digest] { return (known, true) }
    guard var comparison else { throw SignetError(.fileNotDirectory, "artifact", "is not a directory") }
    let found = try comparison.differences(from: listing)
    self.comparison = comparison
    compared[listing.digest] = found
    // This is the digest of what the directory holds, since a directory has only one listing.
    if found.told.isEmpty { flat = listing.digest }
    return (found, false)
  }

  /// The differences between a directory and unpacked contents, and whether those contents were compared before.
  package mutating func differences(
    from contents: ModuleContents
  ) throws(SignetError) -> (found: DirectoryDifferences, isRepeated: Bool) {
    if let unpacked, unpacked.contents == contents { return (unpacked.found, true) }
    guard var comparison else { throw SignetError(.fileNotDirectory, "artifact", "is not a directory") }
    let found = try comparison.differences(fromUnpacked: contents)
    self.comparison = comparison
    unpacked = (contents, found)
    return (found, false)
  }

  /// The number of signed bytes.
  package var size: Int { archive?.signed.size ?? artifact.size }

  /// Opens the archive. Call this only after its bytes were found to be the signed ones.
  ///
  /// - Throws: `archive.…`, `path.…`, and `archive.format` for an artifact that is not an archive.
  package mutating func open() throws(SignetError) -> any OpenedContent {
    if let opened { return opened }
    guard let archive else {
      throw SignetError(.statementPredicateType, "artifact", "is not an archive", expected: "a module's archive")
    }
    let found = try archive.opened(snapshotsIn: snapshotFolder)
    try artifact.checkUnchanged()
    opened = found
    return found
  }

  /// The digests of an archive with its signing block, if they were computed earlier.
  package var knownRawDigests: FileDigests? { raw }

  /// The digests of an archive with its signing block, also for a module that was unpacked; nil without a signing block.
  package mutating func rawDigests() throws(SignetError) -> FileDigests? {
    guard raw == nil, let archive, archive.holdsBundles else { return raw }
    raw = try archive.source.bothDigests(progress: progress)
    try artifact.checkUnchanged()
    return raw
  }

  /// The flat digest.
  package mutating func sha256() throws(SignetError) -> Digest {
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

  package func source() throws(SignetError) -> any ByteSource { try artifact.source() }

  package mutating func note(sha256: Digest) throws(SignetError) {
    try artifact.checkUnchanged()
    flat = sha256
  }

  /// The digest by another algorithm, for statements that have no SHA-256.
  package func digest(_ algorithm: DigestAlgorithm) throws(SignetError) -> Digest {
    let digest = try artifact.source().flatDigest(algorithm, progress: progress)
    try artifact.checkUnchanged()
    return digest
  }

  /// The tree digest.
  package mutating func fsverity() throws(SignetError) -> FSVerityDigest {
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
  package mutating func both() throws(SignetError) {
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
