internal import ArgumentParser
internal import Signet
internal import SignetCrypto

struct InspectCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a bundle claims. Nothing is verified.",
    discussion: """
      Shows every bundle of the file, or every bundle beside it. Everything shown is a claim that anybody could have \
      written; signet verify tells what is true.

      Examples:
        signet inspect plugin.zip
        signet inspect plugin.zip.sigstore.json
      """)

  @Argument(help: "A file with bundles, or one with bundles beside it.", completion: .file())
  var bundle: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let bundles: [SigstoreBundle]
    do throws(SignetError) {
      bundles = try found()
    } catch  where error.code == .signatureMissing || error.code == .signatureUnreadable {
      throw error.cause as? SignetError ?? error
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

  /// The bundles beside the file where there are any, otherwise its own.
  private func found() throws(SignetError) -> [SigstoreBundle] {
    // A directory's bundles lie beside it, wherever the path leads.
    let place = (try? Directory(opening: bundle).place()) ?? bundle
    let beside = [BundleFile.single(place), BundleFile.several(place)].filter {
      !FileStatus.identities(of: [$0]).isEmpty
    }
    var bundles: [SigstoreBundle] = []
    for path in beside.isEmpty ? [bundle] : beside { bundles += try SigstoreBundle.all(in: path) }
    return bundles
  }
}
