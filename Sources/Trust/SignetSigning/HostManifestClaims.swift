public import SignetBase
internal import SignetCrypto
public import SignetVerify

extension Signer {
  /// The claims of a statement about a host's manifest, besides its digest.
  public struct HostManifestClaims: Sendable {
    let file: FileClaims
    /// The host that the manifest is for.
    public let identifier: ModuleIdentifier
    /// The manifest's sequence. Each manifest of a host has a higher one than the manifest before.
    public let sequence: Int

    /// Creates the claims about a manifest.
    ///
    /// - Parameters:
    ///   - name: what the statement calls the file.
    ///   - identifier: the host that the manifest is for.
    ///   - sequence: the manifest's sequence, from 1 to 2^53-1.
    ///   - signedAt: when the statement is made.
    ///   - notAfter: the time after which the statement no longer holds; nil if it holds until it is revoked.
    /// - Throws: `signing.name`, `signing.not-after`, and `signing.sequence` for a number outside 1 to 2^53-1.
    public init(
      name: String, identifier: ModuleIdentifier, sequence: Int, signedAt: UnixTime, notAfter: UnixTime? = nil
    ) throws(SignetError) {
      guard (1...HostManifestPredicate.sequenceLimit).contains(sequence) else {
        throw SignetError(
          .signingSequence, name, "cannot have this sequence",
          expected: "1 to \(HostManifestPredicate.sequenceLimit)",
          found: "\(sequence)")
      }
      file = try FileClaims(name: name, signedAt: signedAt, notAfter: notAfter)
      self.identifier = identifier
      self.sequence = sequence
    }
  }

  /// Signs an artifact as a host's manifest, by its flat digest.
  ///
  /// The digest covers the very bytes that were found to be a JSON object.
  ///
  /// - Throws: `manifest.malformed`, `file.too-large` above 1 MiB, `file.changed`, `file.unreadable`,
  ///   `file.read-failed`, `file.is-directory`, `crypto.failure`, `signing.self-check`.
  public func sign(_ artifact: Artifact, _ claims: HostManifestClaims) throws(SignetError) -> SigstoreBundle {
    try sign(Statement(about: artifact, claims))
  }

  /// Adds another signature to a signed statement about a host's manifest, over exactly the same payload bytes.
  ///
  /// - Parameters:
  ///   - bundles: the existing bundles.
  ///   - artifact: the manifest.
  ///   - name: the name that the statement must have.
  ///   - identifier: the host that the statement must be for.
  ///   - sequence: the sequence that the statement must have; nil for any.
  ///   - time: the time at which it is signed.
  /// - Throws: what ``addSignature(to:of:named:at:progress:)`` throws.
  public func addSignature(
    to bundles: [SigstoreBundle], ofHostManifest artifact: Artifact, named name: String,
    identifier: ModuleIdentifier, sequence: Int?, at time: UnixTime
  ) throws(SignetError) -> SigstoreBundle {
    let common = CommonPayload(name: name, kind: .hostManifest(identifier, sequence: sequence), time: time)
    return try addSignature(to: bundles, over: try common.payload(of: bundles, about: artifact, nil), name)
  }
}
