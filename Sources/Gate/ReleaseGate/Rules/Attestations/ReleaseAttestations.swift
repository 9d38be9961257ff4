internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The attestations of a release, verified: `tool.provenance.sigstore.json` holds one of the artifact `tool`.
///
/// One attestation can be about all artifacts of a build. Then its bundle is beside none of them, such as
/// `provenance.sigstore.json`, and counts for each artifact whose SHA-256 it names.
///
/// A signer is trusted for an attestation if the scope of its entry covers the artifact, or the name of the
/// attestation's own file. The gate takes no such file for an artifact, so a build service with the scope
/// `*.provenance.sigstore.json` can attest artifacts, and release none.
///
/// One signature is enough, whatever the policy demands for a release. A threshold is about those who release.
package struct ReleaseAttestations: Sendable {
  /// The paths of attestations whose artifacts the gate does not look at, because a pattern leaves them out.
  let unattached: [String]
  /// The paths of bundles beside no artifact that hold attestations of some, by their bytes.
  private let shared: Set<[UInt8]>
  /// The attestations of each artifact, by the bytes of its path.
  private let verified: [[UInt8]: [Attestation]]

  /// Verifies every attestation, on all processors: signer, form, subject and digest. What they say is not looked at.
  ///
  /// - Throws: if an outcome could not be determined.
  init(
    of artifacts: [ExaminedArtifact], in files: ReleaseFiles, policy: TrustPolicy, at time: UnixTime
  ) throws(SignetError) {
    var places: [[UInt8]: ExaminedArtifact] = [:]
    for artifact in artifacts { places[Array(artifact.path.utf8)] = artifact }
    var (work, unattached): ([(file: ReleaseFile, artifact: ExaminedArtifact)], [String]) = ([], [])
    var shared: Set<[UInt8]> = []
    let named = NamedArtifacts(artifacts)
    for file in files.files {
      switch file.role {
      case .attestation(let path, _):
        if let artifact = places[Array(path.utf8)] {
          work.append((file, artifact))
        } else {
          unattached.append(file.path)
        }
      case .bundle(_, isOrphan: true):
        for artifact in try named.artifacts(by: file, in: files) {
          work.append((file, artifact))
          shared.insert(Array(file.path.utf8))
        }
      case .artifact, .directory, .bundle, .excluded, .part, .link, .folder: continue
      }
    }
    // Made once for each directory, however many attestations it has.
    var listings: [[UInt8]: [UInt8]] = [:]
    for (_, artifact) in work {
      let path = Array(artifact.path.utf8)
      if listings[path] == nil, let listing = artifact.listing { listings[path] = try listing.canonicalBytes() }
    }
    let verification = AttestationVerification(files: files, listings: listings, policy: policy, time: time)
    let attestations = try WorkerThreads.map(work.count) { [work] (number) throws(SignetError) in
      try verification.verify(work[number].file, about: work[number].artifact)
    }
    var verified: [[UInt8]: [Attestation]] = [:]
    for (each, attestation) in zip(work, attestations) {
      verified[Array(each.artifact.path.utf8), default: []].append(attestation)
    }
    self.verified = verified
    self.unattached = unattached
    self.shared = shared
  }

  /// Whether a bundle beside no artifact holds attestations of some.
  func areShared(at path: String) -> Bool { shared.contains(Array(path.utf8)) }

  /// Whether each line of a file holds a bundle.
  fileprivate static func isList(_ file: ReleaseFile) -> Bool {
    file.path.utf8.reversed().starts(with: ".jsonl".utf8.reversed())
  }

  /// The attestations of an artifact, in the order of their paths.
  func attestations(of artifact: ExaminedArtifact) -> [Attestation] { verified[Array(artifact.path.utf8)] ?? [] }
}

/// The artifacts of a release that statements of other programs name by their SHA-256.
private struct NamedArtifacts {
  private var artifacts: [Digest: [ExaminedArtifact]] = [:]

  init(_ artifacts: [ExaminedArtifact]) {
    for artifact in artifacts {
      let signed = artifact.signatures.first?.statement.subjectDigest
      for digest in Set([artifact.sha256, signed].compactMap(\.self)) {
        self.artifacts[digest, default: []].append(artifact)
      }
    }
  }

  /// The artifacts that the bundles in a file are about. Nothing in them is verified yet.
  ///
  /// - Returns: none for a file that holds no such statement. It is then a bundle without its artifact.
  /// - Throws: `file.…` if it cannot be read.
  func artifacts(
    by file: ReleaseFile, in files: ReleaseFiles
  ) throws(SignetError) -> [ExaminedArtifact] {
    let open = try files.open(file)
    var found: [ExaminedArtifact] = []
    var known: Set<[UInt8]> = []
    do throws(SignetError) {
      for bundle in try SigstoreBundle.all(in: open, isList: ReleaseAttestations.isList(file)) {
        let statement = try Statement(payload: bundle.envelope.payload)
        // Signet's own statements are beside what they are about.
        guard !statement.predicateType.isOwn else { continue }
        for (_, digest) in statement.subjects {
          for artifact in artifacts[digest] ?? [] where known.insert(Array(artifact.path.utf8)).inserted {
            found.append(artifact)
          }
        }
      }
    } catch {
      guard !Set.aboutFiles.contains(error.code) else { throw error }
      return []
    }
    return found
  }
}

/// The verification of one attestation.
private struct AttestationVerification: Sendable {
  let files: ReleaseFiles
  /// The canonical listing of each directory, by the bytes of its path.
  let listings: [[UInt8]: [UInt8]]
  let policy: TrustPolicy
  let time: UnixTime

  /// Verifies a file of bundles.
  ///
  /// - Throws: if the outcome could not be determined.
  func verify(
    _ file: ReleaseFile, about artifact: ExaminedArtifact
  ) throws(SignetError) -> Attestation {
    guard let subject = try subject(artifact) else {
      let reason = SignetError(
        artifact.reasons.first?.code ?? .signatureMissing, file.path,
        "cannot be compared with a directory that is refused", hint: "sign the directory again")
      return Attestation(path: file.path, signatures: [], reasons: [reason])
    }
    let bundles = try files.open(file)
    let isList = ReleaseAttestations.isList(file)
    let verifier = Verifier(policy: try policyInForce(for: artifact, file), clock: .fixed(time))
    // An archive with signatures in it may have been attested without them.
    let signed = artifact.signatures.first?.statement.subjectDigest
    var reasons: [SignetError] = []
    for digest in [artifact.sha256] + [signed].compactMap(\.self).filter({ $0 != artifact.sha256 }) {
      let verdict = try verifier.verify(
        subject, sha256: digest, signatures: isList ? .lines(of: bundles) : .file(bundles),
        expecting: .attestation(ofAnyTypeAbout: artifact.baseName, or: artifact.path))
      switch verdict {
      case .verified(let proof): return Attestation(path: file.path, signatures: proof.signatures, reasons: [])
      case .refused(let refusal): if reasons.isEmpty { reasons = refusal.reasons }
      }
    }
    // Reports are about paths in the release, wherever its folder is.
    return Attestation(
      path: file.path, signatures: [], reasons: reasons.map { $0.inRelease(bundles.path, as: file.path) ?? $0 })
  }

  /// What the attestation must be about: a file, or the listing whose digest is that of a directory; nil for a
  /// directory that is refused.
  private func subject(_ artifact: ExaminedArtifact) throws(SignetError) -> Artifact? {
    guard artifact.isDirectory else { return try files.artifact(at: artifact.path) }
    return listings[Array(artifact.path.utf8)].map { .bytes($0) }
  }

  /// The release's trust policy, as it is for one attestation.
  private func policyInForce(
    for artifact: ExaminedArtifact, _ file: ReleaseFile
  ) throws(SignetError) -> TrustPolicy {
    var roles = [ArtifactRole(file: artifact.baseName), ArtifactRole(file: ReleasePath.baseName(of: file.path))]
    if let module = artifact.module { roles.append(ArtifactRole(module: module.module.identifier)) }
    var entries: [TrustEntry] = []
    for entry in policy.entries + (policy.summary?.signers ?? []) {
      // An entry that covers neither keeps its scope, so that the reason against its signatures says so.
      let scope: TrustScope = roles.contains { entry.scope.covers($0) } ? .everything : entry.scope
      let scoped = try TrustEntry(
        entry.name, entry.anchor, scope: scope, window: entry.window, formats: entry.formats)
      entries.append(entry.succession.map { scoped.succeeded(by: $0) } ?? scoped)
    }
    // One signature is enough, also if a release needs several.
    var terms = policy.terms
    terms.requirement = .threshold(1)
    // Its signers are among the entries.
    terms.summary = nil
    return try TrustPolicy(entries: entries, terms: terms, allowsTestKeys: policy.allowsTestKeys)
  }
}
