internal import ArgumentParser
internal import ModulePackaging
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetGit
internal import SignetProcesses
internal import SignetSystem

struct ReleaseCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Build and sign a module's release from a git commit.",
    discussion: """
      Makes the module and its source archive from one commit, and signs both.

      The spec (docs/spec.md) is in a checkout of git. The commit that it names must be checked out, its tag must be the \
      version, and no tracked file may be changed but the spec. Signet exports the commit into a temporary folder, runs \
      make there, and writes NAME-VERSION: the module, the sources that the spec names, a signature of each, and the \
      provenance of both, which names the commit. The build is the publisher's own code, and nothing confines it. The \
      same commit gives the same archives if the build is reproducible.

      Compare with signet pack, which packs a folder that is built already.

      Examples:
        signet release player.modspec.json --key publisher
        signet release player.modspec.json --key publisher --out releases \\
            --force
      """,
    // The name before the command was released. Only the next release has it.
    aliases: ["package"])

  @Argument(help: "The spec.", completion: .file())
  var spec: String

  @Option(
    name: .long, help: ArgumentHelp("The folder that gets NAME-VERSION.", valueName: "dir"), completion: .directory)
  var out = "."

  @Flag(
    name: .long,
    help: "Leave out static libraries of required modules. Refused for a module with a shared library.")
  var excludeDeps = false

  @Flag(name: .long, help: "Replace a package that is there.")
  var force = false

  @OptionGroup var signingKey: SigningKeyOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("release", about: spec, on: console) { (run) throws(SignetError) in
      let made = try make(console)
      for finding in made.warnings {
        console.note("warning: \(finding.field): \(finding.message.display) [\(finding.rule)]")
      }
      for path in made.excluded { console.note("left out: \(path.display), which belongs to a required module") }
      let module = made.module.description
      try run.did(
        .object(
          ("file", .string(spec)), ("verdict", .string("made")), ("folder", .string(made.folder.path)),
          ("identifier", .string("\(module.identifier)")), ("version", .string("\(module.version)")),
          ("sequence", .integer(module.sequence)), ("commit", .string(made.commit)),
          ("files", .array(made.folder.fileNames.map { .string($0) })),
          ("excluded", .array(made.excluded.map { .string($0) }))),
        "\(Console.good()) made  \(made.folder.path.display)",
        "  module   \(made.folder.moduleName.display), \(module.identifier) \(module.version)",
        "  source   \(made.folder.sourceName.display)", "  commit   \(made.commit)")
    }
  }

  private func make(_ console: Console) throws(SignetError) -> ModulePackage.Made {
    let source = try PackagedCheckout(ofSpec: spec) { ProcessEnvironment.value($0) }
    let signer = try Signer(signingKey.source.privateKey(allowsTestKeys: false))
    let package = ModulePackage(
      source, by: signer,
      ModulePackage.Options(
        out: out, excludesDependencies: excludeDeps, replaces: force, time: SystemTime.now()))
    defer { Interruption.cleanUp(with: nil) }
    console.note("build \(source.spec.name.display) \(source.spec.version) at \(source.checkout.commit)")
    // What signet new has made finds Signet by it; a path to a folder beside the checkout leads nowhere in the export.
    // A release is made of nothing that another build has left.
    let defaults =
      [(name: "PLUGIN_BUILDS", value: ".build")] + (SignetSource.own.map { [(name: "SIGNET", value: $0)] } ?? [])
    return try package.make(ProcessVariables.all, defaults: defaults) { path in
      Interruption.cleanUp { NewDirectory.remove(path) }
    } holding: { (body) throws(SignetError) in
      try Interruption.held(body)
    }
  }
}
