internal import Signet

extension ExaminedArtifact {
  /// Everyone who has signed the artifact, each once, sorted by the bytes of their identities.
  var signers: [KnownSigner] { KnownSigner.all(of: signatures) }

  /// Whether exactly the same signers have signed another artifact.
  func hasSameSigners(as other: ExaminedArtifact) -> Bool {
    let (mine, others) = (signers, other.signers)
    return mine.count == others.count && zip(mine, others).allSatisfy { $0.identity.isExactly($1.identity) }
  }
}
