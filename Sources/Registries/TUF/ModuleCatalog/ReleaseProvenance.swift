package import Signet
package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// The commit from which a file of a release was built, as trusted signers state it.
package enum ReleaseProvenance {
  /// Verifies the provenance of a file.
  ///
  /// A registry renames files, so the digest in the statement says which file is meant.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - sha256: the digest of the file's bytes, which the caller has computed.
  ///   - name: what messages call it.
  ///   - provenance: the file of bundles with the provenance.
  ///   - release: the release that the file belongs to. The signers must be trusted for the module. The caller makes
  ///     sure that the file is one of this release.
  ///   - verifier: who is trusted.
  /// - Returns: the repository and the commit, on which all signers agree.
  /// - Throws: why the provenance is refused: `signature.…`, `signer.…`, `digest.mismatch`, `policy.…` and so on;
  ///   `repo.provenance` if it does not name one commit; `file.…`.
  package static func source(
    of file: RegularFile, sha256: Digest, called name: String, statedIn provenance: RegularFile,
    of release: ModuleDescription,
    by verifier: Verifier
  ) throws(SignetError) -> ProvenancePredicate {
    let verdict = try verifier.verify(
      .file(file), sha256: sha256, signatures: .file(provenance),
      expecting: .attestation(
        ProvenancePredicate.type, aboutBytesCalled: name, of: release))
    try file.checkUnchanged()
    let proof: VerifiedAttestation
    switch verdict {
    case .refused(let refusal):
      var error = refusal.combined
      error.object = "the provenance of \(name)"
      throw error
    case .verified(let verified): proof = verified
    }
    var found: Set<ProvenancePredicate> = []
    for signature in proof.signatures {
      do throws(SignetError) {
        guard let predicate = signature.statement.foreignPredicate else { continue }
        found.insert(try ProvenancePredicate(predicate))
      } catch {
        throw Self.unclear(name, "does not name its source", "one repository with its commit", cause: error)
      }
    }
    guard let source = found.first, found.count == 1 else {
      let commits = found.map(\.words.display).sorted().joined(separator: ", ")
      throw Self.unclear(name, "names several sources", "one commit", found: commits)
    }
    return source
  }

  private static func unclear(
    _ name: String, _ message: String, _ expected: String, found: String? = nil, cause: SignetError? = nil
  ) -> SignetError {
    SignetError(
      .repoProvenance, "the provenance of \(name)", message, expected: expected, found: found, cause: cause,
      hint: "ask the module's publisher")
  }
}
