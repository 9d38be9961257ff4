internal import SignetBase
internal import SignetCrypto

/// A Sigstore bundle, version 0.3: one signed statement and what it takes to verify it (`sigstore_bundle.proto`).
///
/// Parsed, not verified: everything in it is a claim.
public struct SigstoreBundle: Sendable {
  /// The envelope with payload and signature.
  package let envelope: Envelope
  /// Who claims to have signed.
  package let material: VerificationMaterial
  /// What a transparency log claims; parsed, not checked.
  package let logEntries: [TransparencyLogEntry]
  /// RFC 3161 timestamps over the signature, in DER; parsed as bytes, not checked.
  package let timestamps: [[UInt8]]
  /// The media type, which names the version.
  package let mediaType: MediaType

  /// Who claims to have signed.
  package enum VerificationMaterial: Hashable, Sendable {
    /// A public key, by a hint.
    case publicKey(hint: String)
    /// The signer's certificate in DER.
    case certificate([UInt8])
    /// The signer's certificate and intermediates in DER, leaf first.
    case certificateChain([[UInt8]])
  }

  /// The spellings of the bundle's media type.
  package enum MediaType: String, Sendable, CaseIterable {
    /// Version 0.1.
    case v01 = "application/vnd.dev.sigstore.bundle+json;version=0.1"
    /// Version 0.2.
    case v02 = "application/vnd.dev.sigstore.bundle+json;version=0.2"
    /// Version 0.3, as it was spelt first.
    case v03Parameter = "application/vnd.dev.sigstore.bundle+json;version=0.3"
    /// Version 0.3: what is written.
    case v03 = "application/vnd.dev.sigstore.bundle.v0.3+json"
  }

  /// A bundle of a signature by a key; the key ID is the key's fingerprint, and so is the hint where no certificate
  /// says who signed.
  init(payload: [UInt8], signature: [UInt8], key: KeyID, chain: SigningChain? = nil) {
    envelope = Envelope(payload: payload, signature: signature, keyID: key.description)
    material = chain?.material ?? .publicKey(hint: key.description)
    logEntries = []
    timestamps = []
    mediaType = .v03
  }

  init(
    envelope: Envelope, material: VerificationMaterial, logEntries: [TransparencyLogEntry], timestamps: [[UInt8]],
    mediaType: MediaType
  ) {
    self.envelope = envelope
    self.material = material
    self.logEntries = logEntries
    self.timestamps = timestamps
    self.mediaType = mediaType
  }

  /// The names of keys the bundle claims to be signed by: the hint and the envelope's key ID.
  public var claimedKeyIDs: [String] {
    var claims = envelope.keyID.isEmpty ? [] : [envelope.keyID]
    if case .publicKey(let hint) = material, !hint.isEmpty, !hint.isExactly(envelope.keyID) { claims.append(hint) }
    return claims
  }
}
