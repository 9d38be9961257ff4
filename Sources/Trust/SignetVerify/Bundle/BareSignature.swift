package import SignetBase
package import SignetCrypto
package import SignetSystem

/// A signature whose maker is searched for among those whom a policy trusts.
package protocol SearchedSignature {
  /// What it is over.
  var format: SignatureFormat { get }
  /// What came with it to find the maker.
  var material: SigstoreBundle.VerificationMaterial { get }
  /// The IDs of the keys that it claims to be by.
  var claimedKeyIDs: [String] { get }
  /// What it claims to be by, for messages; nil for nobody.
  var claimedSigner: String? { get }
  /// Whether it claims to be by a key, for whom these formats count. It is refused if it is not, whoever else is trusted.
  func claims(_ key: PublicKey, in formats: Set<SignatureFormat>) -> Bool
  /// Whether a key has made it.
  func check(by key: PublicKey) throws(SignetError) -> SignatureCheck
}

extension SigstoreBundle: SearchedSignature {
  package var format: SignatureFormat { .dsse }
  package var claimedSigner: String? { claimedKeyIDs.isEmpty ? nil : claimedKeyIDs.joined(separator: ", ") }
  package func claims(_ key: PublicKey, in formats: Set<SignatureFormat>) -> Bool {
    claimedKeyIDs.contains { key.id.matches($0) }
  }
  package func check(by key: PublicKey) throws(SignetError) -> SignatureCheck {
    key.verify(envelope.signature, over: Envelope.preAuthenticationEncoding(of: envelope.payload))
  }
}

/// A signature of a file's bytes alone, in the format of another program. Whoever reads such signatures hands them over
/// with the bundles (``SignatureSource/adding(_:)``).
package protocol BareSignature: Sendable {
  /// What messages call it.
  var label: String { get }
  /// The format, with all that narrows it.
  var format: SignatureFormat { get }
  /// What it says besides, and its signer has signed.
  var remarks: [(name: String, text: String)] { get }
  /// What is signed, once the file's bytes were read.
  ///
  /// - Throws: what reading throws; `file.too-large` for a file whose bytes would have to be in memory.
  func over(_ content: inout some BareContent) throws(SignetError) -> any SearchedSignature
}

/// A file whose bytes such a signature is over.
package protocol BareContent {
  var progress: ProgressCounter? { get }
  func source() throws(SignetError) -> any ByteSource
  mutating func sha256() throws(SignetError) -> Digest
  /// Notes the SHA-256 that was computed of the bytes in one pass with something else.
  mutating func note(sha256: Digest) throws(SignetError)
}
