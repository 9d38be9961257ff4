internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct DetachCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Take the bundles out of a module's archive.",
    discussion: """
      Writes the bundles beside the archive as NAME.sigstore.json, or as NAME.sigstore.jsonl if there are several. \
      Restores the archive, byte for byte, to what it was before they were attached.

      Examples:
        signet detach plugin.zip
        signet detach signed.zip --out plugin.zip
      """)

  @Argument(help: "The module's archive, a ZIP.", completion: .file())
  var archive: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the archive without its bundles to this path instead, and the bundles beside it.", valueName: "path"),
    completion: .file())
  var out: String?

  @Flag(name: .long, help: "Replace existing bundles, and the file that --out names.")
  var force = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("detach", about: archive, on: console) { (run) throws(SignetError) in try detach(&run) }
  }

  private func detach(_ run: inout CommandRun) throws(SignetError) {
    let input = out == nil ? try InputArtifact(replacing: archive) : try InputArtifact(opening: archive)
    let place = ArchiveOutput(input: input, out: out, force: force, kept: [])
    try place.checkPlace()
    let detached = try AttachedArchive.detaching(from: input.artifact)
    let bundles = try write(detached.bundles, beside: place.path, keeping: input)
    let written = try place.write(detached)
    try run.did(
      Report.detached(archive, archive: written, bundle: bundles, count: detached.bundles.count),
      "\(Console.good()) detached  \(bundles.display)", "  archive  \(written.display)")
  }

  /// Writes the bundles before the archive is changed, so that they exist somewhere at every moment.
  private func write(
    _ bundles: [SigstoreBundle], beside path: String, keeping input: InputArtifact
  ) throws(SignetError) -> String {
    var text: [UInt8] = []
    for bundle in bundles { text += try bundle.canonicalBytes() + [UInt8(ascii: "\n")] }
    let target = bundles.count == 1 ? BundleFile.single(path) : BundleFile.several(path)
    // An interrupted run has left the same file there.
    if let file = try? RegularFile(opening: target), file.size == text.count,
      (try? file.bytes(in: 0..<text.count)) == text
    {
      return target
    }
    try SignetError.offeringForce { () throws(SignetError) in
      try OutputFile.write(text, to: target, force ? .replace(unless: [input.status.identity]) : .keep)
    }
    return target
  }
}
