internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import Timestamping

/// The options of a command line for modules that are signed.
struct ModuleOptions {
  /// What the file is taken for; nil if that must be determined.
  let kind: KindOption?
  let minimumSequence: Int?
  let signers: [KeyID]
  /// Where to write the archive that the signature is put into; nil if the signature stays beside the archive.
  let attachment: ArchiveOutput?

  /// Checks that nothing was asked for that a file cannot have.
  ///
  /// - Throws: `signing.no-module`.
  func refuse(_ path: String) throws(SignetError) {
    guard minimumSequence != nil || !signers.isEmpty || attachment != nil else { return }
    throw SignetError(
      .signingNoModule, path, "is not a module, and --attach, --minimum-sequence and --signer are for modules",
      expected: "an archive with a module.json at its root")
  }
}

extension SigningJob {
  /// The module that the artifact is to be signed as; nil if it is signed as something else.
  func moduleToSign() throws(SignetError) -> ModuleToSign? {
    guard manifest == nil, !input.isDirectory, module.kind != .file else { return nil }
    if module.kind == .module { return try ModuleToSign(input.artifact) }
    do throws(SignetError) {
      return try input.artifact.moduleToSign().flatMap { (module) throws(SignetError) in try described(module) }
    } catch {
      guard Set.aboutArchives.contains(error.code) || Set.aboutPaths.contains(error.code) else { throw error }
      // It has a module.json, but is not strict.
      if isSignedAsFile { return nil }
      throw Self.mayBeFile(error)
    }
  }

  private static func mayBeFile(_ error: SignetError) -> SignetError {
    var error = error
    error.hint = (error.hint.map { $0 + "; " } ?? "") + "or sign its bytes, not as a module: --as file"
    return error
  }

  /// Whether the bundles beside it are about a file: then it was meant as one when it was signed, as another system's
  /// archive with a `module.json` of its own.
  private var isSignedAsFile: Bool {
    guard !output.force else { return false }
    return output.beside.contains { bundle in
      // What cannot be read here is in the way later, and is reported then.
      if let statement = try? Statement(payload: bundle.envelope.payload) { statement.file != nil } else { false }
    }
  }

  /// The module, unless its description is not one of Signet's and it was signed as a file.
  ///
  /// - Throws: `module.…` and `path.…` for a description that cannot be signed.
  private func described(_ module: ModuleToSign) throws(SignetError) -> ModuleToSign? {
    guard self.module.kind == nil else { return module }
    do throws(SignetError) {
      try module.checkDescription()
      return module
    } catch  where error.code == .moduleMalformed || error.code == .moduleUnknownField {
      if isSignedAsFile { return nil }
      throw Self.mayBeFile(error)
    }
  }

  /// Signs a module, and writes the bundle or the archive with it.
  package func run(
    _ archive: ModuleToSign, by signer: Signer, inputs: [FileStatus.Identity], at now: UnixTime, on console: Console
  ) throws(SignetError) -> Outcome {
    let claims = try Signer.ModuleClaims(
      name: name ?? input.baseName, minimumSequence: module.minimumSequence,
      signers: module.signers.isEmpty ? nil : module.signers, signedAt: now, notAfter: notAfter)
    guard let attachment = module.attachment else {
      // The same signature inside is as good as one beside it.
      if output.out == nil, !output.append, !output.force {
        let inside = try AttachedArchive.bundles(in: input.artifact)
        let intended = IntendedStatement(module: claims)
        if !inside.isEmpty, try signer.hasSigned(input.artifact, as: intended, in: inside, at: now) {
          return Outcome(kind: .module, path: input.path, isNew: false)
        }
      }
      func signed() throws(SignetError) -> String? {
        try output.path(ofBundlesBy: signer, of: input, as: IntendedStatement(module: claims), at: now, on: console)
      }
      if let path = try signed() { return Outcome(kind: .module, path: path, isNew: false) }
      var stamps: [BundleStamper.Stamped] = []
      var outcome = try output.adding(.module, unlessIn: signed) { () throws(SignetError) in
        try output.checkPlaces(besides: inputs)
        let present = try output.present(besides: input)
        let bundle = try bundle(of: archive, by: signer, present: present, claims: claims, on: console)
        return try output.write(present + [stamped(bundle, &stamps)], inputs)
      }
      outcome.stamped = stamps
      return outcome
    }
    try attachment.checkPlace()
    let attached = try AttachedArchive.bundles(in: input.artifact)
    let isAdded = output.append
    if !attached.isEmpty && !isAdded && !output.force {
      guard try signer.hasSigned(input.artifact, as: IntendedStatement(module: claims), in: attached, at: now) else {
        throw SignetError(
          .outputExists, input.path, "already contains a signature",
          hint: "--append adds a signature to it, --force replaces it")
      }
      return Outcome(kind: .module, path: input.path, isNew: false)
    }
    guard !isAdded || !attached.isEmpty else {
      throw SignetError(
        .signatureMissing, input.path, "contains no signature to add to",
        hint: "make the first signature without --append")
    }
    let present = isAdded ? attached : []
    var stamps: [BundleStamper.Stamped] = []
    var outcome = try output.adding(.module) { () throws(SignetError) in
      let bundle = try bundle(of: archive, by: signer, present: present, claims: claims, on: console)
      return try attachment.write(.holding(present + [stamped(bundle, &stamps)], in: input.artifact))
    }
    outcome.stamped = stamps
    return outcome
  }

  private func bundle(
    of archive: ModuleToSign, by signer: Signer, present: [SigstoreBundle], claims: Signer.ModuleClaims,
    on console: Console
  ) throws(SignetError) -> SigstoreBundle {
    try ProgressBar.show(input.path, size: nil, console) { (counter) throws(SignetError) in
      guard present.isEmpty else {
        return try signer.addSignature(
          to: present, ofModule: input.artifact, named: name ?? input.baseName, at: claims.signedAt, progress: counter
        )
      }
      return try signer.sign(archive, claims, progress: counter)
    }
  }
}

extension SignetError.Code {
  /// An option was given that only modules have.
  static let signingNoModule = Self("signing.no-module", .failure)
}
