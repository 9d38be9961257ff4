internal import SignetArchive
public import SignetBase
public import SignetCrypto
internal import SignetModules
public import SignetSystem
public import SignetVerify

extension Signer {
  /// The claims of a statement about a module's archive, besides its content.
  public struct ModuleClaims: Sendable {
    let file: FileClaims
    /// The lowest sequence to which a host that knows this release may fall back.
    public let minimumSequence: Int?
    /// The IDs of the keys that are to sign, sorted; nil if the statement does not name them.
    public let signers: [KeyID]?

    /// When the signer says the statement was made.
    public var signedAt: UnixTime { file.signedAt }

    /// Creates the claims about a module.
    ///
    /// - Parameters:
    ///   - name: what the statement calls the file.
    ///   - minimumSequence: the lowest sequence to which a host that knows this release may fall back; nil to leave
    ///     that to the host.
    ///   - signers: the IDs of all keys that will sign, so that a removed signature is noticed; nil to name none.
    ///   - signedAt: when the statement is made.
    ///   - notAfter: the time after which the statement no longer holds; nil if it holds until it is revoked.
    /// - Throws: `signing.name`, `signing.not-after`, `signing.sequence` for a number outside 1 to 2^53-1,
    ///   `signing.signers` for an empty or too long list.
    public init(
      name: String, minimumSequence: Int? = nil, signers: [KeyID]? = nil, signedAt: UnixTime,
      notAfter: UnixTime? = nil
    ) throws(SignetError) {
      file = try FileClaims(name: name, signedAt: signedAt, notAfter: notAfter)
      if let minimumSequence, !(1...HostManifestPredicate.sequenceLimit).contains(minimumSequence) {
        throw SignetError(
          .signingSequence, name, "cannot have this minimum sequence",
          expected: "1 to \(HostManifestPredicate.sequenceLimit)", found: "\(minimumSequence)")
      }
      self.minimumSequence = minimumSequence
      let sorted = signers.map { Set($0).sorted { "\($0)".precedesInBytes("\($1)") } }
      if let sorted, !(1...ModulePredicate.signerLimit).contains(sorted.count) {
        throw SignetError(
          .signingSigners, name, "cannot have this list of signers",
          expected: "1 to \(ModulePredicate.signerLimit) keys", found: "\(sorted.count)")
      }
      self.signers = sorted
    }
  }

  /// Signs an archive as a module: its digests without a signing block, everything that it holds, and its
  /// description.
  ///
  /// The description is read here for the only time.
  ///
  /// - Throws: `archive.…`, `path.…`, `module.…`, `signature.malformed` for a damaged signing block,
  ///   `signing.sequence` for a minimum above the module's own sequence, `signing.signers` for a list without this
  ///   key, `envelope.payload-size`, `extraction.failed`, `file.…`, `crypto.failure`, `signing.self-check`.
  public func sign(
    module artifact: Artifact, _ claims: ModuleClaims, progress: ProgressCounter? = nil
  ) throws(SignetError) -> SigstoreBundle {
    try sign(ModuleToSign(artifact), claims, progress: progress)
  }

  /// Signs an archive that is already open, as ``sign(module:_:progress:)`` does.
  ///
  /// - Throws: what ``sign(module:_:progress:)`` throws.
  public func sign(
    _ module: ModuleToSign, _ claims: ModuleClaims, progress: ProgressCounter? = nil
  ) throws(SignetError) -> SigstoreBundle {
    if let signers = claims.signers, !signers.contains(publicKey.id) {
      throw SignetError(
        .signingSigners, claims.file.name, "names its signers, and this key is not among them",
        expected: "\(publicKey.id) among them", found: signers.map { "\($0)" }.joined(separator: ", "))
    }
    return try sign(Statement(about: module, claims, progress: progress))
  }

  /// Adds another signature to a signed statement about a module, over exactly the same payload bytes.
  ///
  /// The payload is compared with the archive first.
  ///
  /// - Throws: what ``addSignature(to:of:named:at:progress:)`` throws, `archive.…`, `module.…`, and `signing.signers`
  ///   if the statement names signers and this key is not among them.
  public func addSignature(
    to bundles: [SigstoreBundle], ofModule artifact: Artifact, named name: String, at time: UnixTime,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> SigstoreBundle {
    let common = CommonPayload(name: name, kind: .module, time: time)
    let payload = try common.payload(of: bundles, about: artifact, progress)
    if let signers = try Statement(payload: payload).module?.signers, !signers.contains(publicKey.id) {
      throw SignetError(
        .signingSigners, name, "has a statement that names its signers, and this key is not among them",
        expected: signers.map { "\($0)" }.joined(separator: ", "), found: "\(publicKey.id)")
    }
    return try addSignature(to: bundles, over: payload, name)
  }
}

extension ModuleContents {
  /// Describes the entries that were found in an archive.
  ///
  /// - Parameter digests: the digests of the files, in the order of the entries.
  init(_ found: [ArchiveEntry], _ digests: [Digest?]) throws(SignetError) {
    var entries: [Entry] = []
    for (entry, digest) in zip(found, digests) {
      switch (entry.content, digest) {
      case (.file(let size), let digest?):
        entries.append(Entry(path: entry.path, content: .file(mode: entry.mode, size: size, sha256: digest)))
      case (.file, nil): throw SignetError(.fileReadFailed, entry.path, "was not read")
      case (.directory, _): entries.append(Entry(path: entry.path, content: .directory(mode: entry.mode)))
      case (.symbolicLink(let target), _):
        entries.append(Entry(path: entry.path, content: .symbolicLink(target: target)))
      }
    }
    try self.init(entries.sorted { $0.path.precedesInBytes($1.path) })
  }
}
