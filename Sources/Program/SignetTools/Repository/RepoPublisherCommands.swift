internal import ArgumentParser
internal import Keyless
internal import ModuleRegistry
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

struct RepoAddPublisherCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add-publisher",
    abstract: "Let somebody publish modules.",
    discussion: """
      Patterns are those of a trust policy: com.example.player is one module, * is one label, and ** is one or more. \
      Modules have at most 8 labels.

      Writes a draft of the targets and one of the publisher's own metadata. A key of the targets signs the first, and a \
      key of the publisher the second (signet repo sign). signet repo refresh then publishes both.

      Example:
        signet repo add-publisher registry example --key publisher.pub \\
            --modules 'com.example.**'
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The publisher's name: small letters, digits, - and _.")
  var name: String

  @Option(
    name: .long, help: ArgumentHelp("A public key of the publisher. Repeatable.", valueName: "key"),
    completion: .file())
  var key: [String]

  @Option(name: .long, help: ArgumentHelp("The number of keys that must sign.", valueName: "number"))
  var threshold = 1

  @Option(
    name: .long,
    help: ArgumentHelp("Modules that the publisher may offer: com.example.**. Repeatable.", valueName: "pattern"))
  var modules: [String]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A policy whose entries with sigstore say which identities may sign the modules, too.", valueName: "policy"),
    completion: .file())
  var identities: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    for text in modules where ModulePattern(text) == nil {
      throw ValidationError("--modules \(text) is not a pattern.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo add-publisher", about: name, on: console) { (run) throws(SignetError) in
      let scope = try PublisherScope(modules.compactMap { ModulePattern($0) })
      let keys = try RoleKeys(RegistryKeyFiles.publicKeys(key), threshold: threshold, of: name)
      try ModuleRegistry.now(directory).addPublisher(
        name, keys, scope,
        identities: identities.map { (path) throws(SignetError) in try Self.identities(path) } ?? [])
      try console.result(
        "\(Console.good()) drafted  \(name.display) may offer \(PublisherScope.words(for: scope.paths))",
        "  next     signet repo sign \(directory.shellWord.display) --key PATH   with a key of the targets, and with one of "
          + "\(name.display)",
        "           signet repo refresh \(directory.shellWord.display) --online-key PATH")
      run.did([.object(("publisher", .string(name)), ("verdict", .string("drafted")))])
    }
  }
}

extension RepoAddPublisherCommand {
  /// The identities that a policy has.
  ///
  /// - Throws: `repo.identities` if it has none, `policy.…`, `file.…`.
  static func identities(_ policy: String) throws(SignetError) -> [TrustAnchor] {
    let anchors = try TrustPolicy(trustedFile: policy, with: .all).entries.map(\.anchor).filter { $0.sigstore != nil }
    guard !anchors.isEmpty else {
      throw SignetError(
        .repoIdentities, policy, "has no entry with identities", expected: "an entry with sigstore",
        hint: "add one: signet trust add POLICY --name NAME --github OWNER/NAME --modules '**'")
    }
    return anchors
  }
}

struct RepoRemovePublisherCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-publisher",
    abstract: "Let somebody publish no longer.",
    discussion: """
      Writes a draft of the targets. Once it is signed and published, clients find none of the publisher's modules.

      Example:
        signet repo remove-publisher registry example
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The publisher's name.")
  var name: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo remove-publisher", about: name, on: console) { (run) throws(SignetError) in
      try ModuleRegistry.now(directory).removePublisher(name)
      try console.result(
        "\(Console.good()) drafted  the end of \(name.display)",
        "  next     signet repo sign \(directory.shellWord.display) --key PATH   with a key of the targets")
      run.did([.object(("publisher", .string(name)), ("verdict", .string("drafted")))])
    }
  }
}

struct RepoRotateCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Change a role's keys, or renew what it has signed.",
    discussion: """
      The role is root, targets, snapshot, timestamp, online for the last two together, or a publisher. Writes drafts, \
      which old and new keys sign. Without --add-key, --remove-key and --threshold the role's metadata is drafted again \
      with a new expiry.

      After a change of the online keys, signet repo refresh needs the old and the new one once; from then on the new one \
      suffices, and there is no moment in which clients fail.

      Examples:
        signet repo rotate registry online --add-key new.pub \\
            --remove-key old.pub
        signet repo rotate registry root --add-key c.pub --threshold 2
        signet repo rotate registry example
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The role.")
  var role: String

  @Option(
    name: .long, help: ArgumentHelp("A public key that may sign from now on. Repeatable.", valueName: "key"),
    completion: .file())
  var addKey: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A public key that may sign no longer, or its fingerprint, as signet repo status shows it. Repeatable.",
      valueName: "key"), completion: .file())
  var removeKey: [String] = []

  @Option(name: .long, help: ArgumentHelp("The number of keys that must sign.", valueName: "number"))
  var threshold: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "For a publisher: a policy whose entries with sigstore say which identities may sign its modules from now on.",
      valueName: "policy"), completion: .file())
  var identities: String?

  @Flag(name: .long, help: "For a publisher: identities may sign its modules no longer.")
  var noIdentities = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if identities != nil && noIdentities { throw ValidationError("Give --identities or --no-identities, not both.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo rotate", about: role, on: console) { (run) throws(SignetError) in
      var removed: [String] = []
      for key in removeKey {
        removed.append(key.hasPrefix("SHA256:") ? key : "\(try KeyFile.publicKey(key).id)")
      }
      let named = try identities.map { (path) throws(SignetError) in try RepoAddPublisherCommand.identities(path) }
      let rotation = KeyRotation(
        adding: try RegistryKeyFiles.publicKeys(addKey), removing: removed, threshold: threshold,
        identities: noIdentities ? [] : named)
      let registry = ModuleRegistry.now(directory)
      try registry.rotate(role, rotation)
      try console.result(["\(Console.good()) drafted"] + StatusLines.pending(registry.pendingChanges()))
      run.did([.object(("role", .string(role)), ("verdict", .string("drafted")))])
    }
  }
}
