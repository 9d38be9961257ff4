internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetNames
internal import SignetVerify
internal import TransparencyLog

/// Checks the entries of logs: that each is about this signature, by this signer, of this artifact, and in the log.
struct EntryChecks {
  let root: SigstoreRoot
  /// In how many logs the signature must be.
  let demanded: Int
  let now: UnixTime

  /// What the entries prove.
  struct Found {
    /// The logs that have the signature, each once.
    var logs: Set<PublicKey> = []
    /// The times at which logs have taken it, by their promises.
    var times: [UnixTime] = []
  }

  /// - Parameters:
  ///   - artifact: the digests of the artifact; none where a statement is signed.
  ///   - statedTimes: the times of timestamps, at which logs count that state none themselves.
  /// - Throws: `keyless.entry`, `keyless.other-entry`, `keyless.time`; `log.…`; `crypto.failure`.
  func check(
    _ bundle: KeylessBundle, of artifact: [Digest], by signer: ClaimedSigner, statedTimes: [UnixTime],
    _ steps: inout KeylessProof.Steps
  ) throws(SignetError) -> Found {
    var found = Found()
    var entries: [(entry: TransparencyLogEntry, body: EntryBody, logs: [SigstoreRoot.TrustedLog])] = []
    for entry in bundle.entries {
      let (logs, body) = (try logs(of: entry), try EntryBody(entry))
      try check(body, of: bundle, about: artifact, by: signer)
      entries.append((entry, body, logs))
      found.logs.insert(logs[0].key.key)
    }
    guard found.logs.count >= demanded else {
      throw SignetError(
        .keylessEntry, "bundle", "is not in as many logs as demanded", expected: "\(demanded)",
        found: "\(found.logs.count)")
    }
    steps.count(.logEntry, found.logs.count, of: demanded)
    for (entry, body, logs) in entries {
      let times: [UnixTime]
      if let time = try time(of: entry, body, in: bundle, logs[0].key) {
        times = [time]
        found.times.append(time)
      } else {
        times = try statedTimesAlone(entry, body, statedTimes)
      }
      try checkWindow(logs, times)
    }
    if found.times.isEmpty {
      steps.count(.logPromise, 0, of: 0)
    } else {
      steps.pass(.logPromise, found.times.map { "\($0)" }.joined(separator: ", "))
    }
    for (entry, _, logs) in entries { try checkInclusion(entry, logs[0].key) }
    // The place among all trees of a log is only proven by its promise.
    let places = entries.map { entry, _, logs in
      let place = entry.inclusionPromise == nil ? entry.inclusionProof?.logIndex ?? 0 : entry.logIndex
      return "\(logs[0].key.name), entry \(place)"
    }
    if places.isEmpty {
      steps.count(.logInclusion, 0, of: demanded)
    } else {
      steps.pass(.logInclusion, places.joined(separator: "; "))
    }
    return found
  }

  /// The log of the trusted root that an entry names, as often as it is listed with times of its own: one or more.
  private func logs(of entry: TransparencyLogEntry) throws(SignetError) -> [SigstoreRoot.TrustedLog] {
    let logs = root.logs.filter { $0.key.id == entry.logID }
    guard !logs.isEmpty else {
      throw SignetError(
        .keylessEntry, "log entry", "is of a log that the trusted root does not have",
        found: Hexadecimal.encode(entry.logID))
    }
    return logs
  }

  /// Checks that an entry is about the bundle's signature, its signer, and what is signed.
  private func check(
    _ body: EntryBody, of bundle: KeylessBundle, about artifact: [Digest], by signer: ClaimedSigner
  ) throws(SignetError) {
    func other(_ what: String) -> SignetError {
      SignetError(.keylessOtherEntry, "log entry", "is about another \(what)")
    }
    guard body.signature == bundle.signature else { throw other("signature") }
    guard body.verifier == signer.der else { throw other("signer") }
    switch (bundle.content, body.subject, body.isSecond) {
    case (.message, .message, _):
      guard let digest = artifact.first(where: { $0.algorithm == body.digest.algorithm }) else {
        throw SignetError(
          .keylessSubject, "log entry", "names a digest of another kind than the one that is known of the artifact",
          expected: body.digest.algorithm.rawValue, found: artifact.map(\.algorithm.rawValue).joined(separator: ", "),
          hint: "verify the file itself, and not its digest")
      }
      guard digest == body.digest else { throw other("artifact") }
    case (.envelope(let payload, let type, _), .message, true):
      let signed = KeylessBundle.preAuthenticationEncoding(payload, type)
      guard try Digest.of(signed, body.digest.algorithm) == body.digest else { throw other("envelope") }
    case (.envelope(let payload, _, _), .payload, _):
      guard try Digest.of(payload, body.digest.algorithm) == body.digest else { throw other("statement") }
    default: throw other("kind of signature")
    }
  }

  /// The time at which a log promised to include the entry; nil if it has made no promise.
  private func time(
    of entry: TransparencyLogEntry, _ body: EntryBody, in bundle: KeylessBundle, _ log: LogKey
  ) throws(SignetError) -> UnixTime? {
    guard let promise = entry.inclusionPromise else {
      guard bundle.version > .v01 || body.isSecond else {
        throw SignetError(.keylessEntry, "log entry", "has no promise of the log, as bundles v0.1 must")
      }
      return nil
    }
    guard !body.isSecond else {
      throw SignetError(.keylessEntry, "log entry", "has a promise, which this kind of entry has not")
    }
    try log.check(
      promise: promise, body: entry.canonicalizedBody, time: entry.integratedTime, index: entry.logIndex)
    let time = UnixTime(seconds: entry.integratedTime)
    guard time <= now else {
      throw SignetError(
        .keylessTime, "log entry", "is of a time that has not come yet", expected: "\(now) or earlier",
        found: "\(time)")
    }
    return time
  }

  /// An entry without a promise has no time that anything proves: timestamps must.
  private func statedTimesAlone(
    _ entry: TransparencyLogEntry, _ body: EntryBody, _ times: [UnixTime]
  ) throws(SignetError) -> [UnixTime] {
    guard !body.isSecond || entry.logIndex == entry.inclusionProof?.logIndex ?? entry.logIndex else {
      throw SignetError(
        .keylessOtherEntry, "log entry", "has another place than its proof",
        expected: "\(entry.inclusionProof?.logIndex ?? 0)", found: "\(entry.logIndex)")
    }
    guard !body.isSecond || entry.integratedTime == 0 else {
      throw SignetError(.keylessEntry, "log entry", "has a time, which this kind of entry has not")
    }
    guard !times.isEmpty else {
      throw SignetError(
        .keylessTime, "bundle", "has an entry whose time nothing proves, and no timestamp", expected: "a timestamp")
    }
    return times
  }

  /// Checks that the log counts at all proven times.
  private func checkWindow(_ logs: [SigstoreRoot.TrustedLog], _ times: [UnixTime]) throws(SignetError) {
    for time in times where !logs.contains(where: { $0.window.contains(time) }) {
      throw SignetError(
        .keylessEntry, "log entry", "is of a time at which the log does not count",
        expected: logs.map { "\($0.window)" }.joined(separator: ", "), found: "\(time)")
    }
  }

  /// Checks that the log has the entry: the leaf is computed anew, and leads to the root that the log has signed.
  private func checkInclusion(_ entry: TransparencyLogEntry, _ log: LogKey) throws(SignetError) {
    guard let proof = entry.inclusionProof, let text = proof.checkpoint else {
      throw SignetError(.keylessEntry, "log entry", "has no proof of inclusion with a checkpoint")
    }
    guard proof.logIndex >= 0, proof.treeSize > 0, entry.logIndex >= 0 else {
      throw SignetError(.logProof, "inclusion proof", "has a number below zero")
    }
    let checkpoint = try Checkpoint(Array(text.utf8))
    try checkpoint.check(by: log)
    let root = try InclusionProof(
      index: UInt64(proof.logIndex), size: UInt64(proof.treeSize), hashes: proof.hashes
    ).root(of: LogTree.leaf(entry.canonicalizedBody))
    guard checkpoint.size == UInt64(proof.treeSize), checkpoint.root == proof.rootHash, root == checkpoint.root else {
      throw SignetError(.logProof, "inclusion proof", "does not lead to the root that the log has signed")
    }
  }
}
