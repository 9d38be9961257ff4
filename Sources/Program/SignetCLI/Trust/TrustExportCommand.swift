internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

struct TrustExportCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export an entry's authority for another program.",
    discussion: """
      The format sigstore is that of trusted_root.json. It contains only the authority. Configure in the other program \
      which identities of that authority to trust.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case sigstore }

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(help: "The name of the entry.")
  var name: String

  @Option(name: .long, help: "The format.")
  var format: Format

  @Option(
    name: .long, help: ArgumentHelp("Where to write it. Default: standard output.", valueName: "path"),
    completion: .file())
  var out: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let policy = try TrustPolicy(trustedFile: policy, allowsTestKeys: true, with: .all)
    let entries = policy.entries + (policy.summary?.signers ?? [])
    guard let entry = entries.first(where: { $0.name.isExactly(name) }) else {
      throw SignetError(
        .policyEntry, self.policy, "has no entry with that name",
        expected: entries.map(\.name).joined(separator: ", "), found: name)
    }
    let text = try entry.sigstoreTrustedRoot()
    if let out {
      try Interruption.held { () throws(SignetError) in
        try OutputFile.write(text + [UInt8(ascii: "\n")], to: out, .keep)
      }
    } else {
      try Console.output(String(decoding: text, as: UTF8.self).visibleJSON + "\n")
    }
    return .done
  }
}
