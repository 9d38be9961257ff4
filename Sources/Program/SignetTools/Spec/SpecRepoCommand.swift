internal import ArgumentParser
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem

struct SpecRepoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repo",
    abstract: "Keep repositories of specs.",
    discussion: """
      A repository holds specs as NAME/VERSION/NAME.modspec.json. It is a folder, or a repository of git, which the \
      program git fetches. Nothing in it is executed.

      Examples:
        signet spec repo add example https://git.example.com/specs.git
        signet spec repo update --policy trust.json
      """,
    subcommands: [
      SpecRepoAddCommand.self, SpecRepoListCommand.self, SpecRepoUpdateCommand.self, SpecRepoRemoveCommand.self,
    ])
}

struct SpecRepoAddCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a repository of specs under a name.",
    discussion: """
      A repository of git is fetched over https or ssh, or from file:///PATH, without asking for anything: a key of ssh is \
      in an agent, and a password in a helper of git. Two repositories cannot have one name.

      Examples:
        signet spec repo add example https://git.example.com/specs.git
        signet spec repo add shared /srv/specs --policy trust.json
      """)

  @Argument(help: "The name: letters, digits, and ._- but not first.")
  var name: String

  @Argument(help: "A folder, or the address of a repository of git.")
  var place: String

  @OptionGroup var trust: SpecPolicyOptions
  @OptionGroup var specs: SpecRepositoryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard SpecRepositories.isName(name) else {
      throw ValidationError("\(name) is not a name: use at most 64 letters, digits, and ._- but not first.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("spec repo add", about: name, on: console) { (run) throws(SignetError) in
      let place = try SpecPlace(place)
      let verifier = try trust.verifier()
      defer { Interruption.cleanUp(with: nil) }
      let count = try specs.repositories().add(name, at: place, verifiedBy: verifier) { folder in
        Interruption.cleanUp { NewDirectory.remove(folder) }
      }
      try run.did(
        .object(
          ("name", .string(name)), ("place", .string(place.description)), ("specs", .integer(count)),
          ("verdict", .string("added"))),
        "\(Console.good()) added  \(name): \(count.of("spec", "specs")) in \(place.description.display)")
    }
  }
}

struct SpecRepoListCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the repositories of specs that were added.")

  @OptionGroup var specs: SpecRepositoryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("spec repo list", about: "repositories", on: console) { (run) throws(SignetError) in
      let repositories = try specs.repositories().all()
      if repositories.isEmpty {
        try console.result("there is no repository of specs; add one: signet spec repo add NAME URL")
      }
      for repository in repositories {
        let count = try repository.count()
        try run.did(
          .object(
            ("name", .string(repository.name)), ("place", .string(repository.place.description)),
            ("specs", .integer(count))),
          "\(repository.name)  \(count.of("spec", "specs")) in \(repository.place.description.display)")
      }
    }
  }
}

struct SpecRepoUpdateCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Look at repositories again, and show what has changed.",
    discussion: """
      Shows which specs were added (+), changed (~) and removed (-) since the last time. With a policy, a spec that it does \
      not accept refuses the repository, which then stays as it was.

      Examples:
        signet spec repo update
        signet spec repo update example --policy trust.json
      """)

  @Argument(help: "The names of repositories. By default all.")
  var names: [String] = []

  @OptionGroup var trust: SpecPolicyOptions
  @OptionGroup var specs: SpecRepositoryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let subject = names.count == 1 ? names[0] : "repositories"
    return try CommandRun.judging("spec repo update", about: subject, on: console) { (run) throws(SignetError) in
      let verifier = try trust.verifier()
      let all = try specs.repositories()
      var repositories: [SpecRepository] = []
      for name in names { repositories.append(try all.repository(name)) }
      for repository in names.isEmpty ? try all.all() : repositories {
        let update = try repository.update(verifiedBy: verifier)
        try console.result(
          update.changes.map { "\($0.mark) \($0.spec.display)" } + [
            "\(Console.good()) updated  \(repository.name): \(update.count.of("spec", "specs"))"
          ])
        run.did([
          .object(
            ("name", .string(repository.name)), ("verdict", .string("updated")), ("specs", .integer(update.count)),
            (
              "changes",
              .array(
                update.changes.map {
                  .object(("spec", .string($0.spec)), ("change", .string($0.kind.rawValue)))
                })
            ))
        ])
      }
    }
  }
}

struct SpecRepoRemoveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Forget a repository of specs.",
    discussion: "What is kept of it here is removed. The repository itself stays as it is.")

  @Argument(help: "The repository's name.")
  var name: String

  @OptionGroup var specs: SpecRepositoryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("spec repo remove", about: name, on: console) { (run) throws(SignetError) in
      try specs.repositories().remove(name)
      try run.did(
        .object(("name", .string(name)), ("verdict", .string("removed"))), "\(Console.good()) removed  \(name)")
    }
  }
}

extension SpecChange {
  /// The sign before a spec in a list of changes.
  fileprivate var mark: String {
    switch kind {
    case .added: "+"
    case .changed: "~"
    case .removed: "-"
    }
  }
}
