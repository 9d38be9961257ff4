internal import Signet
internal import SignetBase
internal import SignetSystem
internal import Timestamping

/// One file or directory to be signed.
struct SigningJob {
  let input: InputArtifact
  let name: String?
  let output: BundleOutput
  let notAfter: UnixTime?
  /// How the file is signed, if it is signed as a host's manifest.
  let manifest: HostManifestOptions?
  /// How the file is signed, if it is a module.
  let module: ModuleOptions
  /// What has the signature stamped; nil if nobody is asked to.
  var stamper: BundleStamper?
  /// Files that are never replaced, in addition to the one that is signed.
  let kept: [FileStatus.Identity]

  /// The result of signing.
  struct Outcome {
    /// What the statement is about.
    let kind: Kind
    /// The file that the bundle was written to, or the archive that has it.
    let path: String
    /// Whether this run made the signature; false if the key had signed before.
    var isNew = true
    /// The timestamps that this run has added.
    var stamped: [BundleStamper.Stamped] = []
  }

  /// The kinds of statement.
  enum Kind: String {
    case file, directory, module
    case hostManifest = "host-manifest"
  }

  /// Signs the artifact and writes the bundle. A signature that is there already is stamped now, if it was not before.
  func run(_ signer: Signer, _ console: Console) throws(SignetError) -> Outcome {
    var outcome = try sign(signer, console)
    if let stamper, !outcome.isNew, let target = try signedBefore(outcome.path) {
      outcome.stamped = try StampingJob(target: target, addsMore: false, stamper: stamper).run().stamped
    }
    return outcome
  }

  /// The bundles that this key has signed before, to be stamped; nil if they are in an archive that is not to be changed.
  private func signedBefore(_ path: String) throws(SignetError) -> StampingJob.Target? {
    guard path == input.path else { return .bundle(path) }
    guard let attachment = module.attachment else { return .archive(try InputArtifact(replacing: path)) }
    return attachment.out == nil ? .archive(input) : nil
  }

  private func sign(_ signer: Signer, _ console: Console) throws(SignetError) -> Outcome {
    try module.kind?.checkInput(input)
    let inputs = kept + [input.status.identity]
    let now = SystemTime.now()
    // If two runs add a signature at once, the second would write without the first's.
    let lock = module.attachment == nil ? try output.lock() : nil
    defer { withExtendedLifetime(lock) {} }
    if let archive = try moduleToSign() { return try run(archive, by: signer, inputs: inputs, at: now, on: console) }
    try module.refuse(input.path)
    if input.isDirectory { try output.check(outside: input.status.identity) }
    let kind: Kind = input.isDirectory ? .directory : manifest == nil ? .file : .hostManifest
    func signed() throws(SignetError) -> String? {
      guard let intended = try intended(now) else { return nil }
      return try output.path(ofBundlesBy: signer, of: input, as: intended, at: now, on: console)
    }
    if let path = try signed() { return Outcome(kind: kind, path: path, isNew: false) }
    do throws(SignetError) {
      return try add(kind, unlessIn: signed, by: signer, inputs: inputs, at: now, on: console)
    } catch  where error.code == .outputExists {
      throw output.explained(error, input, by: signer)
    }
  }

  private func add(
    _ kind: Kind, unlessIn signed: () throws(SignetError) -> String?, by signer: Signer,
    inputs: [FileStatus.Identity], at now: UnixTime, on console: Console
  ) throws(SignetError) -> Outcome {
    var stamps: [BundleStamper.Stamped] = []
    var outcome = try output.adding(kind, unlessIn: signed) { () throws(SignetError) in
      // This comes before a large file is hashed for nothing.
      try output.checkPlaces(besides: inputs)
      let present = try output.present(besides: input)
      let bundle = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
        try sign(by: signer, present: present, at: now, progress: counter)
      }
      if input.isDirectory, let warning = try Self.umaskWarning(bundle, of: input.path) { console.warn(warning) }
      return try output.write(present + [stamped(bundle, &stamps)], inputs)
    }
    outcome.stamped = stamps
    return outcome
  }

  /// The bundle with a timestamp, if somebody is asked for one.
  func stamped(
    _ bundle: SigstoreBundle, _ stamps: inout [BundleStamper.Stamped]
  ) throws(SignetError) -> SigstoreBundle {
    guard let stamper else { return bundle }
    let stamped = try stamper.stamp(bundle, input.path) { SystemTime.now() }
    stamps = [stamped]
    return stamped.bundle
  }

  /// The intended statement about a file, a directory or a manifest; nil if it is the one that others have signed.
  private func intended(_ now: UnixTime) throws(SignetError) -> IntendedStatement? {
    guard !output.append else { return nil }
    let subject = name ?? input.baseName
    guard let manifest, let sequence = manifest.sequence else {
      return try IntendedStatement(
        fileOrDirectory: input.artifact, Signer.FileClaims(name: subject, signedAt: now, notAfter: notAfter))
    }
    return try IntendedStatement(
      hostManifest: Signer.HostManifestClaims(
        name: subject, identifier: manifest.identifier, sequence: sequence, signedAt: now, notAfter: notAfter))
  }

  /// The statement that would be signed, for another program to sign.
  func statement(at now: UnixTime, on console: Console) throws(SignetError) -> (statement: Statement, kind: Kind) {
    try module.kind?.checkInput(input)
    let subject = name ?? input.baseName
    return try ProgressBar.show(input.path, size: input.size, console) {
      (counter) throws(SignetError) -> (statement: Statement, kind: Kind) in
      if let archive = try moduleToSign() {
        let claims = try Signer.ModuleClaims(
          name: subject, minimumSequence: module.minimumSequence, signedAt: now, notAfter: notAfter)
        return (try Statement(about: archive, claims, progress: counter), .module)
      }
      try module.refuse(input.path)
      guard let manifest, let sequence = manifest.sequence else {
        let claims = try Signer.FileClaims(name: subject, signedAt: now, notAfter: notAfter)
        return (
          try Statement(about: input.artifact, claims, progress: counter), input.isDirectory ? .directory : .file
        )
      }
      let claims = try Signer.HostManifestClaims(
        name: subject, identifier: manifest.identifier, sequence: sequence, signedAt: now, notAfter: notAfter)
      return (try Statement(about: input.artifact, claims), .hostManifest)
    }
  }

  private func sign(
    by signer: Signer, present: [SigstoreBundle], at now: UnixTime, progress counter: ProgressCounter
  ) throws(SignetError) -> SigstoreBundle {
    let subject = name ?? input.baseName
    let artifact = input.artifact
    if output.append {
      guard let manifest else {
        return try signer.addSignature(to: present, of: artifact, named: subject, at: now, progress: counter)
      }
      return try signer.addSignature(
        to: present, ofHostManifest: artifact, named: subject, identifier: manifest.identifier,
        sequence: manifest.sequence, at: now)
    }
    guard let manifest, let sequence = manifest.sequence else {
      let claims = try Signer.FileClaims(name: subject, signedAt: now, notAfter: notAfter)
      return try signer.sign(artifact, claims, progress: counter)
    }
    let claims = try Signer.HostManifestClaims(
      name: subject, identifier: manifest.identifier, sequence: sequence, signedAt: now, notAfter: notAfter)
    return try signer.sign(artifact, claims)
  }
}
