internal import ArgumentParser

struct CertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cert",
    abstract: "Run a small authority that certifies signers.",
    discussion: """
      A team whose members have keys of their own trusts an authority instead of each key. The authority is a folder: \
      its certificate is what others trust, its key signs certificates, and its list says what was issued and revoked.

      Examples:
        signet cert init-ca team --subject 'CN=Team Root,O=Example'
        signet cert issue team alice.pub --subject 'CN=Alice,O=Example' \\
            --identity alice@example.com --out alice.pem
        signet sign plugin.zip --key alice --certificate alice.pem
        signet verify plugin.zip --anchor team/ca.pem \\
            --identity alice@example.com
      """,
    subcommands: [
      CertInitCommand.self, CertRequestCommand.self, CertIssueCommand.self, CertShowCommand.self,
      CertRenewCommand.self, CertRevokeCommand.self, CertListCommand.self,
    ])
}
