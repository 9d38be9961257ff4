internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

/// Where the bundles of one artifact are written, and what happens to those that are there.
struct BundleOutput {
  let artifact: String
  /// The name that the user gave; nil for the names beside the artifact.
  let out: String?
  let append: Bool
  let force: Bool
  /// With which other outputs the bundle is written; nil if it is written alone.
  var batch: OutputBatch?

  /// Keeps other runs from adding a signature until the lock ends; nil if no bundles are read to be written again.
  ///
  /// - Throws: `file.locked`, `output.failed`.
  func lock() throws(SignetError) -> ChangeLock? { append ? try ChangeLock(beside: several) : nil }

  private var single: String { out ?? BundleFile.single(artifact) }
  private var several: String {
    guard let out else { return BundleFile.several(artifact) }
    return out.utf8.suffix(5).elementsEqual(".json".utf8) ? out + "l" : out
  }

  /// Checks that nothing is in the way.
  ///
  /// - Throws: `output.exists`, `output.is-input`.
  func checkPlaces(besides inputs: [FileStatus.Identity]) throws(SignetError) {
    for path in single == several ? [single] : [single, several] {
      // An input is reported first: it exists, and --force does not help.
      try OutputFile.check(path, .replace(unless: inputs))
      if !append && !force && (path == single || out == nil) { try checkFree(path) }
    }
  }

  /// Checks that the bundle does not become part of the directory that it is about.
  ///
  /// - Throws: `output.is-input`.
  func check(outside directory: FileStatus.Identity) throws(SignetError) {
    try OutputFile.check(single, outside: directory)
  }

  private func checkFree(_ path: String) throws(SignetError) {
    do throws(SignetError) {
      try OutputFile.check(path, .keep)
    } catch {
      var error = error
      let isFile = (try? FileStatus(ofLink: path).kind) == .regular
      if error.code == .outputExists, isFile {
        error.hint = "--append adds a signature over the same bytes, --force replaces what is there"
      }
      throw error
    }
  }

  /// The existing bundles that another is added to; empty unless one is added.
  ///
  /// - Parameter input: the artifact.
  /// - Throws: `signature.missing` if there is nothing to add to, and what reading bundles throws.
  func present(besides input: InputArtifact) throws(SignetError) -> [SigstoreBundle] {
    guard append else { return [] }
    var bundles: [SigstoreBundle] = []
    var texts: [[UInt8]] = []
    for path in single == several ? [single] : [single, several] {
      do throws(SignetError) {
        // The file with several bundles repeats the first.
        for bundle in try SigstoreBundle.all(in: path) {
          let text = try bundle.canonicalBytes()
          if texts.contains(text) { continue }
          texts.append(text)
          bundles.append(bundle)
        }
      } catch  where error.code == .signatureMissing {
        continue
      }
    }
    guard !bundles.isEmpty else {
      throw SignetError(
        .signatureMissing, single, "has no signature to add to",
        hint: input.isSignedInside
          ? "the archive has its signatures inside: --attach --append" : "make the first signature without --append")
    }
    guard bundles.count < SignatureSource.bundleLimit else {
      throw SignetError(
        .bundleCount, artifact, "has the maximum number of signatures",
        expected: "fewer than \(SignatureSource.bundleLimit)", found: "\(bundles.count)")
    }
    return bundles
  }

  /// The bundles that are there, as far as they can be read.
  var beside: [SigstoreBundle] {
    (single == several ? [single] : [single, several]).flatMap { (try? SigstoreBundle.all(in: $0)) ?? [] }
  }

  /// The file with bundles in which this signer has already signed the intended statement; nil if it still has to sign.
  ///
  /// - Throws: an error if the artifact cannot be read.
  func path(
    ofBundlesBy signer: Signer, of input: InputArtifact, as intended: IntendedStatement, at now: UnixTime,
    on console: Console
  ) throws(SignetError) -> String? {
    guard !append, !force else { return nil }
    for path in out == nil ? [single, several] : [single] {
      // A file that cannot be read as bundles is in the way, and is reported as such.
      guard let bundles = try? SigstoreBundle.all(in: path) else { continue }
      let isSigned = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
        try signer.hasSigned(input.artifact, as: intended, in: bundles, at: now, progress: counter)
      }
      if isSigned { return path }
    }
    return nil
  }

  /// Signs, unless the key has already signed what the others have: then there is nothing to add.
  ///
  /// - Parameters:
  ///   - signed: gives the file in which this signer has signed; nil if there is none. Another run may have been quicker.
  ///   - sign: signs, and gives the file with the bundle.
  func adding(
    _ kind: SigningJob.Kind, unlessIn signed: () throws(SignetError) -> String? = { nil },
    _ sign: () throws(SignetError) -> String
  ) throws(SignetError) -> SigningJob.Outcome {
    do throws(SignetError) {
      return SigningJob.Outcome(kind: kind, path: try sign())
    } catch  where error.code == .signingTwice && append {
      return SigningJob.Outcome(
        kind: kind, path: (try? FileStatus(ofLink: several)) != nil ? several : single, isNew: false)
    } catch  where error.code == .outputExists {
      guard let path = try signed() else { throw error }
      return SigningJob.Outcome(kind: kind, path: path, isNew: false)
    } catch  where error.code == .digestMismatch && append {
      var error = error
      error.hint = "the file was changed after it was signed: --force replaces the signatures by a new one"
      throw error
    }
  }

  /// Says of a signature that is in the way whether the file has changed since this key made it.
  func explained(_ error: SignetError, _ input: InputArtifact, by signer: Signer) -> SignetError {
    let own = beside.first { $0.envelope.keyID.isExactly("\(signer.publicKey.id)") }
    if input.isDirectory, own != nil {
      var error = error
      error.found =
        "a signature by this key over other files or other permissions: the directory has changed since then"
      error.hint = "--force replaces the signature, once you know why the directory has changed"
      return error
    }
    guard let file = input.artifact.file, let own, let statement = try? Statement(payload: own.envelope.payload),
      let digests = try? SignedDigests(of: file)
    else { return error }
    var error = error
    if digests.signed.sha256 == statement.subjectDigest {
      error.found = "a signature by this key over the same bytes, with another statement"
      error.hint = "--force replaces it"
    } else {
      error.found = "a signature by this key over other bytes: the file has changed since then"
      error.hint = "--force replaces the signature, once you know why the file has changed"
    }
    return error
  }

  /// Writes the bundles, in one step from the old state to the new.
  ///
  /// - Returns: the file that they are in.
  func write(_ bundles: [SigstoreBundle], _ inputs: [FileStatus.Identity]) throws(SignetError) -> String {
    var text: [UInt8] = []
    for bundle in bundles { text += try bundle.canonicalBytes() + [UInt8(ascii: "\n")] }
    let target = append ? several : single
    if let batch {
      try batch.add(text, to: target)
      return target
    }
    try Interruption.held { () throws(SignetError) in
      try OutputFile.write(text, to: target, append || force ? .replace(unless: inputs) : .keep)
      // The first bundle stays where it is, because others may have linked to it. Verification reads both files.
      if several != target, force && out == nil { try OutputFile.remove(several) }
    }
    return target
  }
}
