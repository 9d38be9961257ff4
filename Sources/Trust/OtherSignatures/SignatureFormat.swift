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
    /// A signature in base64 and nothing else, as `cosign sign-blob` writes it.
    case base64
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
      case .base64: "a bare signature in base64, as cosign sign-blob writes it"
      case .jar: "a signature of jarsigner"
      case .android: "a signature of apksigner"
      case .apple: "a signature of Apple's codesign"
      case .authenticode: "a signature of Microsoft's signtool (Authenticode)"
      }
    }
  }

  /// The command line that verifies the signature, with words in capital letters for what the reader has to know.
  ///
  /// - Parameters:
  ///   - file: the path of the file that is signed.
  ///   - path: the path of the signature; the file's own if it is inside.
  public func command(verifying file: String, signature path: String) -> String {
    let (file, path) = (file.shellWord, path.shellWord)
    switch format {
    case .minisign: return "minisign -V -m \(file) -x \(path) -p KEY.pub"
    case .signify: return "signify -V -m \(file) -x \(path) -p KEY.pub"
    case .ssh:
      let namespace = claims.first { $0.name == "namespace" }.map(\.text).flatMap { Self.isPlain($0) ? $0 : nil }
      return "ssh-keygen -Y verify -f ALLOWED_SIGNERS -I SIGNER -n \(namespace ?? "NAMESPACE") -s \(path) < \(file)"
    case .openPGP: return "gpg --verify \(path) \(file)"
    case .cms:
      return
        "openssl cms -verify -binary -inform \(isText ? "PEM" : "DER") -in \(path) -content \(file) -CAfile CA.pem "
        + "-purpose any -out VERIFIED"
    case .cosignBundle:
      return isKeyless
        ? "cosign verify-blob \(file) --bundle \(path) --certificate-identity IDENTITY --certificate-oidc-issuer ISSUER"
        : "cosign verify-blob \(file) --bundle \(path) --key KEY.pub"
    case .base64: return "cosign verify-blob \(file) --signature \(path) --key KEY.pub"
    case .jar: return "jarsigner -verify -strict \(file)"
    case .android: return "apksigner verify \(file)"
    case .authenticode: return "osslsigncode verify \(file)"
    case .apple: return "codesign --verify --strict --deep \(file)"
    }
  }

  /// Whether a text that somebody chose can be a word of a command line, and no option.
  private static func isPlain(_ text: String) -> Bool {
    let first = text.utf8.first ?? UInt8(ascii: "-")
    return first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { byte in
        "._-@+".utf8.contains(byte) || UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }

  private var isText: Bool { claims.contains(Claim("encoding", "PEM")) }
  private var isKeyless: Bool { claims.contains { $0.name == "signer" } }
}
