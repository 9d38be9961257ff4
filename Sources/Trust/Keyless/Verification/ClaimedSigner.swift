internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetNames

/// Who claims to have signed a bundle: the holder of a certificate, or of the key that is expected.
struct ClaimedSigner {
  let key: PublicKey
  /// Nil for a key.
  let certificate: Certificate?
  /// What else the bundle has of certificates.
  let others: [Certificate]

  /// - Throws: `keyless.signer` if the bundle has another kind of signer than is expected; `key.…`.
  init(_ bundle: KeylessBundle, _ expected: ExpectedSigner) throws(SignetError) {
    switch (bundle.signer, expected) {
    case (.certificate(let leaf, let others), .identities):
      // An authority that signs itself is trusted by the root, or not at all.
      guard !leaf.isSelfIssued, !others.contains(where: \.isSelfIssued) else {
        throw SignetError(
          .keylessSigner, "bundle", "has a certificate that is issued by itself",
          expected: "the signer's certificate, and issuers that others have certified")
      }
      (certificate, self.others) = (leaf, others)
      key = try leaf.publicKey()
    case (.key, .key(let expected)): (key, certificate, others) = (expected, nil, [])
    case (.certificate, .key):
      throw SignetError(
        .keylessSigner, "bundle", "is signed by a certificate", expected: "a signature by a key",
        hint: "say whom you expect by identity and issuer")
    case (.key, .identities):
      throw SignetError(
        .keylessSigner, "bundle", "is signed by a key", expected: "a signature by a certificate",
        hint: "say which key you expect")
    }
  }

  /// The bytes by which an entry of a log must name the signer.
  var der: [UInt8] { certificate?.der ?? key.der }

  /// Checks the signature.
  ///
  /// - Throws: `keyless.signature`, `keyless.subject` if a digest is needed that is not known; `crypto.failure`.
  func check(_ bundle: KeylessBundle, of artifact: [Digest]) throws(SignetError) {
    var isValid = false
    switch bundle.content {
    case .envelope(let payload, let type, let signature):
      let message = KeylessBundle.preAuthenticationEncoding(payload, type)
      for scheme in schemes where !isValid { isValid = try key.handle.verifies(signature, over: message, scheme) }
    case .message(_, let signature):
      guard key.algorithm != .ed25519 else {
        throw SignetError(
          .keylessSignature, "signature", "is by a key of a kind that signs no digests", expected: "ECDSA or RSA")
      }
      let digests = artifact.filter { digest in schemes.contains { $0.digest == digest.algorithm } }
      guard !digests.isEmpty else {
        throw SignetError(
          .keylessSubject, "artifact", "is not known by a digest that the key signs",
          expected: schemes.compactMap { $0.digest?.rawValue }.joined(separator: ", "),
          found: artifact.map(\.algorithm.rawValue).joined(separator: ", "))
      }
      for scheme in schemes where !isValid {
        guard let digest = digests.first(where: { $0.algorithm == scheme.digest }) else { continue }
        isValid = try key.handle.verifies(signature, over: digest, scheme)
      }
    }
    guard isValid else {
      throw SignetError(
        .keylessSignature, "signature", "was not made by the signer's key over this", expected: "\(key)")
    }
  }

  /// The schemes by which the key signs. Older bundles have P-384 with SHA-256.
  private var schemes: [CertificateSignatureAlgorithm.Scheme] {
    switch key.algorithm {
    case .ed25519: [.ed25519]
    case .rsa: [.rsa(.sha256)]
    case .p256: [.ecdsa(.sha256)]
    case .p384: [.ecdsa(.sha384), .ecdsa(.sha256)]
    case .p521: [.ecdsa(.sha512)]
    }
  }

  /// The identity, which must be one of those that are expected; nil for a key.
  ///
  /// - Throws: `keyless.identity`.
  func identity(_ expected: ExpectedSigner) throws(SignetError) -> CertifiedIdentity? {
    guard let certificate, case .identities(let identities) = expected else { return nil }
    let found = try CertifiedIdentity(certificate)
    guard identities.contains(where: { $0.matches(found) }) else {
      // The workflow of another repository signs for a repository that calls it.
      let isElsewhere = identities.contains { identity in
        identity.workflow.map { $0.workflow == nil && $0.isAboutRepository(found) && !$0.isItsOwn(found) } ?? false
      }
      let workflow = found.identity.split(separator: "@").first.map(String.init) ?? found.identity
      throw SignetError(
        .keylessIdentity, "signer", "has another identity than expected",
        expected: identities.map { "\($0)" }.joined(separator: "; "), found: "\(found)",
        hint: isElsewhere
          ? "if the repository builds with this workflow of another one, name it: --workflow \(workflow.shellWord)"
          : identities.contains { $0.workflow?.isAboutRepository(found) ?? false }
            ? "it is of the repository, but of another build: compare workflow, ref and commit above" : nil)
    }
    return found
  }
}

extension CertificateSignatureAlgorithm.Scheme {
  /// The digest of the scheme; nil for one that has none.
  fileprivate var digest: DigestAlgorithm? {
    switch self {
    case .rsa(let digest), .rsaPSS(let digest, _), .ecdsa(let digest): digest
    case .ed25519, .weak, .unsupported: nil
    }
  }
}
