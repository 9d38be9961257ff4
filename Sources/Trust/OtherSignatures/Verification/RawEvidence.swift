internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetNames
internal import SignetVerify

/// A bare signature, as `openssl dgst -sign` and `openssl pkeyutl -sign` write it, as evidence about a file's bytes.
///
/// It names neither key nor digest: whoever trusts a key says over which digest it signs, and Ed25519 signs the file.
struct RawEvidence: BareSignature {
  let label: String
  private let signature: [UInt8]
  /// Nil for Ed25519.
  private let digest: DigestAlgorithm?

  private static let sizeLimit = 1 << 30

  /// - Parameter format: that of an entry, which names the digest.
  /// - Returns: nil for a format of another name.
  init?(_ signature: [UInt8], in format: SignatureFormat, _ label: String) {
    guard format.name == Self.name else { return nil }
    let narrow = format.rawValue.dropFirst(Self.name.count + 1)
    digest = DigestAlgorithm(rawValue: String(narrow))
    (self.signature, self.label) = (signature, label)
  }

  private static let name = "raw"

  var format: SignatureFormat { digest.map { SignatureFormat(Self.name, $0.rawValue) } ?? .raw }
  var remarks: [(name: String, text: String)] { [] }

  func over(_ content: inout some BareContent) throws(SignetError) -> any SearchedSignature {
    try content.checkPurpose(label, isHashed: digest != nil)
    switch digest {
    case nil:
      return Searched(format: format, signature: signature, message: .bytes(try content.bytes(limit: Self.sizeLimit)))
    case .sha256?: return Searched(format: format, signature: signature, message: .digest(try content.sha256()))
    case let other?:
      let function: OtherDigest.Named = other == .sha384 ? .sha384 : .sha512
      let bytes = try content.hash(function)
      return Searched(
        format: format, signature: signature, message: .digest(Digest(algorithm: other, bytes: bytes)))
    }
  }

  private enum Message {
    case bytes([UInt8])
    case digest(Digest)
  }

  private struct Searched: SearchedSignature {
    let format: SignatureFormat
    let signature: [UInt8]
    let message: Message

    var material: SigstoreBundle.VerificationMaterial { .publicKey(hint: "") }
    var claimedKeyIDs: [String] { [] }
    var claimedSigner: String? { nil }
    func claims(_ key: PublicKey, in formats: Set<SignatureFormat>) -> Bool { false }

    func check(by key: PublicKey) throws(SignetError) -> SignatureCheck {
      switch (message, key.algorithm) {
      case (.bytes(let bytes), .ed25519): return key.verify(signature, over: bytes)
      case (.digest(let digest), .rsa):
        return try key.handle.verifies(signature, over: digest, .rsa(digest.algorithm)) ? .valid : .invalid
      case (.digest(let digest), .p256), (.digest(let digest), .p384), (.digest(let digest), .p521):
        // OpenSSL's program does not see what follows the two numbers.
        guard RawSignature.isECDSA(signature) else { return .invalid }
        return try key.handle.verifies(signature, over: digest, .ecdsa(digest.algorithm)) ? .valid : .invalid
      default: return .invalid
      }
    }
  }
}
