internal import ArgumentParser
internal import Signet
internal import SignetArchive
internal import SignetCrypto

struct PackCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Pack a module's directory into an archive that can be signed.",
    discussion: """
      The directory has a module.json at its root, which says what the module is; it is held against the files. The same \
      files give the same bytes, whoever packs them, when and where: owners, times and permissions but the executable bit \
      are left out. All entries have the time of SOURCE_DATE_EPOCH, or else the beginning of 1980. A ZIP is always one that \
      every program reads alike; --from makes such a ZIP of any other.

      Examples:
        signet pack player --out player.zip
        signet pack player --out player.tar.zst
        signet pack --from built-by-ci.zip --out player.zip
      """)

  @Argument(help: "The module's directory.", completion: .directory)
  var directory: String?

  @Option(
    name: .long, help: ArgumentHelp("Pack what this ZIP holds, instead of a directory.", valueName: "archive"),
    completion: .file())
  var from: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where to write the archive; the name's end says which kind: .zip, .tar.gz, .tar.xz, .tar.zst or .tar.",
      valueName: "path"),
    completion: .file())
  var out: String

  @Flag(name: .long, help: "Replace a file that is there.")
  var force = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  private static let formats: [(ending: String, format: ArchiveFormat)] = [
    (".zip", .zip), (".tar.gz", .tarGzip), (".tgz", .tarGzip), (".tar.xz", .tarXZ), (".tar.zst", .tarZstandard),
    (".tar", .tar),
  ]

  private var format: ArchiveFormat? {
    Self.formats.first { out.utf8.reversed().starts(with: $0.ending.utf8.reversed()) }?.format
  }

  func validate() throws {
    guard (directory == nil) != (from == nil) else { throw ValidationError("Give a directory or --from, not both.") }
    guard format != nil else {
      throw ValidationError("--out takes a name that ends in \(Self.formats.map(\.ending).joined(separator: ", ")).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let path = directory ?? from ?? ""
    do throws(SignetError) {
      let module = try pack(path, console)
      try console.result(
        module.advice.map { "unwise: \($0.path.display): \($0.message.display) [\($0.topic)]" } + [
          "packed: \(path.display) -> \(out.display)",
          "  module     \(module.description.identifier) \(module.description.version)",
          "  sequence   \(module.description.sequence)", "  entries    \(module.entryCount)",
          "  size       \(module.size)",
        ])
      if console.isJSON { try console.document(Report.document("pack", [Report.packed(path, out, module)], .done)) }
      return .done
    } catch  where error.code != .standardOutput {
      console.complain("error", path, error)
      if console.isJSON { try console.document(Report.document("pack", [Report.failed(path, error)], .failed)) }
      return .failed
    }
  }

  private func pack(_ path: String, _ console: Console) throws(SignetError) -> PackedModule {
    let packer = ModulePacker(time: try SourceDate.time() ?? ModulePacker.earliestTime)
    let source: ModulePacker.Source =
      from == nil ? .directory(try Directory(opening: path)) : .archive(try RegularFile(opening: path))
    let draft = try packer.draft(for: source, out, replaces: force)
    if let name = draft.temporaryName { Interruption.cleanUp { try? OutputFile.remove(name) } }
    defer { Interruption.cleanUp(with: nil) }
    let plan = try packer.plan(source)
    let module = try ProgressBar.show(path, size: plan.size, console) { (counter) throws(SignetError) in
      try packer.write(plan, to: draft, as: format ?? .zip, progress: counter)
    }
    try Interruption.held { () throws(SignetError) in try draft.publish() }
    return module
  }
}
