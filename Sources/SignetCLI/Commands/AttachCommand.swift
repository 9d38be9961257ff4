internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetSystem

struct AttachCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Put bundles into the module's archive that they are about.",
    discussion: """
      Takes the bundles beside the archive unless one is named, and puts them into a signing block in front of the \
      central directory, where every unzip leaves them alone. The archive is replaced in one step; detach restores it \
      to the byte. The bundles must be about this archive; whether their signatures hold, signet verify tells.

      Examples:
        signet attach plugin.zip
        signet attach plugin.zip reviewer.sigstore.json --out signed.zip
      """)

  @Argument(help: "The module's archive, a ZIP.", completion: .file())
  var archive: String

  @Argument(help: "The bundles; those beside the archive unless given.", completion: .file())
  var bundle: String?

  @Option(
    name: .long, help: ArgumentHelp("Write the signed archive here instead.", valueName: "path"), completion: .file())
  var out: String?

  @Flag(name: .long, help: "Replace what --out names.")
  var force = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    do throws(SignetError) {
      try attach(console)
      return .done
    } catch  where error.code != .standardOutput {
      console.complain(archive, error)
      if console.isJSON {
        try console.document(Report.document("attach", [Report.failed(archive, error)], .failed))
      }
      return .failed
    }
  }

  private func attach(_ console: Console) throws(SignetError) {
    let input = out == nil ? try InputArtifact(replacing: archive) : try InputArtifact(opening: archive)
    let sources = bundle.map { [$0] } ?? [BundleFile.single(input.place), BundleFile.several(input.place)]
    let place = ArchiveOutput(input: input, out: out, force: force, kept: FileStatus.identities(of: sources))
    try place.checkPlace()
    let bundles = try self.bundles(beside: input.place)
    let attached = try ProgressBar.show(archive, size: input.size, console) { (counter) throws(SignetError) in
      try AttachedArchive.attaching(bundles, to: input.artifact, at: SystemTime.now(), progress: counter)
    }
    let written = try place.write(attached)
    try console.result(
      "\(Console.good()) attached  \(bundles.count.of("bundle", "bundles")) to \(written.display)")
    if console.isJSON {
      try console.document(Report.document("attach", [Report.attached(archive, written, bundles.count)], .done))
    }
  }

  private func bundles(beside place: String) throws(SignetError) -> [SigstoreBundle] {
    if let bundle { return try SigstoreBundle.all(in: bundle) }
    return try SigstoreBundle.all(beside: place)
  }
}
