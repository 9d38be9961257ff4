internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetSystem

struct AttachCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Put bundles into a module's archive.",
    discussion: """
      Puts the bundles beside the archive, or the ones you name, into a signing block before the central directory. \
      Unzip programs ignore that block. The archive is replaced in one step, and detach restores it byte for byte. The \
      bundles must be about this archive. Whether their signatures are valid is for signet verify to say.

      Examples:
        signet attach plugin.zip
        signet attach plugin.zip reviewer.sigstore.json --out signed.zip
      """)

  @Argument(help: "The module's archive, a ZIP.", completion: .file())
  var archive: String

  @Argument(help: "The bundles. Default: those beside the archive.", completion: .file())
  var bundle: String?

  @Option(
    name: .long, help: ArgumentHelp("Write the signed archive to this path instead.", valueName: "path"),
    completion: .file())
  var out: String?

  @Flag(name: .long, help: "Replace the file that --out names.")
  var force = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("attach", about: archive, on: console) { (run) throws(SignetError) in try attach(&run) }
  }

  private func attach(_ run: inout CommandRun) throws(SignetError) {
    let input = out == nil ? try InputArtifact(replacing: archive) : try InputArtifact(opening: archive)
    let sources = bundle.map { [$0] } ?? [BundleFile.single(input.place), BundleFile.several(input.place)]
    let place = ArchiveOutput(input: input, out: out, force: force, kept: FileStatus.identities(of: sources))
    try place.checkPlace()
    let bundles = try self.bundles(beside: input.place)
    let attached = try ProgressBar.show(archive, size: input.size, run.console) { (counter) throws(SignetError) in
      try AttachedArchive.attaching(bundles, to: input.artifact, at: SystemTime.now(), progress: counter)
    }
    let written = try place.write(attached)
    try run.did(
      Report.attached(archive, written, bundles.count),
      "\(Console.good()) attached  \(bundles.count.of("bundle", "bundles")) to \(written.display)")
  }

  private func bundles(beside place: String) throws(SignetError) -> [SigstoreBundle] {
    if let bundle { return try SigstoreBundle.all(in: bundle) }
    return try SigstoreBundle.all(beside: place)
  }
}
