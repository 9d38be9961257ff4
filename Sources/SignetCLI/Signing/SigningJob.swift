internal import Signet
internal import SignetCrypto

/// One file or directory to be signed.
struct SigningJob {
  let input: InputArtifact
  let name: String?
  let output: BundleOutput
  let notAfter: UnixTime?
  /// What the file is signed as, where it is signed as a host's manifest.
  let manifest: HostManifest?
  /// How the file is signed where it is a module.
  let module: ModuleOptions
  /// Files that are never replaced, beside the one that is signed.
  let kept: [FileStatus.Identity]

  /// Signs the artifact and writes the bundle.
  ///
  /// - Returns: where the bundle was written.
  func run(_ signer: Signer, _ console: Console) throws(SignetError) -> String {
    try module.kind?.check(input)
    let inputs = kept + [input.status.identity]
    let now = SystemTime.now()
    // Of two who add a signature at once the second would write without the first's.
    if output.append && module.attachment == nil { try input.lock() }
    if try isModule() { return try runAsModule(signer, inputs, now, console) }
    try module.refuse(input.path)
    // Before a large file is hashed for nothing.
    try output.check(inputs)
    if input.isDirectory { try output.check(outside: input.status.identity) }
    let present = try output.present()
    let bundle = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
      try sign(signer, present, now, counter)
    }
    return try output.write(present + [bundle], inputs)
  }

  private func sign(
    _ signer: Signer, _ present: [SigstoreBundle], _ now: UnixTime, _ counter: ProgressCounter
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
