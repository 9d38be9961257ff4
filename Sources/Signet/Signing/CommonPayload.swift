internal import SignetCrypto

/// The payload that all bundles of an artifact share, and that one more key may sign.
enum CommonPayload {
  static func of(
    _ bundles: [SigstoreBundle], about artifact: Artifact, named name: String, at time: UnixTime,
    _ progress: ProgressCounter?
  ) throws(SignetError) -> [UInt8] {
    guard let payload = bundles.first?.envelope.payload else {
      throw SignetError(
        .signatureMissing, name, "has no signature to add to", hint: "make the first signature without --append")
    }
    guard bundles.allSatisfy({ $0.envelope.payload == payload }) else {
      throw SignetError(
        .bundlePayloadsDiffer, name, "has bundles about different statements",
        expected: "one statement that all have signed", hint: "sign anew with every key")
    }
    let statement: Statement
    do throws(SignetError) {
      statement = try Statement(payload: payload)
    } catch {
      throw SignetError(
        .signingOtherStatement, name, "has a statement that cannot be signed by another key", cause: error)
    }
    guard let file = statement.file else {
      throw SignetError(
        .signingOtherStatement, name, "has a statement of another type", expected: PredicateType.file.uri,
        found: statement.predicateType.uri)
    }
    guard statement.subjectName.isExactly(name) else {
      throw SignetError(
        .signingOtherStatement, name, "has a statement about an artifact of another name", expected: name,
        found: statement.subjectName)
    }
    if let end = file.notAfter, time > end {
      throw SignetError(
        .statementExpired, name, "has a statement that no longer holds", expected: "a time up to \(end)",
        found: "\(time)", hint: "sign anew with every key")
    }
    try compare(statement, file, artifact, name, progress)
    return payload
  }

  /// Both digests: a statement whose two digests disagree would mean two things.
  private static func compare(
    _ statement: Statement, _ file: FilePredicate, _ artifact: Artifact, _ name: String, _ progress: ProgressCounter?
  ) throws(SignetError) {
    let digests = try artifact.digests(progress: progress)
    let pairs = [
      ("\(file.size) bytes", "\(digests.size) bytes"), ("\(file.fsverity)", "\(digests.fsverity)"),
      ("\(statement.subjectDigest)", "\(digests.sha256)"),
    ]
    for (expected, found) in pairs where expected != found {
      throw SignetError(
        .digestMismatch, name, "is not what the others have signed", expected: expected, found: found,
        hint: "get the file that they have signed; one that was changed on purpose is another release")
    }
  }
}
