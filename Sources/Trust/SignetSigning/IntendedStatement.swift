package import SignetBase
internal import SignetCrypto
package import SignetSystem
package import SignetVerify

/// The statement that is about to be signed, except for its time.
///
/// With it, a repeated run finds that it has already signed.
package struct IntendedStatement: Sendable {
  private let kind: CommonPayload.Kind
  private let name: String
  private let notAfter: UnixTime?
  private let minimumSequence: Int?
  private let signers: [KeyID]?

  /// The statement about a file or a directory.
  package init(fileOrDirectory artifact: Artifact, _ claims: Signer.FileClaims) {
    self.init(artifact.directory == nil ? .file : .directory, claims)
  }

  /// The statement about a module.
  package init(module claims: Signer.ModuleClaims) {
    self.init(.module, claims.file, minimumSequence: claims.minimumSequence, signers: claims.signers)
  }

  /// The statement about a host's manifest.
  package init(hostManifest claims: Signer.HostManifestClaims) {
    self.init(.hostManifest(claims.identifier, sequence: claims.sequence), claims.file)
  }

  private init(
    _ kind: CommonPayload.Kind, _ claims: Signer.FileClaims, minimumSequence: Int? = nil, signers: [KeyID]? = nil
  ) {
    self.kind = kind
    name = claims.name
    notAfter = claims.notAfter
    self.minimumSequence = minimumSequence
    self.signers = signers
  }

  /// The payload of the bundles, if it is this statement about an artifact.
  ///
  /// - Throws: `signing.other-statement` if it says something else, and what ``CommonPayload`` throws.
  func payload(
    of bundles: [SigstoreBundle], about artifact: Artifact, at time: UnixTime, _ progress: ProgressCounter?
  ) throws(SignetError) -> [UInt8] {
    let payload = try CommonPayload(name: name, kind: kind, time: time).payload(
      of: bundles, about: artifact, progress)
    let statement = try Statement(payload: payload)
    guard statement.notAfter == notAfter, statement.module?.minimumSequence == minimumSequence,
      statement.module?.signers == signers
    else { throw SignetError(.signingOtherStatement, name, "has a statement with other claims") }
    return payload
  }
}

extension Signer {
  /// Whether this key has already signed an artifact.
  ///
  /// The bytes, the certificates and the claims must be the same, except for the time.
  ///
  /// - Parameter bundles: the artifact's bundles.
  /// - Throws: if the artifact cannot be read.
  package func hasSigned(
    _ artifact: Artifact, as intended: IntendedStatement, in bundles: [SigstoreBundle], at time: UnixTime,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> Bool {
    guard bundles.contains(where: isOwn) else { return false }
    let payload: [UInt8]
    do throws(SignetError) {
      payload = try intended.payload(of: bundles, about: artifact, at: time, progress)
    } catch  where !Set.aboutFiles.contains(error.code) {
      return false
    }
    let message = Envelope.preAuthenticationEncoding(of: payload)
    return bundles.contains { bundle in
      guard isOwn(bundle), case .valid = publicKey.verify(bundle.envelope.signature, over: message) else {
        return false
      }
      return true
    }
  }
}
