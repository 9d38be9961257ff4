internal import Signet
internal import SignetCrypto

/// What a command line says of modules that are signed.
struct ModuleOptions {
  /// What the file is taken for; nil where it is to be found out.
  let kind: ArtifactKind?
  let minimumSequence: Int?
  let signers: [KeyID]
  /// Where the archive goes that the signature is put into; nil where it stays beside the archive.
  let attachment: ArchiveOutput?

  /// Makes sure that nothing was asked for that a file cannot have.
  ///
  /// - Throws: `signing.no-module`.
  func refuse(_ path: String) throws(SignetError) {
    guard minimumSequence != nil || !signers.isEmpty || attachment != nil else { return }
    throw SignetError(
      .signingNoModule, path, "is no module, and --attach, --minimum-sequence and --signer are for modules",
      expected: "an archive with a module.json at its root")
  }
}

extension SigningJob {
  /// Whether the artifact is to be signed as a module.
  func isModule() throws(SignetError) -> Bool {
    guard manifest == nil, !input.isDirectory, module.kind != .file else { return false }
    if module.kind == .module { return true }
    return try ModuleGuess.isModule(toSign: input.artifact)
  }

  /// Signs a module, and writes the bundle or the archive with it.
  ///
  /// - Returns: what was written.
  func runAsModule(
    _ signer: Signer, _ inputs: [FileStatus.Identity], _ now: UnixTime, _ console: Console
  ) throws(SignetError) -> String {
    guard let attachment = module.attachment else {
      try output.check(inputs)
      let present = try output.present()
      let bundle = try signed(signer, present, now, console)
      return try output.write(present + [bundle], inputs)
    }
    try attachment.check()
    let attached = try AttachedArchive.bundles(in: input.artifact)
    let isAdded = output.append
    guard attached.isEmpty || isAdded || output.force else {
      throw SignetError(
        .outputExists, input.path, "has a signature in it already",
        hint: "--append adds a signature to it, --force replaces it")
    }
    guard !isAdded || !attached.isEmpty else {
      throw SignetError(
        .signatureMissing, input.path, "there is no signature in it to add to",
        hint: "make the first signature without --append")
    }
    let present = isAdded ? attached : []
    let bundle = try signed(signer, present, now, console)
    return try attachment.write(.holding(present + [bundle], in: input.artifact))
  }

  private func signed(
    _ signer: Signer, _ present: [SigstoreBundle], _ now: UnixTime, _ console: Console
  ) throws(SignetError) -> SigstoreBundle {
    let name = name ?? input.baseName
    return try ProgressBar.show(input.path, size: nil, console) { (counter) throws(SignetError) in
      guard present.isEmpty else {
        return try signer.addSignature(
          to: present, ofModule: input.artifact, named: name, at: now, progress: counter)
      }
      let claims = try Signer.ModuleClaims(
        name: name, minimumSequence: module.minimumSequence, signers: module.signers.isEmpty ? nil : module.signers,
        signedAt: now, notAfter: notAfter)
      return try signer.sign(module: input.artifact, claims, progress: counter)
    }
  }
}

extension SignetError.Code {
  /// Something was asked for that only modules have.
  static let signingNoModule = Self("signing.no-module")
}
