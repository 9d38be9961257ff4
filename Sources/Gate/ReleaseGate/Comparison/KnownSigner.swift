internal import Signet
internal import SignetBase
internal import SignetCrypto

/// A signer of a release, as the next release can be compared with it.
///
/// A signer without a certificate is known by the key. A signer with one is known by the names in it, because some
/// certificates serve for a single signature, each with a key of its own. A workflow is known without the ref that it ran for.
struct KnownSigner: Sendable {
  /// What tells the signer from others.
  let identity: String
  /// What people call the signer: the policy's name, and the identity.
  let name: String

  init(_ signature: VerifiedSignature) {
    let key = "\(signature.key.id)"
    let identity =
      signature.identity?.holder ?? signature.certificatePath.map { Self.holder(of: $0.leaf) } ?? key
    self.identity = identity
    // A policy that is a list of keys has the keys' own IDs as names.
    let names = signature.entries.filter { !$0.isExactly(identity) }.joined(separator: " or ")
    name = names.isEmpty ? identity : "\(names) (\(identity))"
  }

  private static func holder(of leaf: Certificate) -> String {
    let names = leaf.subjectAlternativeNames.map { "\($0)" }
    return names.isEmpty ? "subject:\(leaf.subject)" : names.joined(separator: ", ")
  }

  /// Everyone who has made signatures, each once, sorted by the bytes of their identities.
  static func all(of signatures: [VerifiedSignature]) -> [KnownSigner] {
    var signers: [KnownSigner] = []
    for signer in signatures.map(KnownSigner.init).sorted(by: { $0.identity.precedesInBytes($1.identity) })
    where !(signers.last?.identity.isExactly(signer.identity) ?? false) { signers.append(signer) }
    return signers
  }
}

extension ExaminedArtifact {
  /// Everyone who has signed the artifact, each once, sorted by the bytes of their identities.
  var signers: [KnownSigner] { KnownSigner.all(of: signatures) }

  /// Whether exactly the same signers have signed another artifact.
  func hasSameSigners(as other: ExaminedArtifact) -> Bool {
    let (mine, others) = (signers, other.signers)
    return mine.count == others.count && zip(mine, others).allSatisfy { $0.identity.isExactly($1.identity) }
  }
}
