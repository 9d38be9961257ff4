internal import ArgumentParser
internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

struct CertIssueCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "issue",
    abstract: "Certify a signer, by a request or a public key.",
    discussion: """
      The certificate is for signing code and nothing else. Of a request it takes the name and the other names, unless \
      you give them: read them before, with signet cert show. The file has the certificates above it, too, without the \
      root, for signet sign --certificate.

      Examples:
        signet cert issue team alice.csr --out alice.pem
        signet cert issue team bob.pub --subject 'CN=Bob,O=Example' \\
            --identity bob@example.com --days 90 --out bob.pem
      """)

  @Argument(help: "The authority's folder.", completion: .directory)
  var folder: String

  @Argument(help: "A request, or a public key: its file or its text.", completion: .file())
  var request: String

  @OptionGroup var holder: HolderOptions

  @OptionGroup var validity: ValidityOptions

  @Option(name: .long, help: ArgumentHelp("Where to write the certificate.", valueName: "path"), completion: .file())
  var out: String

  @OptionGroup var passphrase: PassphraseOptions

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert issue", about: out, on: console) { (run) throws(SignetError) in
      let asked = try asked()
      try Self.issue(
        by: AuthorityFolder(path: folder), to: out, passphrase, &run
      ) { (authority, key) throws(SignetError) in
        try authority.signer(
          asked.subject, asked.names, asked.key, days: validity.days, lists: validity.crlUrl, by: key,
          at: SystemTime.now())
      }
    }
  }

  /// Whom to certify: what the request says, unless an option says it.
  private func asked() throws(SignetError) -> (subject: CertificateSubject, names: [SignerIdentity], key: PublicKey) {
    let given = try holder.subject.map { (text) throws(SignetError) in try CertificateSubject(text) }
    if PublicKey.isText(request) || !Self.isRequest(request) {
      guard let given else {
        throw SignetError(
          .authorityName, request, "is a key, which says nothing of its holder",
          expected: "a name for the certificate",
          hint: "say whose key it is: --subject NAME, and --identity NAME for what verifiers demand")
      }
      return (given, holder.identities, try KeyFile.publicKey(request))
    }
    let read: CertificateRequest
    do throws(SignetError) {
      read = try CertificateRequest(file: RegularFile.secret(request))
    } catch {
      throw error.object.hasPrefix(request) ? error : error.about("\(request): \(error.object)")
    }
    let names = holder.identity.isEmpty ? read.names : holder.identities
    guard !holder.identity.isEmpty || read.unusableNames == 0 else {
      throw SignetError(
        .authorityRequest, request, "asks for names of a kind that no policy can trust",
        expected: "addresses of mail, URIs and host names", found: "\(read.unusableNames) of another kind",
        hint: "say which names the certificate is to have: --identity NAME")
    }
    if let given { return (given, names, read.publicKey) }
    do throws(SignetError) {
      return (try CertificateSubject("\(read.subject)"), names, read.publicKey)
    } catch {
      var error = error.about("\(request): \(read.subject)")
      error.hint = "say which name the certificate is to have: --subject NAME"
      throw error
    }
  }

  /// Whether a file has a request. What cannot be read is taken for one, and is reported so.
  private static func isRequest(_ path: String) -> Bool {
    guard let content = try? RegularFile.secret(path) else { return true }
    return (try? PublicKey(file: content)) == nil
  }

  /// Has an authority certify somebody, and writes its list before the certificate.
  static func issue(
    by folder: AuthorityFolder, to out: String, _ passphrase: PassphraseOptions, _ run: inout CommandRun,
    _ certify: (inout Authority, PrivateKey) throws(SignetError) -> Certificate
  ) throws(SignetError) {
    try OutputFile.check(out, .keep)
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    var authority = try folder.read()
    let certificate = try certify(&authority, folder.privateKey(passphrase))
    try folder.keep(authority)
    try OutputFile.write(
      AuthorityFolder.pem([certificate] + AuthorityFolder.chain(below: authority)), to: out, .keep)
    try run.did(
      Report.certified(out, certificate), "\(Console.good()) certified  \(out.display)",
      "  subject  \("\(certificate.subject)".display)", "  until    \(certificate.notAfter)",
      "  serial   \(certificate.serialNumber)")
    for name in certificate.subjectAlternativeNames { try run.console.result("  name     \("\(name)".display)") }
    let days = (certificate.notAfter.seconds - certificate.notBefore.seconds) / 86_400
    if days > Int64(Authority.signerDays) {
      run.console.note(
        "it is valid for \(days) days: a key that is stolen unnoticed signs for as long; \(Authority.signerDays) are usual"
      )
    }
  }
}

extension RegularFile {
  /// The bytes of a file that may turn out to be a secret.
  ///
  /// - Throws: `file.…`.
  static func secret(_ path: String) throws(SignetError) -> SecretBytes {
    try TrustedContent.readPinned(path, limit: 64 << 10)
  }
}
