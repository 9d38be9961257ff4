internal import ArgumentParser
internal import ModuleRegistry
internal import RegistrySite
internal import ReleaseGate
internal import SignetBase
internal import SignetCLI
internal import SignetSystem
internal import SignetTUF

struct RepoSiteCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "site",
    abstract: "Write pages about a registry, for people.",
    discussion: """
      Writes static pages into a folder: a list of all modules with a search, a page for each module, and one for each \
      publisher. They need no server, and no script but for the search. What they show was verified as a client verifies \
      it; what cannot be verified is left out, and told. Pages prove nothing: a host verifies by itself what it loads.

      Run it again after each refresh. It writes what has changed and removes what is gone. Other files in the folder stay \
      as they are.

      Examples:
        signet repo site registry --out site
        signet repo site registry --out site --root root.json \\
            --url https://modules.example.com/registry
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Option(name: .long, help: ArgumentHelp("The folder of the pages.", valueName: "folder"), completion: .directory)
  var out: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A root of the registry, from a trusted place. Without it, the registry's own first root is used.",
      valueName: "path"), completion: .file())
  var root: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Where hosts find the registry, for the lines of a Modfile.", valueName: "url"))
  var url: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let url, RegistryAddress(url) == nil {
      throw ValidationError("--url \(url) is not a URL of http or https without user name, query and fragment.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo site", about: directory, on: console) { (run) throws(SignetError) in
      let bytes = try root.map { (path) throws(SignetError) in
        try RegularFile(opening: path).bytes(limit: TUFLimits.standard.root)
      }
      let site = RegistrySite(of: directory, root: bytes, address: url.flatMap { RegistryAddress($0) })
      let outcome = try site.write(to: out, at: SystemTime.now())
      for fault in outcome.faults { console.warn(fault) }
      try console.result(
        "\(Console.good()) written  \(out.display)",
        "  shows    \(Amount.of(outcome.modules, "module", "modules")) of "
          + Amount.of(outcome.publishers, "publisher", "publishers"),
        "  files    \(Amount.number(outcome.written.count)) written, "
          + "\(Amount.number(outcome.files - outcome.written.count)) unchanged, "
          + "\(Amount.number(outcome.removed.count)) removed")
      run.did(
        [
          .object(
            ("folder", .string(out)), ("verdict", .string("written")), ("modules", .integer(outcome.modules)),
            ("publishers", .integer(outcome.publishers)), ("files", .integer(outcome.files)),
            ("written", .array(outcome.written.map { .string($0) })),
            ("removed", .array(outcome.removed.map { .string($0) })))
        ] + outcome.faults.map { .object(("verdict", .string("warning")), ("reasons", .array([Report.json($0)]))) })
    }
  }
}
