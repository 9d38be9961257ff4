internal import ArgumentParser
internal import ModuleSpec
internal import SignetBase
internal import SignetCLI

/// The checkout of a module's sources, in which the tag of a release is looked for.
struct SpecCheckoutOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Look for the tag in this checkout of git. Default: the spec's folder, if it is the top of one.",
      valueName: "dir"),
    completion: .directory)
  var checkout: String?

  @Flag(name: .long, help: "Look for the tag in no checkout.")
  var noCheckout = false

  func validate() throws {
    if checkout != nil, noCheckout { throw ValidationError("Give --checkout or --no-checkout, not both.") }
  }

  /// Where the tag is looked for; nil for nowhere.
  var place: SpecCheckout? {
    if noCheckout { return nil }
    let git = SpecRepositoryOptions.git
    return checkout.map { .folder($0, git) } ?? .ofSpec(git)
  }
}

struct SpecLintCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check specs against rules.",
    discussion: """
      Checks each spec, and those in each folder. Without a path, checks those in this folder. Errors refuse a spec, and \
      so do warnings unless they are allowed. The spec's patterns are for the files in its folder; hidden ones are left \
      out. If the folder is the top of a checkout of git, the tag must be there and lead to the commit that the spec \
      records. docs/spec.md lists the fields and the rules.

      Exit status: 0 clean, 1 refused, 2 could not be checked, 64 wrong usage.
      """)

  @Argument(help: "Specs, or folders with specs. Default: this folder.", completion: .file())
  var path: [String] = []

  @Flag(name: .long, help: "Accept specs that only have warnings.")
  var allowWarnings = false

  @OptionGroup var checkout: SpecCheckoutOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let paths = path.isEmpty ? ["."] : path
    return try CommandRun.judging("spec lint", about: paths[0], on: console) { (run) throws(SignetError) in
      for path in paths {
        try run.trying(path) { (run) throws(SignetError) in
          for spec in try SpecLint.specs(at: path) {
            try run.trying(spec) { (run) throws(SignetError) in try lint(spec, &run) }
          }
        }
      }
    }
  }

  /// Checks a spec and tells the result.
  private func lint(_ spec: String, _ run: inout CommandRun) throws(SignetError) {
    let sheet = SpecSheet(try SpecLint.check(spec, checkout: checkout.place), allowsWarnings: allowWarnings)
    try sheet.print(to: run.console)
    if sheet.isClean { run.did([sheet.json]) } else { run.refused(sheet.json) }
  }
}
