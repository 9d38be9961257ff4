internal import SignetBase
internal import SignetSystem

extension OtherSignature {
  /// The format of a signature that another program has made.
  public enum Format: Sendable, CaseIterable {
    /// minisign: two lines of comments, two of base64.
    case minisign
    /// signify of OpenBSD: one line with a comment, one of base64.
    case signify
    /// `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH).
    case ssh
    /// OpenPGP (RFC 9580), armored or in packets.
    case openPGP
    /// The Cryptographic Message Syntax (RFC 5652), which S/MIME, PKCS#7 and `openssl cms` write.
    case cms
    /// The bundle of cosign before Sigstore's own: a JSON object with `base64Signature`.
    case cosignBundle
    /// Sigstore's bundle over a bare digest, as `cosign sign-blob` writes it today.
    case sigstoreBundle
    /// An envelope of DSSE without a bundle, as the generators of SLSA provenance write it.
    case envelope
    /// A signature in base64 and nothing else, as `cosign sign-blob` writes it.
    case base64
    /// The bytes of a signature and nothing else, as `openssl dgst -sign` and `openssl pkeyutl -sign` write them.
    case raw
    /// Signed entries of a Java archive, in its folder META-INF.
    case jar
    /// Android's signing block of an APK.
    case android
    /// Apple's signature of a bundle or of a program.
    case apple
    /// Microsoft's signature of a program.
    case authenticode

    /// What it is, as the end of a sentence.
    public var name: String {
      switch self {
      case .minisign: "a signature of minisign"
      case .signify: "a signature of signify"
      case .ssh: "a signature of ssh-keygen"
      case .openPGP: "a signature of OpenPGP"
      case .cms: "a signature in CMS (PKCS#7, S/MIME)"
      case .cosignBundle: "a bundle of cosign"
      case .sigstoreBundle: "a bundle of cosign over a bare digest"
      case .envelope: "an envelope of DSSE without a bundle"
      case .base64: "a bare signature in base64, as cosign sign-blob writes it"
      case .raw: "a bare signature, as openssl writes it"
      case .jar: "a signature of jarsigner"
      case .android: "a signature of apksigner"
      case .apple: "a signature of Apple's codesign"
      case .authenticode: "a signature of Microsoft's signtool (Authenticode)"
      }
    }
  }
}
