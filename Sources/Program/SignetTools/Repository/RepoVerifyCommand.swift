internal import ArgumentParser
internal import ModuleRegistry
internal import SignetBase
internal import SignetCLI
internal import SignetTUF

struct RepoVerifyCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check all of a registry, without a network.",
    discussion: """
      Follows the roots from the first one, checks the signatures, versions and expiry of all roles that clients can reach, \
      hashes every file that they offer, and reads the index of each module. --root makes sure that it is the registry that you mean.

      Example:
        signet repo verify registry --root root.json
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Option(
    name: .long, help: ArgumentHelp("A root of the registry, from a trusted place.", valueName: "path"),
    completion: .file())
  var root: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo verify", about: directory, on: console) { (run) throws(SignetError) in
      let registry = ModuleRegistry.now(directory)
      if let root { try registry.check(root: root) }
      let check = try registry.check()
      let faults = check.faults + (try registry.indexFaults())
      run.did(check.roles.map(\.entry))
      run.did(check.waiting.map { .object(("role", .string($0)), ("verdict", .string("waiting"))) })
      run.refused(directory, faults)
      guard faults.isEmpty else { return }
      try console.result(
        ["\(Console.good()) verified  \(directory.display)"]
          + check.roles.map { role in
            let targets = role.targetCount > 0 ? ", \(role.targetCount) targets" : ""
            return "  \(role.name.display) \(role.version), valid until \(role.expires)\(targets)"
          } + check.waiting.map { "  \($0.display) has not signed anything yet" })
    }
  }
}

extension RepositoryCheck.Role {
  /// The role, for programs.
  fileprivate var entry: JSONValue {
    .object(
      ("role", .string(name)), ("version", .integer(version)), ("expires", .string("\(expires)")),
      ("targets", .integer(targetCount)))
  }
}

struct RepoPruneCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove files that no client asks for any more.",
    discussion: """
      Removes old versions of metadata, and files of modules that no role offers. All roots stay, and so does what the \
      snapshot before the current one lists, for clients that are in the middle of a refresh.

      Example:
        signet repo prune registry --dry-run
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Flag(name: .long, help: "Name the files and remove nothing.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo prune", about: directory, on: console) { (run) throws(SignetError) in
      let files = try ModuleRegistry.now(directory).prune(isTrial: dryRun)
      let word = dryRun ? "would remove" : "removed"
      try console.result(files.isEmpty ? ["nothing to remove"] : files.map { "\(word): \($0.display)" })
      run.did(
        files.map { file in
          .object(("file", .string(file)), ("verdict", .string(dryRun ? "removable" : "removed")))
        })
    }
  }
}
