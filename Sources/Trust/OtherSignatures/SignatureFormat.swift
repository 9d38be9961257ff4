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
      case .base64: "a bare signature in base64, as cosign sign-blob writes it"
      case .raw: "a bare signature, as openssl writes it"
      case .jar: "a signature of jarsigner"
      case .android: "a signature of apksigner"
      case .apple: "a signature of Apple's codesign"
      case .authenticode: "a signature of Microsoft's signtool (Authenticode)"
      }
    }
  }

  /// The command line that verifies the signature, with words in capital letters for what the reader has to know; nil
  /// for a signature that is not whole.
  ///
  /// - Parameters:
  ///   - file: the path of the file that is signed.
  ///   - path: the path of the signature; the file's own if it is inside.
  ///   - key: the file of the key that is trusted, if the reader has named one.
  public func command(verifying file: String, signature path: String, key: SignerKeyFile? = nil) -> String? {
    guard !isCutOff else { return nil }
    let (file, path) = (file.shellWord, path.shellWord)
    func word(_ kind: SignerKeyFile.Kind, _ otherwise: String) -> String {
      key.flatMap { $0.kind == kind ? $0.path.shellWord : nil } ?? otherwise
    }
    switch format {
    case .minisign: return "minisign -V -m \(file) -x \(path) -p \(word(.minisign, "KEY.pub"))"
    case .signify: return "signify -V -m \(file) -x \(path) -p \(word(.minisign, "KEY.pub"))"
    case .ssh: return sshCommand(file, path, key)
    case .openPGP:
      guard !holdsContent else { return "gpg --output VERIFIED --decrypt \(path)" }
      guard let key, key.kind == .openPGP else { return "gpg --verify \(path) \(file)" }
      return "gpg --yes --output KEYRING --dearmor \(key.path.shellWord) && gpgv --keyring ./KEYRING \(path) \(file)"
    case .cms:
      return
        "openssl cms -verify -binary -inform \(isText ? "PEM" : "DER") -in \(path) -content \(file) -CAfile \(word(.certificate, "CA.pem")) "
        + "-purpose any -out VERIFIED"
    case .cosignBundle:
      return isKeyless
        ? "cosign verify-blob \(file) --bundle \(path) --certificate-identity IDENTITY --certificate-oidc-issuer ISSUER"
        : "cosign verify-blob \(file) --bundle \(path) --key \(word(.pem, "KEY.pub"))"
    case .base64: return "cosign verify-blob \(file) --signature \(path) --key \(word(.pem, "KEY.pub"))"
    case .raw:
      let key = word(.pem, "KEY.pub")
      return claims.contains(Claim("kind", "Ed25519"))
        ? "openssl pkeyutl -verify -pubin -inkey \(key) -rawin -in \(file) -sigfile \(path)"
        : "openssl dgst -sha256 -verify \(key) -signature \(path) \(file)"
    case .jar: return "jarsigner -verify -strict \(file)"
    case .android: return "apksigner verify \(file)"
    case .authenticode: return "osslsigncode verify \(file)"
    case .apple: return "codesign --verify --strict --deep \(file)"
    }
  }

  /// The command of OpenSSH, which wants to know the signer's name and key from a file of its own.
  private func sshCommand(_ file: String, _ path: String, _ key: SignerKeyFile?) -> String {
    let namespace = claims.first { $0.name == "namespace" }.map(\.text).flatMap { Self.isPlain($0) ? $0 : nil }
    let rest = "-n \(namespace ?? "NAMESPACE") -s \(path) < \(file)"
    guard let key, key.kind == .ssh else { return "ssh-keygen -Y verify -f ALLOWED_SIGNERS -I SIGNER \(rest)" }
    return "sed 's/^/publisher /' < \(key.path.shellWord) > ALLOWED_SIGNERS && "
      + "ssh-keygen -Y verify -f ALLOWED_SIGNERS -I publisher \(rest)"
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

  /// Whether the file of the signature ends before the signature does.
  public var isCutOff: Bool { claims.contains(Claim.cutOff) }

  private var holdsContent: Bool { claims.contains(Claim("content", "in it")) }
  private var isText: Bool { claims.contains(Claim("encoding", "PEM")) }
  private var isKeyless: Bool { claims.contains { $0.name == "signer" } }
}
