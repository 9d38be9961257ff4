internal import ArgumentParser
internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem

struct CertRenewCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Certify a signer again, by the old certificate.",
    discussion: """
      The new certificate has the names and the key of the old one, which this authority must have issued and not \
      revoked. The old one stays valid until its end.

      Example:
        signet cert renew team alice.pem --out alice-2027.pem
      """)

  @Argument(help: "The authority's folder.", completion: .directory)
  var folder: String

  @Argument(help: "The old certificate.", completion: .file())
  var certificate: String

  @OptionGroup var validity: ValidityOptions

  @Option(name: .long, help: ArgumentHelp("Where to write the certificate.", valueName: "path"), completion: .file())
  var out: String

  @OptionGroup var passphrase: PassphraseOptions

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert renew", about: certificate, on: console) { (run) throws(SignetError) in
      let old = try Certificate.all(inTrustedFile: certificate)[0]
      try CertIssueCommand.issue(
        by: AuthorityFolder(path: folder), to: out, passphrase, &run
      ) { (authority, key) throws(SignetError) in
        try authority.renewed(old, days: validity.days, lists: validity.crlUrl, by: key, at: SystemTime.now())
      }
    }
  }
}
