internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct InspectCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a signature claims, or which key this is.",
    discussion: """
      Shows every bundle in a module's archive and beside it, or the bundles in the given file. For a module it also \
      shows who the module says it is and what it holds. An unsigned archive is shown as it is. Everything shown is an \
      unverified claim; use signet verify to find out what is true.

      Of a key or a certificate it shows the key's ID, and a public key as a text that --key takes.

      Examples:
        signet inspect plugin.zip
        signet inspect plugin.zip.sigstore.json
        signet inspect publisher.pub
      """)

  @Argument(help: "A file with bundles, one with bundles beside it, or a key.", completion: .file())
  var bundle: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if StandardInput.isMeant(by: bundle) {
      throw ValidationError("inspect reads a file: write standard input to one.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let bundles: [SigstoreBundle]
    do throws(SignetError) {
      bundles = try FoundBundles(bundle).all()
      if bundles.isEmpty { return try UnsignedModule(path: bundle).show(console) }
    } catch  where error.code == .signatureMissing || error.code == .signatureUnreadable {
      if error.code == .signatureMissing {
        if try showOthers(console) { return .done }
        if let key = KeyReport(bundle) {
          try key.show(console)
          return .done
        }
      }
      throw error.cause as? SignetError ?? error
    } catch {
      if [.signatureMalformed, .bundleMessageSignature].contains(error.code) {
        if try showForeign(console) { return .done }
        if try showOthers(console) { return .done }
      }
      console.refuse(bundle, [error])
      // What is no bundle is refused, whatever keeps it from being one.
      var refusal = error
      refusal.isVerdict = true
      if console.isJSON {
        try console.document(Report.document("inspect", [Report.ended(bundle, refusal)], .refused))
      }
      return .refused
    }
    let digests = try archiveDigests(console)
    let reports = bundles.map { BundleReport($0) }
    if console.isJSON {
      let entries = reports.map { $0.json(computed: digests) }
      try console.document(Report.document("inspect", entries, .done))
      return .done
    }
    if let digests {
      try console.result("\(bundle.display): digests of what it is")
      try console.result(Self.lines(digests.signed, "without its signing block: what is signed"))
      if let file = digests.file { try console.result(Self.lines(file, "the whole file")) }
    }
    try console.result("\(bundle.display): claims that nobody has verified")
    for (number, report) in reports.enumerated() {
      if reports.count > 1 { try console.result("bundle \(number + 1)") }
      try console.result(report.lines)
    }
    return .done
  }

  /// Shows the bundles in a file in which another program keeps them.
  ///
  /// - Returns: false for a file of another form, or with a bundle that cannot be read.
  private func showForeign(_ console: Console) throws(SignetError) -> Bool {
    guard let file = try? RegularFile(opening: bundle), file.size <= JSONLimits.bundle.size,
      let text = try? file.bytes(in: 0..<file.size), let texts = try? ForeignShapes.bundles(in: text)
    else { return false }
    var reports: [BundleReport] = []
    for text in texts {
      guard let bundle = try? SigstoreBundle(json: text) else { return false }
      reports.append(BundleReport(bundle))
    }
    if console.isJSON {
      try console.document(Report.document("inspect", reports.map { $0.json(computed: nil) }, .done))
    } else {
      try console.result("\(bundle.display): claims that nobody has verified")
      for (number, report) in reports.enumerated() {
        try console.result("bundle \(number + 1)")
        try console.result(report.lines)
      }
    }
    return true
  }

  /// Shows what a signature of another program claims: the file itself, or those beside it and in it.
  ///
  /// - Returns: false if there is none.
  private func showOthers(_ console: Console) throws(SignetError) -> Bool {
    let itself = OtherSignatureReport(bundle, isSaid: false)
    let others =
      itself.map { [$0] }
      ?? (OtherSignatureReport.all(about: bundle)
        + [BundleFile.single(bundle)].compactMap { OtherSignatureReport($0, isSaid: false) })
    guard !others.isEmpty else { return false }
    let artifact = itself?.artifact ?? bundle
    if console.isJSON {
      try console.document(Report.document("inspect", others.map { $0.json(about: artifact) }, .done))
    }
    for other in others {
      try console.result("\(other.path.display): claims that nobody has verified")
      try console.result(other.lines(about: artifact))
    }
    return true
  }

  /// The digests of an archive with a signing block; nil for anything else.
  private func archiveDigests(_ console: Console) throws(SignetError) -> SignedDigests? {
    guard let file = try? RegularFile(opening: bundle), try !FoundBundles(bundle).attached().isEmpty else {
      return nil
    }
    return try ProgressBar.show(bundle, size: file.size, console) { (counter) throws(SignetError) in
      try SignedDigests(of: file, progress: counter)
    }
  }

  private static func lines(_ digests: FileDigests, _ note: String) -> [String] {
    [
      "  sha256          \(digests.sha256.hex)  (\(note))",
      "  fsverity        \(digests.fsverity)  (\(note))",
    ]
  }
}
