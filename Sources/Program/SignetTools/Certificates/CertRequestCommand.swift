internal import ArgumentParser
internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetFiles
internal import SignetSystem

struct CertRequestCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Write a request for a certificate of a key.",
    discussion: """
      The request (PKCS#10) has your name and your public key, and your key signs it. Send it to the authority: another \
      team's folder, or one of your organisation that runs OpenSSL or a service.

      Example:
        signet cert request --key alice --subject 'CN=Alice,O=Example' \\
            --identity alice@example.com --out alice.csr
      """)

  @OptionGroup var signingKey: SigningKeyOptions

  @OptionGroup var holder: HolderOptions

  @Option(name: .long, help: ArgumentHelp("Where to write the request.", valueName: "path"), completion: .file())
  var out: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if holder.subject == nil { throw ValidationError("Say whose it is: --subject NAME.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert request", about: out, on: console) { (run) throws(SignetError) in
      try OutputFile.check(out, .keep)
      let subject = try CertificateSubject(holder.subject ?? "")
      let key = try signingKey.source.privateKey(allowsTestKeys: false)
      let request = try CertificateRequest(subject, holder.identities, by: key)
      try OutputFile.write(request.pem, to: out, .keep)
      try run.did(
        .object(
          ("file", .string(out)), ("verdict", .string("made")), ("subject", .string("\(request.subject)")),
          ("names", .array(request.names.map { .string("\($0)") })), ("keyId", .string("\(request.publicKey.id)"))),
        "\(Console.good()) made  \(out.display)", "  subject  \("\(request.subject)".display)",
        "  key      \(request.publicKey)")
    }
  }
}
