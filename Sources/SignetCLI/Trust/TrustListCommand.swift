internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto

struct TrustListCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Show whom a trust policy trusts.")

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let read = try TrustPolicy(trustedFile: policy, allowsTestKeys: true)
    try console.result(PolicyReport.lines(read))
    if console.isJSON {
      try console.document(Report.document("trust list", [PolicyReport.json(policy, read)], .done))
    }
    return .done
  }
}
