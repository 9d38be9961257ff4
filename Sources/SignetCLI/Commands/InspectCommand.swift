internal import ArgumentParser
internal import Signet
internal import SignetCrypto

struct InspectCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a bundle claims. Nothing is verified.",
    discussion: """
      Everything shown is a claim that anybody could have written; signet verify tells what is true.

      Example:
        signet inspect plugin.zip.sigstore.json
      """)

  @Argument(help: "The bundle, or a file with a bundle a line.", completion: .file())
  var bundle: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let bundles: [SigstoreBundle]
    do throws(SignetError) {
      bundles = try SigstoreBundle.all(in: bundle)
    } catch  where error.code == .signatureMissing || error.code == .signatureUnreadable {
      throw error
    } catch {
      console.complain("refused", bundle, error)
      if console.isJSON {
        try console.document(Report.document("inspect", [Report.refused(bundle, error)], .refused))
      }
      return .refused
    }
    let reports = bundles.map { BundleReport($0) }
    if console.isJSON {
      try console.document(Report.document("inspect", reports.map(\.json), .done))
      return .done
    }
    try console.result("\(bundle.display): claims that nobody has verified")
    for (number, report) in reports.enumerated() {
      if reports.count > 1 { try console.result("bundle \(number + 1)") }
      try console.result(report.lines)
    }
    return .done
  }
}
