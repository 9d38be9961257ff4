internal import ArgumentParser
internal import ModuleImages
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetOCI
internal import SignetSystem

struct PullCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Get a module from an OCI registry, and verify it.",
    discussion: """
      Finds the manifest, downloads the archive and the bundles that are about it, and verifies them under the trust \
      policy as signet verify does. The file appears only if it is verified. The registry decides nothing: a tag may have \
      moved to another release, so name the module, or the manifest by its digest, if it matters which one it is.

      Without --out, the file is called IDENTIFIER-VERSION and the format, in the current folder. Bundles that are not in \
      the archive are written beside it.

      Compare with signet install, which chooses the releases for a Modfile and installs them.

      Examples:
        signet pull oci://registry.example.com/modules/player:1.0.0 \\
            --policy trust.json
        signet pull oci://registry.example.com/modules/player@sha256:… \\
            --key publisher.pub --out player.zip
      """)

  @Argument(
    help: "Where to get it, with a tag or a digest.", completion: OCIPlace.starts, transform: OCIPlace.argument)
  var place: OCIPlace

  @OptionGroup var trust: TrustSourceOptions

  @Option(
    name: .long, help: ArgumentHelp("The module it must be.", valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier?

  @Option(
    name: .long, help: ArgumentHelp("The file to write.", valueName: "path"), completion: .file())
  var out: String?

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  @OptionGroup var registry: RegistryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    try trust.check()
    if place.manifest == nil { throw ValidationError("Name a tag or a digest to pull.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("pull", about: "\(place)", on: console) { (run) throws(SignetError) in
      guard let name = place.manifest else {
        throw SignetError(.commandLine, "\(place)", "names no manifest", expected: "a tag or a digest")
      }
      let verifier = Verifier(policy: try trust.read(), clock: .system)
      if let out {
        try SignetError.offeringForce { () throws(SignetError) in try OutputFile.check(out, existing) }
      }
      let pull = try ModulePull(name, in: registry.open(place))
      let draft = try OutputDraft(to: out ?? "./.signet-pull", out == nil ? .replace(unless: []) : existing)
      if let name = draft.temporaryName { Interruption.cleanUp { try? OutputFile.remove(name) } }
      defer { Interruption.cleanUp(with: nil) }
      let archive = try download(pull, to: draft, console)
      let (verdict, bundles) = try ProgressBar.show("\(place)", size: pull.size, console) {
        (counter) throws(SignetError) in
        try pull.verify(archive, by: verifier, as: module, progress: counter) {
          console.warn($0)
        }
      }
      let report = VerdictReport("\(place)", verdict, at: nil, isNamed: trust.policy != nil)
      guard case .verified(let proof) = verdict else {
        try report.print(to: console, explain: false, digests: false)
        return run.refused(report.json)
      }
      let path = try publish(draft, of: proof, archive: archive, bundles: bundles)
      try console.result(
        "\(Console.good()) pulled  \(proof.module.identifier) \(proof.module.version), sequence \(proof.module.sequence)",
        "  file      \(path.display)", "  manifest  \(pull.manifest.digest)")
      run.did([
        .object(
          ("file", .string(path)), ("verdict", .string("pulled")), ("place", .string("\(place)")),
          ("manifest", .string("\(pull.manifest.digest)")),
          ("identifier", .string("\(proof.module.identifier)")), ("version", .string("\(proof.module.version)")),
          ("sequence", .integer(proof.module.sequence)), ("bundles", .integer(bundles.count)))
      ])
    }
  }

  private var existing: OutputFile.Existing { force ? .replace(unless: []) : .keep }

  private func download(
    _ pull: ModulePull, to draft: OutputDraft, _ console: Console
  ) throws(SignetError) -> WrittenBytes {
    let writer = OutputWriter(descriptor: try draft.descriptor())
    try ProgressBar.show("\(place)", size: pull.size, console) { (counter) throws(SignetError) in
      try pull.read { (piece) throws(SignetError) in
        counter.add(piece.count)
        try writer.append(piece)
      }
    }
    return try writer.finish()
  }

  /// Gives the archive its name, after its bundles have theirs: a module is never there without them.
  private func publish(
    _ draft: OutputDraft, of proof: VerifiedModule, archive: WrittenBytes, bundles: [[UInt8]]
  ) throws(SignetError) -> String {
    let own = ModuleImage.fileName(of: proof.module, archive)
    return try SignetError.offeringForce { () throws(SignetError) in
      if out == nil { try draft.rename(to: own, existing) }
      let path = out ?? own
      let text = bundles.reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] }
      let places = [BundleFile.single(path), BundleFile.several(path)]
      for place in [path] + places { try OutputFile.check(place, existing) }
      // Those of another archive would be taken for this one's.
      for place in places { try OutputFile.remove(place) }
      if !bundles.isEmpty { try OutputFile.write(text, to: places[bundles.count == 1 ? 0 : 1], existing) }
      try Interruption.held { () throws(SignetError) in try draft.publish() }
      return path
    }
  }
}
