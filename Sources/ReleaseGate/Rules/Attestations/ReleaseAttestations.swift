internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The attestations of a release: `tool.provenance.sigstore.json` holds one of the artifact `tool`.
///
/// A signer is trusted for an attestation if the scope of its entry covers the artifact, or the name of the
/// attestation's own file. The gate takes no such file for an artifact, so a build service with the scope
/// `*.provenance.sigstore.json` can attest artifacts, and release none.
///
/// One signature is enough, whatever the policy demands for a release. A threshold is about those who release.
struct ReleaseAttestations {
  private let release: ExaminedRelease
  /// The files, by the bytes of their artifacts' paths.
  private let files: [[UInt8]: [ReleaseFiles.File]]

  init(of release: ExaminedRelease) {
    self.release = release
    var files: [[UInt8]: [ReleaseFiles.File]] = [:]
    for file in release.files.files {
      guard case .attestation(let artifact, _) = file.role else { continue }
      files[Array(artifact.utf8), default: []].append(file)
    }
    self.files = files
  }

  /// The paths of attestations whose artifacts the gate does not look at, because a pattern leaves them out.
  var unattached: [String] {
    let artifacts = Set(release.artifacts.map { Array($0.path.utf8) })
    return files.filter { !artifacts.contains($0.key) }.flatMap(\.value).map(\.path)
      .sorted { $0.precedesInBytes($1) }
  }

  /// Verifies the attestations of an artifact: signer, form, subject and digest. What they say is not looked at.
  ///
  /// - Throws: if the outcome could not be determined.
  func attestations(of artifact: ExaminedArtifact) throws(SignetError) -> [Attestation] {
    var attestations: [Attestation] = []
    for file in files[Array(artifact.path.utf8)] ?? [] { attestations.append(try verify(file, about: artifact)) }
    return attestations
  }

  private func verify(
    _ file: ReleaseFiles.File, about artifact: ExaminedArtifact
  ) throws(SignetError) -> Attestation {
    guard let subject = try subject(artifact) else {
      let reason = SignetError(
        artifact.reasons.first?.code ?? .signatureMissing, file.path,
        "cannot be compared with a directory that is refused", hint: "sign the directory again")
      return Attestation(path: file.path, signatures: [], reasons: [reason])
    }
    let bundles = try release.files.open(file)
    let isList = file.path.utf8.suffix(Self.listSuffix.count).elementsEqual(Self.listSuffix)
    let verifier = Verifier(policy: try policy(for: artifact, file), clock: .fixed(release.time))
    let verdict = try verifier.verify(
      subject, sha256: artifact.sha256, signatures: isList ? .lines(of: bundles) : .file(bundles),
      expecting: .attestation(ofAnyTypeAbout: artifact.baseName, or: artifact.path))
    switch verdict {
    case .verified(let proof): return Attestation(path: file.path, signatures: proof.signatures, reasons: [])
    case .refused(let refusal):
      // Reports are about paths in the release, wherever its folder is.
      let reasons = refusal.reasons.map { reason in
        guard reason.object.utf8.starts(with: bundles.path.utf8) else { return reason }
        let rest = String(decoding: reason.object.utf8.dropFirst(bundles.path.utf8.count), as: UTF8.self)
        return reason.about(file.path + rest)
      }
      return Attestation(path: file.path, signatures: [], reasons: reasons)
    }
  }

  private static let listSuffix = Array(".jsonl".utf8)

  /// What the attestation must be about: a file, or the listing whose digest is that of a directory; nil for a
  /// directory that is refused.
  private func subject(_ artifact: ExaminedArtifact) throws(SignetError) -> Artifact? {
    guard artifact.isDirectory else { return try release.files.artifact(at: artifact.path) }
    guard let listing = artifact.listing else { return nil }
    return .bytes(try listing.canonicalBytes())
  }

  /// The release's trust policy, as it is for one attestation.
  private func policy(
    for artifact: ExaminedArtifact, _ file: ReleaseFiles.File
  ) throws(SignetError) -> TrustPolicy {
    let policy = release.policy
    var roles = [ArtifactRole(file: artifact.baseName), ArtifactRole(file: ReleasePath.baseName(of: file.path))]
    if let module = artifact.module { roles.append(ArtifactRole(module: module.module.identifier)) }
    var entries: [TrustEntry] = []
    for entry in policy.entries + (policy.summary?.signers ?? []) {
      // An entry that covers neither keeps its scope, so that the reason against its signatures says so.
      let scope: TrustScope = roles.contains { entry.scope.covers($0) } ? .everything : entry.scope
      entries.append(
        try TrustEntry(entry.name, entry.anchor, scope: scope, window: entry.window, formats: entry.formats))
    }
    // One signature is enough, also if a release needs several.
    var terms = policy.terms
    terms.requirement = .threshold(1)
    // Its signers are among the entries.
    terms.summary = nil
    return try TrustPolicy(entries: entries, terms: terms, allowsTestKeys: policy.allowsTestKeys)
  }
}
