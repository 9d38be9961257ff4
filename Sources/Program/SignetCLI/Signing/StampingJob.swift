internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
internal import Timestamping

/// Bundles that are to be stamped.
struct StampingJob {
  let target: Target
  /// Whether bundles that have a timestamp get another one, by whomever it is.
  let addsMore: Bool
  let stamper: BundleStamper

  /// Where the bundles are.
  enum Target {
    /// Beside the artifact of this path, and inside it.
    case artifact(String)
    /// In the file of this path.
    case bundle(String)
    /// Inside an archive that is open to be replaced.
    case archive(InputArtifact)
  }

  /// What became of the bundles.
  struct Outcome {
    /// The files with bundles, in which each has a timestamp now.
    fileprivate(set) var files: [String] = []
    /// What was stamped; empty if all bundles had a timestamp before. The same bundle in several files is one.
    fileprivate(set) var stamped: [BundleStamper.Stamped] = []
  }

  /// Has the bundles stamped that need it, and writes each file whole or not at all.
  ///
  /// - Throws: `signature.missing` if there is no bundle; `timestamp.unavailable`; `signature.…`, `bundle.…`, `envelope.…`,
  ///   `file.…`, `output.…`.
  func run() throws(SignetError) -> Outcome {
    var run = Run(job: self)
    let path: String
    switch target {
    case .archive(let input):
      try run.stamp(archive: input)
      return run.outcome
    case .bundle(let bundle):
      let lock = try ChangeLock(beside: bundle)
      defer { withExtendedLifetime(lock) {} }
      try run.stamp(file: bundle)
      return run.outcome
    case .artifact(let artifact): path = artifact
    }
    let input = try InputArtifact(opening: path)
    let beside = [BundleFile.single(input.place), BundleFile.several(input.place)]
    let lock = try ChangeLock(beside: beside[1])
    defer { withExtendedLifetime(lock) {} }
    for file in beside where (try? FileStatus(ofLink: file)) != nil { try run.stamp(file: file) }
    if input.isSignedInside { try run.stamp(archive: InputArtifact(replacing: path)) }
    guard !run.outcome.files.isEmpty else {
      throw SignetError(
        .signatureMissing, path, "has no signature to stamp", expected: "a bundle beside it, or inside it",
        hint: "sign it first, or name the bundle in its place")
    }
    return run.outcome
  }

  private struct Run {
    let job: StampingJob
    var outcome = Outcome()
    /// What a bundle has become, by its text.
    var known: [[UInt8]: SigstoreBundle] = [:]

    mutating func stamp(file: String) throws(SignetError) {
      outcome.files.append(file)
      let before = try SigstoreBundle.all(in: file)
      guard let bundles = try stamped(before, file) else { return }
      var text: [UInt8] = []
      for bundle in bundles { text += try bundle.canonicalBytes() + [UInt8(ascii: "\n")] }
      try Interruption.held { () throws(SignetError) in
        try OutputFile.write(text, to: file, .replace(unless: []))
      }
    }

    mutating func stamp(archive input: InputArtifact) throws(SignetError) {
      outcome.files.append(input.path)
      guard let bundles = try stamped(AttachedArchive.bundles(in: input.artifact), input.path) else { return }
      _ = try ArchiveOutput(input: input, out: nil, force: false, kept: []).write(
        .holding(bundles, in: input.artifact))
    }

    /// - Returns: nil if none of the bundles has changed.
    private mutating func stamped(
      _ bundles: [SigstoreBundle], _ name: String
    ) throws(SignetError) -> [SigstoreBundle]? {
      var after: [SigstoreBundle] = []
      var isChanged = false
      for bundle in bundles {
        // What an authority of Sigstore has certified has its own proof of time, and takes no other.
        guard !bundle.isCertifiedBySigstore, job.addsMore || !job.stamper.hasStamped(bundle) else {
          after.append(bundle)
          continue
        }
        isChanged = true
        let text = try bundle.canonicalBytes()
        if let same = known[text] {
          after.append(same)
          continue
        }
        let stamped = try job.stamper.stamp(bundle, name) { SystemTime.now() }
        known[text] = stamped.bundle
        outcome.stamped.append(stamped)
        after.append(stamped.bundle)
      }
      return isChanged ? after : nil
    }
  }
}

extension SigstoreBundle {
  /// Whether its signer is certified for some minutes, as Sigstore does it. This proves nothing.
  fileprivate var isCertifiedBySigstore: Bool {
    let leaf: [UInt8]? =
      switch material {
      case .publicKey: nil
      case .certificate(let der): der
      case .certificateChain(let chain): chain.first
      }
    guard let leaf, let certificate = try? Certificate(der: leaf) else { return false }
    return CertifiedIdentity.names(certificate) || !logEntries.isEmpty
  }
}
