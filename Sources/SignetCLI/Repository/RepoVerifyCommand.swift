internal import ArgumentParser
internal import ModuleRegistry
internal import SignetBase
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
    let registry = RegistryRun.registry(directory)
    let check: RepositoryCheck
    let faults: [SignetError]
    do throws(SignetError) {
      if let root { try registry.check(root: root) }
      check = try registry.check()
      faults = check.faults + (try registry.indexFaults())
    } catch  where RegistryRun.refusals.union([.tufNotFound]).contains(error.code) {
      console.refuse(directory, [error])
      if console.isJSON {
        try console.document(Report.document("repo verify", [Report.refused(directory, error)], .refused))
      }
      return .refused
    }
    let status: ExitStatus = faults.isEmpty ? .done : .refused
    if console.isJSON {
      let roles = check.roles.map { role in
        JSONValue.object(
          ("role", .string(role.name)), ("version", .integer(role.version)),
          ("expires", .string("\(role.expires)")), ("targets", .integer(role.targetCount)))
      }
      let waiting = check.waiting.map { JSONValue.object(("role", .string($0)), ("verdict", .string("waiting"))) }
      let refused = faults.isEmpty ? [] : [Self.refused(directory, faults)]
      try console.document(Report.document("repo verify", roles + waiting + refused, status))
      return status
    }
    if faults.isEmpty {
      try console.result(
        ["\(Console.good()) verified  \(directory.display)"]
          + check.roles.map { role in
            let targets = role.targetCount > 0 ? ", \(role.targetCount) targets" : ""
            return "  \(role.name.display) \(role.version), valid until \(role.expires)\(targets)"
          } + check.waiting.map { "  \($0.display) has not signed anything yet" })
    } else {
      console.refuse(directory, faults)
    }
    return status
  }

  private static func refused(_ directory: String, _ faults: [SignetError]) -> JSONValue {
    .object(
      ("file", .string(directory)), ("verdict", .string("refused")),
      ("reasons", .array(faults.map { Report.json($0) })))
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
    try RegistryRun.run("repo prune", directory, console) { () throws(SignetError) in
      let files = try RegistryRun.registry(directory).prune(isTrial: dryRun)
      let word = dryRun ? "would remove" : "removed"
      try console.result(files.isEmpty ? ["nothing to remove"] : files.map { "\(word): \($0.display)" })
      return files.map { file in
        .object(("file", .string(file)), ("verdict", .string(dryRun ? "removable" : "removed")))
      }
    }
  }
}
