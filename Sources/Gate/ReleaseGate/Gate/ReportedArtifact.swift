internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

extension GateReport.File {
  /// An examined artifact, as a report has it.
  ///
  /// - Parameter mode: the mode bits of the file or folder.
  init(_ artifact: ExaminedArtifact, mode: UInt32) {
    let outcome: GateReport.Artifact.Outcome
    if let kind = artifact.kind {
      outcome = .verified(
        GateReport.Artifact.Verified(
          kind: kind, signers: artifact.signatures.map(GateReport.Signer.init), statements: Self.statements(artifact))
      )
    } else {
      outcome = .refused
    }
    self.init(
      path: artifact.path, size: artifact.size, sha256: artifact.sha256, mode: mode,
      role: .artifact(GateReport.Artifact(outcome)), kind: artifact.isDirectory ? .directory : .file)
  }

  /// Each payload once, however many have signed it.
  private static func statements(_ artifact: ExaminedArtifact) -> [GateReport.Artifact.Statement] {
    var statements: [GateReport.Artifact.Statement] = []
    for signature in artifact.signatures {
      let statement = GateReport.Artifact.Statement(
        type: signature.statement.predicateType.uri, payload: signature.payloadDigest,
        subject: signature.statement.subjectDigest)
      if !statements.contains(statement) { statements.append(statement) }
    }
    return statements
  }
}

extension ExaminedArtifact {
  /// What it was signed as; nil if it is refused.
  var kind: GateReport.Artifact.Kind? {
    guard let type else { return nil }
    if let module {
      return .module(
        GateReport.Module(
          identifier: "\(module.module.identifier)", version: "\(module.module.version)",
          sequence: module.module.sequence))
    }
    return switch type {
    case .file: .file
    case .directory: .directory
    default: .other(type.uri)
    }
  }
}

extension GateReport.Signer {
  fileprivate init(_ signature: VerifiedSignature) {
    self.init(
      entries: signature.entries, keyID: "\(signature.key.id)", algorithm: "\(signature.key.algorithm)",
      signedAt: signature.statement.signedAt,
      chain: signature.certificatePath?.certificates.map { certificate in
        GateReport.ChainLink(
          subject: "\(certificate.subject)", identity: certificate.subjectAlternativeNames.first.map { "\($0)" },
          notAfter: certificate.notAfter)
      } ?? [])
  }
}

extension ReleaseFile {
  /// The entry as the rules see that of an archive.
  var content: EntryContent {
    switch kind {
    case .regular, .other: .file(size: size)
    case .directory: .directory
    case .symbolicLink: .symbolicLink(target: String(decoding: target ?? [], as: UTF8.self))
    }
  }
}
