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
    var steps = KeylessProof.Steps()
    let found = try verify(bundle, of: artifact, by: expected, &steps)
    let subject = try SignedSubject(bundle)
    if subject.statement != nil { try subject.check(artifact, &steps) }
    return KeylessProof(
      identity: found.identity, key: found.key, times: found.times, statement: subject.statement, checks: steps.checks
    )
  }

  /// Verifies who has signed a bundle, and when, and bytes that are signed alone. What a statement says is not looked at.
  ///
  /// - Parameters:
  ///   - artifact: the digests of the artifact; none where a statement is signed.
  ///   - steps: takes what was checked, also where it ends with an error.
  func verify(
    _ bundle: KeylessBundle, of artifact: [Digest], by expected: ExpectedSigner, _ steps: inout KeylessProof.Steps
  ) throws(SignetError) -> Signer {
    guard Set(artifact.map(\.algorithm)).count == artifact.count else {
      throw SignetError(.keylessSubject, "artifact", "has two digests of one kind", expected: "one of each")
    }
    let signer = try ClaimedSigner(bundle, expected)
    steps.pass(.form, "bundle v0.\(bundle.version.rawValue)")
    let stamps = try timestamps(bundle)
    if stamps.times.isEmpty {
      steps.count(.timestamps, 0, of: demands.timestamps)
    } else {
      steps.pass(.timestamps, stamps.times.map { "\($0)" }.joined(separator: ", "))
    }
    let entries = try EntryChecks(root: root, demanded: demands.entries, now: now).check(
      bundle, of: artifact, by: signer, statedTimes: stamps.times, &steps)
    let times = (stamps.times + entries.times).sorted()
    guard !times.isEmpty || signer.certificate == nil && demands.entries == 0 else {
      throw SignetError(
        .keylessTime, "bundle", "proves no time at which it was signed",
        expected: "a promise of a log, or a timestamp")
    }
    var path: CertificatePath?
    if let certificate = signer.certificate {
      path = try check(certificate, signer.others, at: times, &steps)
    } else {
      steps.count(.chain, 0, of: 0)
      steps.count(.certificateLog, 0, of: 0)
    }
    try signer.check(bundle, of: artifact)
    steps.pass(.signature, "\(signer.key)")
    let identity = try signer.identity(expected)
    steps.pass(.identity, identity?.identity ?? "\(signer.key.id)")
    if case .message = bundle.content { try SignedSubject(bundle).check(artifact, &steps) }
    return Signer(key: signer.key, identity: identity, times: times, path: path)
  }

  /// Who has signed, and what proves it.
  struct Signer {
    let key: PublicKey
    let identity: CertifiedIdentity?
    let times: [UnixTime]
    /// From the signer's certificate to an authority of the root; nil for a key.
    let path: CertificatePath?
  }

  /// How long before a certificate begins a log may have promised to include it, in seconds.
  private static let promiseLead: Int64 = 86400

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
    _ certificate: Certificate, _ others: [Certificate], at times: [UnixTime], _ steps: inout KeylessProof.Steps
  ) throws(SignetError) -> CertificatePath {
    var path = try self.path(certificate, others, at: times[0])
    for time in times.dropFirst() where time != times[0] { path = try self.path(certificate, others, at: time) }
    steps.pass(.chain, path.certificates.dropFirst().map(\.name).joined(separator: ", "))
    let logs = try promises(certificate, issuer: path.issuer)
    steps.count(.certificateLog, logs, of: demands.promises)
    return path
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
  private func promises(_ certificate: Certificate, issuer: Certificate?) throws(SignetError) -> Int {
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
    return logs.count
  }
}
