package import Signet
internal import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetOCI
package import SignetSystem

/// A module as a registry holds it: a manifest with the archive as its only layer, and a manifest about it for each
/// bundle.
///
/// The same module gives the same manifests: their time is that of the statement. So a second push changes nothing,
/// unless a key signs the manifest whose signatures differ each time (ECDSA).
package struct ModuleImage {
  /// What the manifest of a module carries.
  package static let artifactType = "application/vnd.signet.module.v1"
  /// The type of a statement by which `cosign verify` accepts a manifest.
  package static let manifestStatement = PredicateType("https://sigstore.dev/cosign/sign/v1")

  /// A bundle, and the manifest by which it is found.
  package struct Referrer {
    /// The manifest, which is about the module's.
    package let manifest: OCIManifest
    let bundle: (descriptor: OCIDescriptor, bytes: [UInt8])
  }

  /// The manifest of the module.
  package let manifest: OCIManifest
  /// A manifest for each bundle.
  package let referrers: [Referrer]
  /// The module's description of itself, by its bundles.
  package let module: ModuleDescription
  private let archive: RegularFile
  private let layer: OCIDescriptor

  /// What makes sure that a module is signed before others see it.
  package enum Check {
    /// Verify it under a policy.
    case policy(Verifier)
    /// Compare only what the bundles say with the archive. No signature is verified. `signet pull` verifies.
    case statementsOnly
  }

  /// Prepares a module.
  ///
  /// - Parameters:
  ///   - path: the archive. Its bundles are in it or beside it.
  ///   - check: what makes sure that it is signed.
  ///   - signer: signs a second statement, about the manifest; nil for none.
  /// - Throws: `signature.missing`, `digest.mismatch`, `statement.…`, and every other reason to refuse a module; `oci.not-module`;
  ///   `file.…`, `crypto.failure`.
  package init(
    _ path: String, _ check: Check, signer: Signer? = nil, progress: ProgressCounter? = nil
  ) throws(SignetError) {
    let file = try RegularFile(opening: path)
    let (bundles, sha256, verified) = try Self.checked(file, from: path, by: check, progress)
    var statements: [Statement] = []
    for bundle in bundles { statements.append(try Statement(payload: bundle.envelope.payload)) }
    guard let first = statements.first(where: { $0.module != nil }), let stated = first.module,
      let signedAt = first.signedAt
    else {
      throw SignetError(
        .ociNotModule, path, "is not signed as a module", expected: "a statement \(PredicateType.module.uri)",
        hint: "sign it: signet sign FILE --key KEY")
    }
    module = verified ?? stated.module
    layer = OCIDescriptor(
      Self.mediaType(of: file), sha256, size: file.size,
      annotations: [Annotation.title: Self.fileName(of: module, file)])
    archive = file
    manifest = try OCIManifest(
      Self.artifactType, layers: [layer],
      annotations: [
        Annotation.title: "\(module.identifier)", Annotation.version: "\(module.version)",
        Annotation.created: "\(signedAt)",
      ])
    var referrers: [Referrer] = []
    for bundle in bundles { referrers.append(try Self.referrer(bundle, of: manifest, signedAt)) }
    if let signer {
      let bundle = try signer.sign(
        .object(), of: Self.manifestStatement, about: "\(module.identifier)", digests: [manifest.digest])
      referrers.append(try Self.referrer(bundle, of: manifest, signedAt))
    }
    self.referrers = referrers
    try file.checkUnchanged()
  }

  /// The bundles of an archive, each once: those in it, then those beside it. And the digest of its bytes.
  private static func checked(
    _ file: RegularFile, from path: String, by check: Check, _ progress: ProgressCounter?
  ) throws(SignetError) -> (bundles: [SigstoreBundle], sha256: Digest, module: ModuleDescription?) {
    var sha256: Digest?
    var module: ModuleDescription?
    var bundles: [SigstoreBundle] = []
    if case .policy(let verifier) = check {
      let verdict = try verifier.verify(
        .file(file), signatures: .beside(path), expecting: .module(nil, named: file.baseName), progress: progress)
      switch verdict {
      case .refused(let refusal): throw unsigned(refusal.combined.about(path), path)
      case .verified(let proof):
        var isAttached = false
        try proof.readBundles { (text, attached) throws(SignetError) in
          isAttached = isAttached || attached
          bundles.append(try SigstoreBundle(json: text))
        }
        // The signed digest of an archive leaves out the signatures in it.
        sha256 = isAttached ? nil : proof.sha256
        module = proof.module
      }
    } else {
      bundles = try AttachedArchive.bundles(in: .file(file))
      do throws(SignetError) { bundles += try SigstoreBundle.all(beside: path) } catch
        where error.code == .signatureMissing
      {
        guard !bundles.isEmpty else { throw unsigned(error, path) }
      }
      let digests = try SignedDigests(of: file, progress: progress)
      sha256 = digests.file?.sha256 ?? digests.signed.sha256
      for bundle in bundles {
        let statement = try Statement(payload: bundle.envelope.payload)
        guard statement.subjects.contains(where: { $0.digest == digests.signed.sha256 }) else {
          throw SignetError(
            .digestMismatch, path, "has a bundle that is about other bytes", expected: "\(statement.subjectDigest)",
            found: "\(digests.signed.sha256)", hint: "sign it again: signet sign FILE --key KEY --force")
        }
      }
    }
    var texts: Set<[UInt8]> = []
    var distinct: [SigstoreBundle] = []
    for bundle in bundles where texts.insert(try bundle.canonicalBytes()).inserted { distinct.append(bundle) }
    if let sha256 { return (distinct, sha256, module) }
    return (distinct, try file.sha256(progress: progress), module)
  }

  /// The reason to refuse a module, for its publisher: who pushes a module can sign it.
  private static func unsigned(_ error: SignetError, _ path: String) -> SignetError {
    guard error.code == .signatureMissing else { return error }
    var error = error
    error.hint = "sign it: signet sign \(path.shellWord.display) --key KEY"
    return error
  }

  private static func referrer(
    _ bundle: SigstoreBundle, of manifest: OCIManifest, _ time: UnixTime
  ) throws(SignetError) -> Referrer {
    let bytes = try bundle.canonicalBytes()
    let descriptor = try OCIDescriptor(MediaType.bundle, of: bytes)
    let type = try Statement(payload: bundle.envelope.payload).predicateType
    return Referrer(
      manifest: try OCIManifest(
        MediaType.bundle, layers: [descriptor], subject: manifest.descriptor,
        annotations: [
          Annotation.bundleContent: "dsse-envelope", Annotation.bundlePredicateType: type.uri,
          Annotation.created: "\(time)",
        ]),
      bundle: (descriptor, bytes))
  }

  /// The type of an archive. It is a hint: who pulls looks at the bytes.
  private static func mediaType(of file: RegularFile) -> String {
    let magic = try? file.bytes(in: 0..<min(file.size, ArchiveFile.magicSize))
    return switch magic.flatMap(ArchiveFile.format) {
    case ArchiveFormat.zip: "application/zip"
    case ArchiveFormat.tar: "application/x-tar"
    case ArchiveFormat.tarGzip: "application/gzip"
    case ArchiveFormat.tarZstandard: "application/zstd"
    case ArchiveFormat.tarXZ: "application/x-xz"
    default: "application/octet-stream"
    }
  }

  /// The name of the file of a module: by what it is, not by what somebody calls it.
  package static func fileName(of module: ModuleDescription, _ archive: some ByteSource) -> String {
    let magic = try? archive.bytes(in: 0..<min(archive.size, ArchiveFile.magicSize))
    let format = magic.flatMap(ArchiveFile.format) ?? .zip
    return "\(module.identifier)-\(module.version).\(format)"
  }

  /// Puts the module into a registry or a layout. The tag comes last, when everything else is there.
  ///
  /// - Parameter tag: the tag that points to it afterwards; nil for none.
  /// - Throws: `oci.…`, `fetch.…`, `output.failed`, `file.…`.
  package func push(to storage: any OCIStorage, tag: String?) throws(SignetError) {
    let empty = try OCIManifest.emptyConfig()
    try storage.put(empty.descriptor, .file(BytesInMemory(empty.bytes, path: "configuration")))
    try storage.put(layer, .file(archive))
    try storage.put(manifest, tag: nil)
    for referrer in referrers {
      try storage.put(
        referrer.bundle.descriptor, .file(BytesInMemory(referrer.bundle.bytes, path: "bundle")))
      try storage.put(referrer.manifest, tag: nil)
    }
    if let tag { try storage.put(manifest, tag: tag) }
    // Who has pushed at the same time may have lost an entry of ours.
    let there = Set(try storage.referrers(of: manifest.digest).map(\.digest))
    for referrer in referrers where !there.contains(referrer.manifest.digest) {
      try storage.put(referrer.manifest, tag: nil)
    }
  }
}
