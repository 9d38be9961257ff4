internal import ArgumentParser
internal import ModuleRegistry
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetKeys
internal import SignetSystem
internal import SignetTUF

struct RepoSignCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Look at what waits for signatures, and sign it.",
    discussion: """
      Shows in words what each draft changes that your key may sign, and signs it once you have said yes: in a terminal by typing it, otherwise \
      with --yes. Nothing else is signed than what was shown.

      On several machines: copy the registry's directory, or its folders metadata and pending; sign the copy; bring the \
      signatures back with signet repo collect. signet repo refresh publishes what is signed by enough keys.

      Examples:
        signet repo sign registry --key root-a
        signet repo sign registry --key targets --role targets --yes
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Option(name: .long, help: ArgumentHelp("Your private key. Repeatable.", valueName: "path"), completion: .file())
  var key: [String]

  @Option(name: .long, help: "Only the draft of this role. Repeatable.")
  var role: [String] = []

  @Flag(name: .long, help: "Sign without asking.")
  var yes = false

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo sign", about: directory, on: console) { (run) throws(SignetError) in
      let registry = ModuleRegistry.now(directory)
      let changes = try registry.pendingChanges().filter { change in
        role.isEmpty || role.contains { $0.isExactly(change.role) }
      }
      guard !changes.isEmpty else {
        throw SignetError(
          .repoNothingToSign, directory, "has no draft that waits for signatures",
          hint: "make a change first, such as signet repo add-publisher")
      }
      let keys = try RegistryKeyFiles.read(key, passphrase)
      let mine = changes.filter { change in keys.contains { change.concerns($0.publicKey) } }
      if mine.contains(where: { $0.fault == nil }) {
        try console.result(StatusLines.pending(mine))
        if mine.count < changes.count {
          let count = changes.count - mine.count
          console.note(
            "\(count.of("draft waits", "drafts wait")) for other keys: signet repo status \(directory.shellWord.display)"
          )
        }
        try confirm()
      }
      for key in keys {
        // Without a draft of the key, this says which roles wait.
        for role in try registry.sign(mine.contains { $0.fault == nil } ? mine : changes, with: key) {
          try run.did(
            .object(
              ("role", .string(role)), ("key", .string("\(key.publicKey.id)")), ("verdict", .string("signed"))),
            "\(Console.good()) signed  \(role.display), by \(key.publicKey)")
        }
      }
    }
  }

  private func confirm() throws(SignetError) {
    guard !yes else { return }
    let answer = try Terminal()?.ask("Sign this? Type yes: ")
    guard let answer else {
      throw SignetError(
        .repoNotConfirmed, directory, "is not signed: there is no terminal in which somebody could agree",
        hint: "read the changes, and say --yes")
    }
    guard answer.isSame(as: SecretBytes(Array("yes".utf8))) else {
      throw SignetError(.repoNotConfirmed, directory, "is not signed", expected: "the answer yes")
    }
  }
}

struct RepoDiscardCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Drop drafts that nobody should sign.",
    discussion: """
      Drops the drafts of roles, with the signatures that they have. Clients never see drafts, so nothing changes for \
      them. A publisher that only the draft of the targets has goes with that draft.

      Example:
        signet repo discard registry targets
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The roles whose drafts are dropped.")
  var role: [String]

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("repo discard", about: directory, on: console) { (run) throws(SignetError) in
      for role in try ModuleRegistry.now(directory).discard(role) {
        try run.did(
          .object(("role", .string(role)), ("verdict", .string("dropped"))),
          "\(Console.good()) dropped  the draft of \(role.display)")
      }
    }
  }
}

struct RepoCollectCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Take signatures that others have added to copies.",
    discussion: """
      Several people may sign copies of the same drafts at the same time. Valid signatures of the roles' keys are taken, and \
      nothing else. A copy of another draft is refused.

      Example:
        signet repo collect registry alice/registry bob/registry
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The copies of that directory.", completion: .directory)
  var copies: [String]

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo collect", about: directory, on: console) { (run) throws(SignetError) in
      let registry = ModuleRegistry.now(directory)
      for copy in copies {
        let roles = try registry.collect(from: copy)
        try console.result(
          roles.isEmpty
            ? "  nothing new in \(copy.display)"
            : "\(Console.good()) collected  \(roles.map(\.display).joined(separator: ", ")) from \(copy.display)")
        run.did(
          roles.map { role in
            .object(("role", .string(role)), ("from", .string(copy)), ("verdict", .string("collected")))
          })
      }
    }
  }
}

extension SignetError.Code {
  /// Nobody has agreed to what would be signed.
  static let repoNotConfirmed = Self("repo.not-confirmed", .failure)
  /// No draft waits for signatures.
  static let repoNothingToSign = Self("repo.nothing-to-sign", .failure)
}

/// The state of a registry, in lines.
enum StatusLines {
  /// Drafts, with what they change and who has yet to sign.
  static func pending(_ changes: [PendingChange]) -> [String] {
    changes.flatMap { change in
      if let fault = change.fault {
        return [
          "draft of \(change.role.display), which cannot be read: \("\(fault.object): \(fault.message)".display)"
        ]
      }
      return ["draft of \(change.role.display)\(change.isComplete ? ", signed by enough keys" : "")"]
        + change.changes.map { "  \($0)" } + change.signatures.map { "  \($0)" }
    }
  }

  /// A publisher.
  static func publisher(_ publisher: Publisher) -> [String] {
    ["publisher \(publisher.name.display), \(PublisherScope.words(for: publisher.scope.paths))"]
      + publisher.keys.map { "  key \($0)" }
      + (publisher.threshold > 1 ? ["  \(publisher.threshold) of them must sign"] : [])
  }

  /// A top-level role's keys.
  static func keys(of role: String, _ keys: KeyThreshold, _ ring: KeyRing) throws(SignetError) -> [String] {
    var lines = ["\(role), \(keys.threshold) of \(keys.keyIDs.count) keys must sign"]
    for id in keys.keyIDs {
      if case .verifies(let key, _)? = try ring.key(id) {
        lines.append("  key \(key)")
      } else {
        lines.append("  key \(id.display), which cannot be used")
      }
    }
    return lines
  }
}

struct RepoStatusCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show keys, publishers, and what waits for signatures.",
    discussion: """
      Example:
        signet repo status registry
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo status", about: directory, on: console) { (run) throws(SignetError) in
      let registry = ModuleRegistry.now(directory)
      let content = try registry.folder.load()
      var lines: [String] = []
      if let root = content.root?.role {
        for (name, keys) in [
          ("root", root.root), ("targets", root.targets), ("snapshot", root.snapshot), ("timestamp", root.timestamp),
        ] {
          lines += try StatusLines.keys(of: name, keys, root.keys)
        }
      }
      let publishers = try registry.publishers()
      let changes = try registry.pendingChanges()
      lines += publishers.flatMap { StatusLines.publisher($0) } + StatusLines.pending(changes)
      try console.result(lines.isEmpty ? ["nothing is published, and nothing waits for signatures"] : lines)
      run.did(
        publishers.map { publisher in
          .object(
            ("publisher", .string(publisher.name)), ("threshold", .integer(publisher.threshold)),
            ("keys", .array(publisher.keys.map { .string("\($0.id)") })),
            ("modules", .array(publisher.scope.modules.map { .string("\($0)") })))
        }
          + changes.map { change in
            .object(
              ("role", .string(change.role)), ("changes", .array(change.changes.map { .string($0) })),
              ("signatures", .array(change.signatures.map { .string($0) })),
              ("verdict", .string(change.fault != nil ? "refused" : change.isComplete ? "signed" : "waiting")),
              ("reasons", change.fault.map { .array([Report.json($0)]) }))
          })
    }
  }
}
