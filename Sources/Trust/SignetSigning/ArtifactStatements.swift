internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetModules
public import SignetSystem
public import SignetVerify

/// Statements about artifacts, as a ``Signer`` signs them, or another program that signs by an identity.
extension Statement {
  /// The statement about a file or a directory: its flat and its tree digest, from one pass over the bytes, or the listing
  /// of everything in it.
  ///
  /// - Throws: for a directory `path.…`, `directory.…`; for both `file.changed`, `file.unreadable`, `file.read-failed`,
  ///   `crypto.failure`.
  public init(
    about artifact: Artifact, _ claims: Signer.FileClaims, progress: ProgressCounter? = nil
  ) throws(SignetError) {
    if let directory = artifact.directory {
      let predicate = DirectoryPredicate(
        listing: try DirectoryListing(of: directory, progress: progress), signedAt: claims.signedAt,
        notAfter: claims.notAfter)
      self = Statement(directory: claims.name, predicate)
      return
    }
    let digests = try artifact.digests(progress: progress)
    let predicate = FilePredicate(
      size: digests.size, fsverity: digests.fsverity, signedAt: claims.signedAt, notAfter: claims.notAfter)
    self = Statement(file: claims.name, digest: digests.sha256, predicate)
  }

  /// The statement about a module: its digests without a signing block, everything that it holds, and its description,
  /// which is read here for the only time.
  ///
  /// - Throws: `archive.…`, `path.…`, `module.…`, `signing.sequence` for a minimum above the module's own sequence,
  ///   `extraction.failed`, `file.…`, `crypto.failure`.
  public init(
    about module: ModuleToSign, _ claims: Signer.ModuleClaims, progress: ProgressCounter? = nil
  ) throws(SignetError) {
    let (artifact, archive, opened) = (module.artifact, module.archive, module.opened)
    let module = try opened.moduleDescription()
    if let minimum = claims.minimumSequence, minimum > module.sequence {
      throw SignetError(
        .signingSequence, claims.file.name, "has a minimum sequence above its own",
        expected: "at most \(module.sequence)", found: "\(minimum)")
    }
    let (whole, digests) = try ArchiveHasher.digests(archive, opened, progress: progress)
    try artifact.checkUnchanged()
    let predicate = ModulePredicate(
      module: module, contents: try ModuleContents(opened.entries, digests),
      archive: .init(format: archive.format, size: whole.size, fsverity: whole.fsverity),
      minimumSequence: claims.minimumSequence, signers: claims.signers, signedAt: claims.file.signedAt,
      notAfter: claims.file.notAfter)
    self = Statement(module: claims.file.name, digest: whole.sha256, predicate)
  }

  /// The statement about a host's manifest. Its digest is that of the very bytes that were found to be a JSON object.
  ///
  /// - Throws: `manifest.malformed`, `file.too-large` above 1 MiB, `file.changed`, `file.unreadable`, `file.read-failed`,
  ///   `file.is-directory`, `crypto.failure`.
  public init(about artifact: Artifact, _ claims: Signer.HostManifestClaims) throws(SignetError) {
    let bytes = try artifact.bytes(limit: JSONLimits.hostManifest.size)
    do throws(SignetError) {
      let value = try JSONReader.read(bytes, limits: .hostManifest)
      guard case .object = value.content else {
        throw SignetError(.jsonWrongValue, "line 1, column 1", "is not an object", found: value.kind)
      }
    } catch {
      throw SignetError(
        .manifestMalformed, claims.file.name, "is not a JSON object, as every host's manifest is", cause: error,
        hint: "correct it before you sign it")
    }
    let predicate = HostManifestPredicate(
      identifier: claims.identifier, sequence: claims.sequence, size: bytes.count, signedAt: claims.file.signedAt,
      notAfter: claims.file.notAfter)
    self = Statement(hostManifest: claims.file.name, digest: try Digest.of(bytes, .sha256), predicate)
  }

  /// The bytes to sign, in DSSE as the payload type `application/vnd.in-toto+json`: canonical JSON without a line feed.
  ///
  /// - Throws: `envelope.payload-size`; `signing.self-check` if they read as another statement.
  public func payload() throws(SignetError) -> [UInt8] {
    let payload = try canonicalBytes()
    guard payload.count <= JSONLimits.payload.size else {
      throw SignetError(
        .envelopePayloadSize, subjectName, "needs a statement that is too large",
        expected: "a statement of at most \(JSONLimits.payload.size) bytes", found: "\(payload.count) bytes",
        hint: "sign fewer entries or shorter paths, or an archive")
    }
    guard try Statement(payload: payload).canonicalBytes() == payload else {
      throw SignetError(
        .signingSelfCheck, subjectName, "has a statement that reads as another",
        hint: "report it as a fault of Signet")
    }
    return payload
  }
}

extension JSONLimits {
  /// A host's manifest, which names bundles and rules. Hosts read it when they start.
  static let hostManifest = JSONLimits(size: 1 << 20, depth: 32, values: 50_000)
}
