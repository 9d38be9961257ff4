internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetModules
internal import SignetSystem
internal import SignetVerify

/// The payload that all bundles of an artifact share, and that one more key may sign.
struct CommonPayload {
  package let name: String
  let kind: Kind
  let time: UnixTime

  /// What the artifact is taken for.
  enum Kind {
    case file
    case directory
    case module
    case hostManifest(ModuleIdentifier, sequence: Int?)

    var type: PredicateType {
      switch self {
      case .file: .file
      case .directory: .directory
      case .module: .module
      case .hostManifest: .hostManifest
      }
    }
  }

  /// The payload, after its statement was compared with the artifact.
  ///
  /// - Throws: `signature.missing`, `bundle.payloads-differ`, `signing.other-statement`, `statement.expired`,
  ///   `digest.mismatch`, `directory.…`, and what reading the artifact throws.
  func payload(
    of bundles: [SigstoreBundle], about artifact: Artifact, _ progress: ProgressCounter?
  ) throws(SignetError) -> [UInt8] {
    guard let payload = bundles.first?.envelope.payload else {
      throw SignetError(
        .signatureMissing, name, "has no signature to add to", hint: "make the first signature without --append")
    }
    guard bundles.allSatisfy({ $0.envelope.payload == payload }) else {
      throw SignetError(
        .bundlePayloadsDiffer, name, "has bundles about different statements",
        expected: "one statement, signed by all", hint: "sign again with every key")
    }
    let statement: Statement
    do throws(SignetError) {
      statement = try Statement(payload: payload)
    } catch {
      throw SignetError(
        .signingOtherStatement, name, "has a statement that cannot be signed by another key", cause: error)
    }
    guard statement.predicateType == kind.type else {
      throw other("of another type", kind.type.uri, statement.predicateType.uri)
    }
    // A module is identified by its description.
    let expected = SubjectName(text: name, allowsFolders: true)
    guard statement.module != nil || expected.matches(statement.subjectName) else {
      throw other("about an artifact of another name", name, statement.subjectName)
    }
    if let end = statement.notAfter, time > end {
      throw SignetError(
        .statementExpired, name, "has a statement that has expired", expected: "a time up to \(end)",
        found: "\(time)", hint: "sign again with every key")
    }
    try compare(statement, artifact, progress)
    return payload
  }

  /// Whether another key may sign what a bundle states about the artifact. Its signature is not verified.
  func isOf(_ bundle: SigstoreBundle, about artifact: Artifact) -> Bool {
    guard (try? payload(of: [bundle], about: artifact, nil)) != nil,
      let statement = try? Statement(payload: bundle.envelope.payload),
      let signedAt = statement.signedAt
    else { return false }
    // Nobody states a time that has not come.
    return signedAt <= time
  }

  private static let hint = "get what they have signed; what was changed on purpose is another release"

  private func compare(
    _ statement: Statement, _ artifact: Artifact, _ progress: ProgressCounter?
  ) throws(SignetError) {
    switch (statement.predicate, kind) {
    case (.file(let file), .file):
      // A file of another size is not read.
      try compare("\(file.size) bytes", "\(artifact.size) bytes")
      // Both digests are compared: a statement whose digests disagree would mean two things.
      let digests = try artifact.digests(progress: progress)
      try compare("\(file.fsverity)", "\(digests.fsverity)")
      try compare("\(statement.subjectDigest)", "\(digests.sha256)")
    case (.directory(let predicate), .directory):
      var comparison = DirectoryComparison(try artifact.openDirectory(), progress)
      guard var reason = try comparison.differences(from: predicate.listing).reasons(in: name).first else { return }
      reason.hint = Self.hint
      throw reason
    case (.module(let module), .module):
      let archive = try ArchiveFile(artifact.source(), limits: ArchiveLimits())
      try compare("\(module.archive.size) bytes", "\(archive.signed.size) bytes")
      let opened = try archive.open()
      let (whole, digests) = try ArchiveHasher.digests(archive, opened, progress: progress)
      try artifact.checkUnchanged()
      try compare("\(module.archive.fsverity)", "\(whole.fsverity)")
      try compare("\(statement.subjectDigest)", "\(whole.sha256)")
      try module.checkArchive(opened)
      guard try module.contents == ModuleContents(opened.entries, digests) else {
        throw other("about other contents", "those of the archive", "others")
      }
    case (.hostManifest(let manifest), .hostManifest(let identifier, let sequence)):
      guard manifest.identifier == identifier else {
        throw other("about another host", "\(identifier)", "\(manifest.identifier)")
      }
      if let sequence, sequence != manifest.sequence {
        throw other("with another sequence", "\(sequence)", "\(manifest.sequence)")
      }
      try compare("\(manifest.size) bytes", "\(artifact.size) bytes")
      try compare("\(statement.subjectDigest)", "\(artifact.sha256(progress: progress))")
    default: throw other("of another type", kind.type.uri, statement.predicateType.uri)
    }
  }

  private func compare(_ expected: String, _ found: String) throws(SignetError) {
    guard expected != found else { return }
    throw SignetError(
      .digestMismatch, name, "is not what the others have signed", expected: expected, found: found,
      hint: Self.hint)
  }

  private func other(_ what: String, _ expected: String, _ found: String) -> SignetError {
    SignetError(.signingOtherStatement, name, "has a statement \(what)", expected: expected, found: found)
  }
}
