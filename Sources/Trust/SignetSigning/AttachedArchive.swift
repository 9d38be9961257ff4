internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetModules
public import SignetSystem
public import SignetVerify

/// An archive with bundles added or removed, before it is written.
///
/// Its bytes are the artifact's, except for the end.
public struct AttachedArchive: Sendable {
  private let artifact: Artifact
  private let source: any ByteSource
  /// The bundles that were added or removed.
  public let bundles: [SigstoreBundle]

  /// The archive's size in bytes.
  public var size: Int { source.size }

  private init(_ artifact: Artifact, _ source: any ByteSource, _ bundles: [SigstoreBundle]) {
    self.artifact = artifact
    self.source = source
    self.bundles = bundles
  }

  /// Adds bundles to a module's archive, beside those that are already in it.
  ///
  /// Each bundle must be about this archive. Signatures are not verified, because keys are not known here.
  ///
  /// - Throws: `signing.twice` for a bundle that is already in it, `signing.attached-name`, `bundle.payloads-differ`,
  ///   `bundle.count`, `signing.other-statement`, `statement.expired`, `digest.mismatch`, `module.…`,
  ///   `signing.block-size`, `signing.block-offset`, `signing.block-ambiguous`, `signing.self-check`,
  ///   `extraction.failed`, `crypto.failure`, and what ``bundles(in:)`` throws.
  public static func attaching(
    _ bundles: [SigstoreBundle], to artifact: Artifact, at time: UnixTime, progress: ProgressCounter? = nil
  ) throws(SignetError) -> AttachedArchive {
    let present = try self.bundles(in: artifact)
    let name = artifact.file?.path ?? "archive"
    _ = try CommonPayload(name: name, kind: .module, time: time).payload(
      of: present + bundles, about: artifact, progress)
    return try holding(present + bundles, in: artifact)
  }

  /// Removes all bundles from a module's archive. What remains is, byte for byte, what was signed.
  ///
  /// - Throws: `signature.missing` if the archive has no bundles, and what ``bundles(in:)`` throws.
  public static func detaching(from artifact: Artifact) throws(SignetError) -> AttachedArchive {
    let archive = try ArchiveFile(artifact.source(), limits: ArchiveLimits())
    let bundles = try bundles(in: archive)
    guard !bundles.isEmpty else {
      throw SignetError(.signatureMissing, "archive", "has no signature in it", expected: "a signing block")
    }
    return AttachedArchive(artifact, archive.signed, bundles)
  }

  /// The bundles in an archive. The list is empty if there is no signing block.
  ///
  /// - Throws: `signature.malformed`, `signature.unreadable`, `bundle.…`, `envelope.…`, `archive.…`, `file.…`.
  public static func bundles(in artifact: Artifact) throws(SignetError) -> [SigstoreBundle] {
    try bundles(in: ArchiveFile(artifact.source(), limits: ArchiveLimits()))
  }

  private static func bundles(in archive: ArchiveFile) throws(SignetError) -> [SigstoreBundle] {
    var bundles: [SigstoreBundle] = []
    for encoded in try archive.bundles() { bundles.append(try encoded.bundle()) }
    return bundles
  }

  /// The archive with exactly these bundles in it, which are known to be about it.
  package static func holding(
    _ bundles: [SigstoreBundle], in artifact: Artifact
  ) throws(SignetError) -> AttachedArchive {
    let archive = try ArchiveFile(artifact.source(), limits: ArchiveLimits())
    guard bundles.count <= SignatureSource.bundleLimit else {
      throw SignetError(
        .bundleCount, "archive", "would have too many signatures", expected: "at most \(SignatureSource.bundleLimit)",
        found: "\(bundles.count)")
    }
    var lines: [[UInt8]] = []
    for bundle in bundles {
      try bundle.checkNamesOneKey()
      let line = try bundle.canonicalBytes() + [UInt8(ascii: "\n")]
      guard !lines.contains(line) else {
        throw SignetError(.signingTwice, "archive", "already contains this signature")
      }
      lines.append(line)
    }
    let signed = try archive.attaching(Array(lines.joined()))
    // What is written must read back unchanged.
    let read = try ArchiveFile(signed, limits: ArchiveLimits())
    guard try read.bundles().count == bundles.count, read.signed.size == archive.signed.size else {
      throw SignetError(
        .signingSelfCheck, "archive", "cannot be read back with its signatures",
        hint: "report it as a fault of Signet")
    }
    return AttachedArchive(artifact, signed, bundles)
  }

  /// Writes the archive, whole or not at all, with the permissions of the file that it was made from.
  ///
  /// - Parameters:
  ///   - path: where it is written: the path of that file, or another.
  ///   - replaces: whether an existing file of that name is replaced, that file included.
  /// - Throws: `output.…`, `file.changed` if the artifact was changed meanwhile, `file.unreadable`,
  ///   `file.read-failed`.
  public func write(to path: String, replaces: Bool = false) throws(SignetError) {
    let mode = artifact.file.map { $0.status.mode & 0o777 } ?? 0o644
    try write(to: path, mode: mode, replaces ? .replace(unless: []) : .keep)
  }

  /// Writes the archive, whole or not at all.
  ///
  /// - Throws: `output.…`, `file.changed` if the artifact was changed meanwhile.
  package func write(
    to path: String, mode: UInt32, _ existing: OutputFile.Existing
  ) throws(SignetError) {
    try OutputFile.write(source, to: path, mode: mode, existing) { () throws(SignetError) in
      try artifact.checkUnchanged()
    }
  }
}

extension SigstoreBundle {
  /// Checks that all key names in the bundle are the same fingerprint.
  ///
  /// A verification requires this of attached bundles.
  ///
  /// - Throws: `signing.attached-name`.
  fileprivate func checkNamesOneKey() throws(SignetError) {
    var names = [envelope.keyID]
    if case .publicKey(let hint) = material { names.append(hint) }
    guard let key = KeyID(names[0]), names.allSatisfy({ key.description.isExactly($0) }) else {
      throw SignetError(
        .signingAttachedName, "bundle", "does not name its key as attached bundles must",
        expected: "the key's fingerprint as keyid and hint", found: names.joined(separator: ", "),
        hint: "keep the bundle beside the archive, or sign with signet")
    }
  }
}
