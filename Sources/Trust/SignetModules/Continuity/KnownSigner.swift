internal import SignetBase
internal import SignetCrypto
package import SignetVerify

/// A signer of a release, as the next release can be compared with it.
///
/// A signer without a certificate is known by the key. A signer with one is known by the names in it, because some
/// certificates serve for a single signature, each with a key of its own. A workflow is known without the ref that it ran for.
package struct KnownSigner: Hashable, Sendable {
  /// What tells the signer from others.
  package let identity: String
  /// The ID of the key that signed.
  package let key: String
  /// What people call the signer: the policy's name, and the identity.
  package let name: String

  package init(_ signature: VerifiedSignature) {
    self.init(signature.key, signature.certificatePath, signature.identity, entries: signature.entries)
  }

  init(_ key: PublicKey, _ path: CertificatePath?, _ proven: ProvenIdentity?, entries: [String] = []) {
    self.key = "\(key.id)"
    let identity = proven?.holder ?? path.map { Self.holder(of: $0.leaf) } ?? self.key
    self.identity = identity
    // A policy that is a list of keys has the keys' own IDs as names.
    let names = entries.filter { !$0.isExactly(identity) }.joined(separator: " or ")
    name = names.isEmpty ? identity : "\(names) (\(identity))"
  }

  private static func holder(of leaf: Certificate) -> String {
    let names = leaf.subjectAlternativeNames.map { "\($0)" }
    return names.isEmpty ? "subject:\(leaf.subject)" : names.joined(separator: ", ")
  }

  /// Everyone who has made signatures, each once, sorted by the bytes of their identities.
  package static func all(of signatures: [VerifiedSignature]) -> [KnownSigner] {
    var signers: [KnownSigner] = []
    for signer in signatures.map(KnownSigner.init).sorted(by: { $0.identity.precedesInBytes($1.identity) })
    where !(signers.last?.identity.isExactly(signer.identity) ?? false) { signers.append(signer) }
    return signers
  }
}
