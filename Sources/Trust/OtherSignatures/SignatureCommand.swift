internal import SignetBase
internal import SignetSystem

/// The command line that verifies a signature with its own program.
///
/// It writes no file in the folder where it runs: a download may have put a link there. What a signature chose stands in it
/// only as a plain word.
extension OtherSignature {
  /// The command line, with words in capital letters for what the reader has to know; nil for a signature that is not
  /// whole.
  ///
  /// - Parameters:
  ///   - file: the path of the file that is signed.
  ///   - path: the path of the signature; the file's own if it is inside.
  ///   - key: the key that is trusted, if the reader has named one.
  public func command(verifying file: String, signature path: String, key: SignerKey? = nil) -> String? {
    guard !isCutOff else { return nil }
    let (file, path) = (file.shellWord, path.shellWord)
    func word(_ kind: SignerKey.Kind, _ otherwise: String) -> String {
      key.flatMap { $0.kind == kind && $0.isFile ? $0.text.shellWord : nil } ?? otherwise
    }
    switch format {
    case .minisign: return own(file, path, key: key?.kind == .minisign ? key : nil, "KEY.pub")
    case .signify:
      // What it holds is all that it signs.
      guard holdsContent else { return own(file, path, key: key?.kind == .minisign ? key : nil, "KEY.pub") }
      return "\(Self.signify) -V -e -x \(path) -p \(word(.minisign, "KEY.pub")) -m /dev/null"
    case .ssh:
      // A certificate counts by its authority, which such a file names.
      guard let key, key.kind == .ssh, !isCertified else {
        return own(file, path, key: nil, "ALLOWED_SIGNERS") + sshFormat(ofFiles: "")
      }
      return own(file, path, key: key, "") + sshFormat(ofFiles: " --format ssh")
    case .openPGP: return openPGPCommand(file, path, key)
    case .cms: return cmsCommand(file, path, word(.certificate, "CA.pem"))
    case .sigstoreBundle:
      let verify = "signet verify \(file) --signature \(path) --format message"
      return isKeyless
        ? "\(verify) --certificate-identity IDENTITY --certificate-oidc-issuer ISSUER"
        : "\(verify) --key \(word(.pem, "KEY.pub"))"
    case .cosignBundle:
      return isKeyless
        ? "cosign verify-blob \(file) --bundle \(path) --certificate-identity IDENTITY --certificate-oidc-issuer ISSUER"
        : "cosign verify-blob \(file) --bundle \(path) --key \(word(.pem, "KEY.pub"))"
    case .envelope: return envelopeCommand(file, path, word(.pem, "KEY.pub"))
    case .base64, .raw: return own(file, path, key: key?.kind == .pem ? key : nil, "KEY.pub") + " --format raw"
    case .jar: return "jarsigner -verify -strict \(file)"
    case .android: return "apksigner verify --print-certs \(file)"
    case .authenticode: return "osslsigncode verify \(file)"
    case .apple: return "codesign --verify --strict --deep \(file)"
    }
  }

  /// Whether the signature's program verifies with a key of this kind.
  public func accepts(_ key: SignerKey) -> Bool {
    switch (format, key.kind) {
    case (.minisign, .minisign), (.signify, .minisign), (.ssh, .ssh), (.openPGP, .openPGP), (.cms, .certificate):
      key.isFile || format != .cms
    case (.cosignBundle, .pem), (.sigstoreBundle, .pem), (.base64, .pem), (.raw, .pem),
      (.envelope, .pem):
      key.isFile
    default: false
    }
  }

  /// The name of the program: Debian and what comes from it has another program of this name.
  private static let signify =
    (try? FileStatus(ofLink: "/usr/bin/signify-openbsd")) == nil ? "signify" : "signify-openbsd"

  /// The command of Signet itself. A signature beside the file is found.
  private func own(_ file: String, _ path: String, key: SignerKey?, _ otherwise: String) -> String {
    let isBeside = Self.endings.contains { "\(file)\($0)".isExactly(path) }
    return "signet verify \(file)\(isBeside ? "" : " --signature \(path)") --key \(key?.text.shellWord ?? otherwise)"
  }

  /// How Signet is told which namespace of OpenSSH is meant.
  ///
  /// - Parameter words: what says that it is that of files.
  private func sshFormat(ofFiles words: String) -> String {
    guard let namespace = claims.first(where: { $0.name == "namespace" })?.text else { return words }
    if namespace == "file" { return words }
    return Self.isPlain(namespace) ? " --format ssh:\(namespace)" : " --format ssh:NAMESPACE"
  }

  /// The command of GnuPG. A key that is given is the only one that counts.
  private func openPGPCommand(_ file: String, _ path: String, _ key: SignerKey?) -> String {
    guard let key, key.kind == .openPGP, key.isFile else {
      // The text that it holds is what is signed, whatever lies beside it.
      return holdsContent
        ? "gpg --verify \(path) && gpg --decrypt \(path) | cmp - \(file)" : "gpg --verify \(path) \(file)"
    }
    let gpg = "gpg --homedir \"$d\""
    return "d=$(mktemp -d) && \(gpg) -q --import \(key.text.shellWord) && "
      + (holdsContent
        ? "\(gpg) --verify \(path) && \(gpg) --decrypt \(path) | cmp - \(file)" : "\(gpg) --verify \(path) \(file)")
  }

  /// The command of the program that made the statement, which asks a log for what the envelope lacks.
  private func envelopeCommand(_ file: String, _ path: String, _ key: String) -> String {
    let type = claims.first { $0.name == Self.states }?.text ?? ""
    guard !type.hasPrefix("https://slsa.dev/provenance/") else {
      return "slsa-verifier verify-artifact \(file) --provenance-path \(path) --source-uri github.com/OWNER/NAME"
    }
    return "cosign verify-blob-attestation \(file) --signature \(path) --key \(key) --type TYPE"
  }

  /// The claim that says of which type a statement is.
  static let states = "states"

  /// The command of openssl, which writes what it verifies before it knows the result.
  private func cmsCommand(_ file: String, _ path: String, _ authority: String) -> String {
    let rest = "-CAfile \(authority) -purpose any -out /dev/null"
    if claims.contains(Claim("encoding", "S/MIME")) { return "openssl cms -verify -inform SMIME -in \(path) \(rest)" }
    return
      "openssl cms -verify -binary -inform \(isText ? "PEM" : "DER") -in \(path) -content \(file) \(rest)"
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

  private var isCertified: Bool {
    claims.contains { $0.name == "key" && $0.text.utf8.firstRange(of: Array("-cert-v01@".utf8)) != nil }
  }
  private var holdsContent: Bool { claims.contains(Claim("content", "in it")) }
  private var isText: Bool { claims.contains(Claim("encoding", "PEM")) }
  private var isKeyless: Bool { claims.contains { $0.name == "signer" } }
}
