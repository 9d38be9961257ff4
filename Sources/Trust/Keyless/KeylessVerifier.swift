package import SignetBase
internal import SignetCMS
internal import SignetCrypto
package import SignetNames
internal import TransparencyLog

/// Verifies signatures by identities, and by keys whose signatures are in a log, against a trusted root (Sigstore's client
/// specification). It opens no connection.
package struct KeylessVerifier: Sendable {
  package let root: SigstoreRoot
  package let demands: KeylessDemands
  /// The time of the verification: nothing can have been signed after it.
  package let now: UnixTime

  package init(root: SigstoreRoot, demands: KeylessDemands, now: UnixTime) {
    (self.root, self.demands, self.now) = (root, demands, now)
  }

  /// Verifies a bundle.
  ///
  /// - Parameters:
  ///   - artifact: the digests of the artifact, as many as are known; one of each algorithm.
  ///   - expected: who must have signed.
  /// - Returns: the proof.
  /// - Throws: `keyless.…`; `timestamp.…`, `log.…`, `cms.…`, `chain.…` for a part that does not hold; `crypto.failure`.
  package func verify(
    _ bundle: KeylessBundle, of artifact: [Digest], by expected: ExpectedSigner
  ) throws(SignetError) -> KeylessProof {
    guard Set(artifact.map(\.algorithm)).count == artifact.count else {
      throw SignetError(.keylessSubject, "artifact", "has two digests of one kind", expected: "one of each")
    }
    let signer = try ClaimedSigner(bundle, expected)
    var checks = [KeylessProof.Check(step: .form, outcome: .passed("bundle v0.\(bundle.version.rawValue)"))]
    let stamps = try timestamps(bundle)
    checks.append(
      .init(
        step: .timestamps,
        outcome: outcome(stamps.authorities, of: demands.timestamps, named: ("authority", "authorities"))))
    let entries = try EntryChecks(root: root, now: now).check(
      bundle, of: artifact, by: signer, statedTimes: stamps.times)
    guard entries.logs.count >= demands.entries else {
      throw SignetError(
        .keylessEntry, "bundle", "is not in as many logs as demanded", expected: "\(demands.entries)",
        found: "\(entries.logs.count)")
    }
    checks.append(
      .init(step: .entries, outcome: outcome(entries.logs.count, of: demands.entries, named: ("log", "logs"))))
    let times = (stamps.times + entries.times).sorted()
    guard !times.isEmpty || signer.certificate == nil && demands.entries == 0 else {
      throw SignetError(
        .keylessTime, "bundle", "proves no time at which it was signed",
        expected: "a promise of a log, or a timestamp")
    }
    if let certificate = signer.certificate {
      checks += try check(certificate, signer.others, at: times)
    }
    try signer.check(bundle, of: artifact)
    checks.append(.init(step: .signature, outcome: .passed("\(signer.key)")))
    let identity = try signer.identity(expected)
    checks.append(.init(step: .identity, outcome: .passed(identity?.identity ?? "\(signer.key.id)")))
    let subject = try SignedSubject(bundle)
    try subject.check(artifact)
    checks.append(.init(step: .subject, outcome: .passed(subject.words)))
    return KeylessProof(
      identity: identity, key: signer.key, times: times, statement: subject.statement, checks: checks)
  }

  /// How long before a certificate begins a log may have promised to include it, in seconds.
  private static let promiseLead: Int64 = 86400

  private func outcome(
    _ found: Int, of demanded: Int, named words: (one: String, several: String)
  ) -> KeylessProof.Outcome {
    found == 0 && demanded == 0 ? .notDemanded : .passed("\(found) \(found == 1 ? words.one : words.several)")
  }

  /// Checks all timestamps, each of which must hold.
  private func timestamps(_ bundle: KeylessBundle) throws(SignetError) -> (times: [UnixTime], authorities: Int) {
    var times: [UnixTime] = []
    // Authorities with one anchor are one.
    var authorities: Set<[UInt8]> = []
    for der in bundle.timestamps {
      let token = try TimestampToken(der: der)
      let authority = try token.check(over: bundle.signature, by: root.timestampAuthorities)
      guard token.info.time <= now else {
        throw SignetError(
          .keylessTime, "timestamp", "is of a time that has not come yet", expected: "\(now) or earlier",
          found: "\(token.info.time)")
      }
      times.append(token.info.time)
      if let anchor = authority.chain.last { authorities.insert(anchor.publicKeyInfo) }
    }
    guard authorities.count >= demands.timestamps else {
      throw SignetError(
        .keylessTime, "bundle", "has fewer timestamps than demanded", expected: "\(demands.timestamps)",
        found: "\(authorities.count)")
    }
    return (times, authorities.count)
  }

  /// Validates a signer's certificate at each proven time, and the promises about it.
  private func check(
    _ certificate: Certificate, _ others: [Certificate], at times: [UnixTime]
  ) throws(SignetError) -> [KeylessProof.Check] {
    var path = try self.path(certificate, others, at: times[0])
    for time in times.dropFirst() where time != times[0] { path = try self.path(certificate, others, at: time) }
    let chain = KeylessProof.Check(
      step: .chain, outcome: .passed(path.certificates.dropFirst().map(\.name).joined(separator: ", ")))
    return [chain, try promises(certificate, issuer: path.issuer)]
  }

  /// The path from a certificate to an authority that counts at a time.
  private func path(
    _ certificate: Certificate, _ others: [Certificate], at time: UnixTime
  ) throws(SignetError) -> CertificatePath {
    var failure: SignetError?
    for authority in root.certificateAuthorities where authority.window.contains(time) {
      guard let anchor = authority.chain.last else { continue }
      let verifier = CertificateChainVerifier(
        anchors: [anchor], intermediates: issuers(of: authority, others, at: time), revocationLists: [],
        leastRSABits: 2048)
      do throws(SignetError) { return try verifier.verify(certificate, at: time) } catch {
        if error.code == .cryptoFailure { throw error }
        failure = failure.map { $0.code == .chainUntrusted ? error : $0 } ?? error
      }
    }
    throw failure
      ?? SignetError(
        .chainUntrusted, "certificate \(certificate)", "is by no authority of the trusted root that counts at \(time)"
      )
  }

  /// The certificates that may stand between a signer and an authority.
  ///
  /// An authority that the root lists with its intermediates has no others. Where the root lists the anchor alone, those of a
  /// bundle may, but not one that the root lists for other times.
  private func issuers(
    of authority: SigstoreRoot.CertificateAuthority, _ others: [Certificate], at time: UnixTime
  ) -> [Certificate] {
    guard authority.chain.count == 1 else { return authority.chain }
    let ended = root.certificateAuthorities.filter { !$0.window.contains(time) }.flatMap(\.chain)
    return authority.chain + others.filter { !ended.contains($0) }
  }

  /// Checks the promises of logs to include the certificate: those of known logs, each of which must hold.
  private func promises(_ certificate: Certificate, issuer: Certificate?) throws(SignetError) -> KeylessProof.Check {
    var logs: Set<PublicKey> = []
    if let issuer, let body = CertificateBody(certificate) {
      for promise in try SignedCertificateTimestamp.all(in: body) {
        // A promise is made before the certificate is, and not long before (RFC 6962, sections 3.1 and 5.2).
        let begin = UnixTime(seconds: certificate.notBefore.seconds - Self.promiseLead)
        guard begin <= promise.time, promise.time <= min(certificate.notAfter, now) else { continue }
        for log in root.certificateLogs where log.key.id == promise.logID && log.window.contains(promise.time) {
          try promise.check(body, issuedBy: issuer, by: log.key.key)
          logs.insert(log.key.key)
        }
      }
    }
    guard logs.count >= demands.promises else {
      throw SignetError(
        .keylessPromise, "certificate \(certificate)", "has no promise of a log that is trusted",
        expected: "\(demands.promises)", found: "\(logs.count)")
    }
    return .init(step: .certificateLog, outcome: outcome(logs.count, of: demands.promises, named: ("log", "logs")))
  }
}
