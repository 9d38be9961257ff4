internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// One artifact while it is open: it is verified, then the rules look at it.
struct ArtifactInspection {
  /// What the verification has found.
  let artifact: ExaminedArtifact
  private let open: Artifact
  private let file: ReleaseFile
  private let files: ReleaseFiles
  /// The archive, if the verification has read it already.
  private let archive: OpenedArchive?

  /// Opens and verifies an artifact.
  ///
  /// - Throws: if the outcome could not be determined.
  init(
    _ file: ReleaseFile, bundles: [String], files: ReleaseFiles, verifier: Verifier,
    progress: ProgressCounter?
  ) throws(SignetError) {
    self.file = file
    self.files = files
    let isDirectory = file.kind == .directory
    open = isDirectory ? .directory(try files.openDirectory(file)) : .file(try files.open(file))
    let opened = try files.open(bundles)
    let signatures = SignatureSource.files(opened)
    // Reports are about paths in the release, wherever its folder is.
    let places = zip(opened, bundles).map { (shown: $0.path, path: $1) }
    let name = ReleasePath.baseName(of: file.path)
    if isDirectory {
      let verdict = try verifier.verify(
        open, signatures: signatures, expecting: .directory(named: name).inAnyFolder(), progress: progress)
      archive = nil
      artifact = try Self.examined(
        file, opened: open, verdict: verdict, digest: nil, places: places, progress: progress)
    } else {
      let verdict = try verifier.verify(
        open, signatures: signatures,
        expecting: .fileOrModule(named: name).establishingBothDigests().inAnyFolder(), progress: progress)
      var archive: OpenedArchive?
      var digest: Digest?
      if case .verified(let proof) = verdict {
        if case .module(let module) = proof { archive = module.archive }
        // If signatures are in the archive, the digest is that of the bytes without them.
        if proof.signedSize == open.size { digest = proof.sha256 }
      }
      self.archive = archive
      artifact = try Self.examined(
        file, opened: open, verdict: verdict, digest: digest, places: places, progress: progress)
    }
  }

  private static func examined<Proof>(
    _ file: ReleaseFile, opened open: Artifact, verdict: Verdict<Proof>, digest: Digest?,
    places: [(shown: String, path: String)], progress: ProgressCounter?
  ) throws(SignetError) -> ExaminedArtifact {
    func inRelease(_ reason: SignetError) -> SignetError {
      for place in places { if let moved = reason.inRelease(place.shown, as: place.path) { return moved } }
      return reason
    }
    let outcome: ExaminedArtifact.Outcome =
      switch verdict {
      case .verified(let proof): .verified(proof.signatures, strangers: proof.strangers.map(inRelease))
      case .refused(let refusal): .refused(refusal.reasons.map(inRelease))
      }
    let size: Int
    let sha256: Digest
    if let directory = open.directory {
      let signed = (try? verdict.get())?.signatures.first?.statement.directory?.listing
      let listing = if let signed { signed } else { try DirectoryListing(of: directory, progress: progress) }
      (size, sha256) = (listing.size, listing.digest)
    } else {
      size = open.size
      sha256 = if let digest { digest } else { try open.source().flatDigest(progress: progress) }
    }
    return ExaminedArtifact(
      path: file.path, isDirectory: open.directory != nil, size: size, sha256: sha256, outcome)
  }

  /// What the rules find.
  ///
  /// - Parameter count: how many files of the release are searched.
  /// - Throws: if a rule could not find out, or the artifact has changed.
  func findings(_ settings: RuleSettings, among count: Int) throws(SignetError) -> [GateReport.Finding] {
    var walk = ContentWalk(artifact, settings, among: count)
    if open.directory != nil {
      try walkDirectory(&walk)
    } else if let file = open.file {
      try walkFile(file, &walk)
      try file.checkUnchanged()
    }
    return walk.findings
  }

  private func walkDirectory(_ walk: inout ContentWalk) throws(SignetError) {
    let parts = files.parts(of: file)
    let entries = parts.map { part in
      ArtifactContents.Entry(path: part.name, content: part.file.content, mode: part.file.mode)
    }
    try walk.look(at: ArtifactContents(entries: entries, format: nil, archiveFailure: nil))
    for part in parts where part.file.kind == .regular {
      let source = try files.open(part.file)
      try walk.read(source, as: part.name, mode: part.file.mode)
      try source.checkUnchanged()
    }
  }

  private func walkFile(_ file: RegularFile, _ walk: inout ContentWalk) throws(SignetError) {
    guard let archive else { return try walk.read(artifact: file, named: self.file.path, mode: self.file.mode) }
    // The verification has decompressed it already.
    let container = Container(archive)
    try walk.look(
      at: ArtifactContents(entries: container.entries, format: container.format, archiveFailure: nil))
    try walk.read(archive, of: file)
  }
}

extension VerificationProof {
  /// The number of bytes that are signed.
  fileprivate var signedSize: Int {
    signatures.first?.statement.module?.archive.size ?? signatures.first?.statement.file?.size ?? -1
  }
}
