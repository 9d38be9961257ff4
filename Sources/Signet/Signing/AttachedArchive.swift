internal import SignetArchive
public import SignetBase
internal import SignetCrypto
public import SignetSystem

/// An archive with bundles put into it or taken out of it, not written yet: its bytes are the artifact's but for the end.
public struct AttachedArchive: Sendable {
  private let artifact: Artifact
  private let source: any ByteSource
  /// The bundles that were put in or taken out.
  public let bundles: [SigstoreBundle]

  /// How many bytes it has.
  public var size: Int { source.size }

  private init(_ artifact: Artifact, _ source: any ByteSource, _ bundles: [SigstoreBundle]) {
    self.artifact = artifact
    self.source = source
    self.bundles = bundles
  }

  /// Puts bundles into a module's archive, beside those that are in it.
  ///
  /// Each must be about this archive; whether its signature holds is not looked at, since keys are not known here.
  ///
  /// - Throws: `signing.twice` for a bundle that is in it, `signing.attached-name`, `bundle.payloads-differ`,
  ///   `bundle.count`, `signing.other-statement`, `statement.expired`, `digest.mismatch`, `archive.…`, `module.…`,
  ///   `signing.block-size`, `signing.block-offset`, `signing.block-ambiguous`.
  public static func attaching(
    _ bundles: [SigstoreBundle], to artifact: Artifact, at time: UnixTime, progress: ProgressCounter? = nil
  ) throws(SignetError) -> AttachedArchive {
    let present = try self.bundles(in: artifact)
    let name = artifact.file?.path ?? "archive"
    _ = try CommonPayload(name: name, kind: .module, time: time).payload(
      of: present + bundles, about: artifact, progress)
    return try holding(present + bundles, in: artifact)
  }

  /// Takes all bundles out of a module's archive: what is left is, byte for byte, what was signed.
  ///
  /// - Throws: `signature.missing` when there are none, `signature.malformed`, `archive.…`.
  public static func detaching(from artifact: Artifact) throws(SignetError) -> AttachedArchive {
    let archive = try ArchiveFile(artifact.source(), limits: ArchiveLimits())
    let bundles = try bundles(in: archive)
    guard !bundles.isEmpty else {
      throw SignetError(.signatureMissing, "archive", "has no signature in it", expected: "a signing block")
    }
    return AttachedArchive(artifact, archive.signed, bundles)
  }

  /// The bundles in an archive; none where there is no block.
  ///
  /// - Throws: `signature.malformed`, `bundle.…`, `archive.…`.
  public static func bundles(in artifact: Artifact) throws(SignetError) -> [SigstoreBundle] {
    try bundles(in: ArchiveFile(artifact.source(), limits: ArchiveLimits()))
  }

  private static func bundles(in archive: ArchiveFile) throws(SignetError) -> [SigstoreBundle] {
    var bundles: [SigstoreBundle] = []
    for encoded in try archive.bundles() { bundles.append(try encoded.bundle()) }
    return bundles
  }

  /// An archive with these bundles in it and no others, which are known to be about it.
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
    // What is written must read as it was meant.
    let read = try ArchiveFile(signed, limits: ArchiveLimits())
    guard try read.bundles().count == bundles.count, read.signed.size == archive.signed.size else {
      throw SignetError(
        .signingSelfCheck, "archive", "cannot be read back with its signatures",
        hint: "report it as a fault of Signet")
    }
    return AttachedArchive(artifact, signed, bundles)
  }

  /// Writes the archive, whole or not at all, with the permissions of the file that it was made of.
  ///
  /// - Parameters:
  ///   - path: where it is written, the place of that file or another.
  ///   - replaces: whether a file of that name is replaced, that file among them.
  /// - Throws: `output.…`, `file.changed` when the artifact was written to meanwhile.
  public func write(to path: String, replaces: Bool = false) throws(SignetError) {
    let mode = artifact.file.map { $0.status.mode & 0o777 } ?? 0o644
    try write(to: path, mode: mode, replaces ? .replace(unless: []) : .keep)
  }

  /// Writes the archive, whole or not at all.
  ///
  /// - Throws: `output.…`, `file.changed` when the artifact was written to meanwhile.
  package func write(
    to path: String, mode: UInt32, _ existing: OutputFile.Existing
  ) throws(SignetError) {
    try OutputFile.write(source, to: path, mode: mode, existing) { () throws(SignetError) in
      try artifact.checkUnchanged()
    }
  }
}

extension SigstoreBundle {
  /// Makes sure that the bundle's names of keys are one and the same fingerprint, which is what attached bundles are held
  /// to when they are verified.
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
