package import Signet
package import SignetBase
internal import SignetCrypto

extension SpecTree {
  /// Checks that each spec is signed as a verifier's policy demands.
  ///
  /// - Throws: `spec-repo.unverified` about all specs that are not, with the first one's reason as its cause.
  func verify(by verifier: Verifier, of place: String) throws(SignetError) {
    var refused: [(name: String, error: SignetError)] = []
    for release in releases {
      do throws(SignetError) { try release.verify(by: verifier, of: place) } catch
        where error.code == .specRepositoryUnverified
      {
        refused.append((release.path, error))
      }
    }
    if let error = SignetError.combined(refused) { throw error }
  }
}

extension SpecTree.Release {
  /// Checks that the spec is signed as a policy demands.
  ///
  /// A spec that names its module decides what is installed as that module, so its signers must be trusted for it. One that
  /// names none is a file.
  ///
  /// - Parameters:
  ///   - verifier: who is trusted.
  ///   - place: the repository's name, for messages.
  /// - Throws: `spec-repo.unverified`, with the reason as its cause.
  package func verify(by verifier: Verifier, of place: String) throws(SignetError) {
    guard case .refused(let refusal) = try verdict(by: verifier) else { return }
    let reason = refusal.combined
    throw SignetError(
      .specRepositoryUnverified, "\(place)/\(path)",
      "is not signed as the policy demands", cause: reason,
      // Who has signed it is known then, and the repository's owner does not decide whom the policy trusts for what.
      hint: reason.code == .signerOutOfScope
        ? reason.hint : "ask the owner of the repository where the spec comes from")
  }

  /// Whether a key has signed the spec, and the signature still counts.
  func isSigned(by key: PublicKey, at time: UnixTime) throws(SignetError) -> Bool {
    guard case .refused = try verdict(by: Verifier(policy: TrustPolicy(trusting: [key]), clock: .fixed(time))) else {
      return true
    }
    return false
  }

  private func verdict(by verifier: Verifier) throws(SignetError) -> Verdict<VerifiedArtifact> {
    let role = identifier.map { ArtifactRole(module: $0) } ?? .unnamed
    return try verifier.verify(
      .bytes(spec), signatures: .files(bundles),
      expecting: .spec(named: ModuleSpec.fileName(of: name), as: role))
  }
}

extension SignetError {
  /// The most releases that a message names.
  private static let namedLimit = 20

  /// Releases with the codes that say why each of them does not count, in a text: `1.1.0 [signer.untrusted]`.
  package static func list(_ releases: [(name: String, error: SignetError)]) -> String {
    let named = releases.prefix(namedLimit).map { name, error in
      // That a spec is unverified says less than why.
      let reason = error.code == .specRepositoryUnverified ? error.cause as? SignetError : nil
      return "\(name) [\((reason ?? error).code)]"
    }
    let more = releases.count - named.count
    return named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// One error for several: the first, with the names of the others and why each of them does not count; nil for none.
  package static func combined(_ releases: [(name: String, error: SignetError)]) -> SignetError? {
    guard var error = releases.first?.error else { return nil }
    if releases.count > 1 { error.found = "also \(list(Array(releases.dropFirst())))" }
    return error
  }
}
