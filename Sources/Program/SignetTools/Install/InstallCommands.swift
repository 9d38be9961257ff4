internal import ArgumentParser
internal import ModuleInstaller
internal import ModuleResolver
internal import Signet
internal import SignetAddresses
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

struct InstallCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install the modules of a Modfile.",
    discussion: """
      Chooses a release of each module (docs/modfile.md), fetches it from the source that may serve it, verifies it \
      under the trust policy, installs into the store, and writes Modfile.lock. Releases in the lock are kept if they \
      still fit. Nothing is written before all modules to install are verified, and the store changes in one step: hosts \
      load what the lock says.

      The sources of a release are unpacked beside the Modfile, for the host's build, if the release has some. With \
      use_lib=1 in the environment, binaries are installed instead; with NAME_use_lib=1 that of one module, such as \
      com_example_player_use_lib=1. A module with git: in the Modfile is always source.

      Compare with signet store install, which installs one archive, without a Modfile.

      Examples:
        signet install --policy trust.json --store modules
        use_lib=1 signet install
        signet install --locked --target shop
      """)

  @Flag(name: .long, help: "Change nothing in the lock, which must fit the Modfile. For pipelines.")
  var locked = false

  /// What other programs take here.
  @Argument(help: .hidden)
  var modules: [String] = []

  @OptionGroup var options: InstallOptions
  @OptionGroup var files: ModfileOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard let first = modules.first else { return }
    guard let module = ModuleIdentifier(first) else {
      throw ValidationError("Unexpected argument '\(first.display)': what is installed stands in the Modfile.")
    }
    throw ValidationError(
      "What is installed stands in the Modfile. To add a module and install it: signet add \(module)")
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try InstallRun(command: "install", files: files, options: options, console: console)
      .run(.install, isLocked: locked)
  }
}

struct UpdateCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Install the newest releases that a Modfile accepts.",
    discussion: """
      Forgets the lock for the named modules, or for all, and installs as signet install does.

      Examples:
        signet update
        signet update com.example.player
      """)

  @Argument(help: "The modules to update. By default all.", transform: ModuleIdentifier.argument)
  var modules: [ModuleIdentifier] = []

  @OptionGroup var options: InstallOptions
  @OptionGroup var files: ModfileOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    return try InstallRun(command: "update", files: files, options: options, console: console)
      .run(modules.isEmpty ? .update : .updateOnly(modules))
  }
}

struct RemoveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove modules from a Modfile, its lock and the store.",
    discussion: """
      Removes the lines of the modules from the Modfile, in all targets, and installs as signet install does. Modules that \
      nothing requires any longer are removed from the store. A module that another one requires stays.

      Example:
        signet remove com.example.cart
      """)

  @Argument(help: "The modules.", transform: ModuleIdentifier.argument)
  var modules: [ModuleIdentifier]

  @OptionGroup var options: InstallOptions
  @OptionGroup var files: ModfileOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    return try InstallRun(command: "remove", files: files, options: options, console: console)
      .run(.install) { (modfile, text, lock) throws(SignetError) in
        do throws(SignetError) { return try modfile.text(text, without: modules) } catch
          where error.code == .modfileNoModule
        { throw Self.explained(error, modfile, lock) }
      }
  }

  /// Why a module that no line names cannot be removed: another one requires it, or no module has that name.
  private static func explained(_ error: SignetError, _ modfile: Modfile, _ lock: ModuleLock?) -> SignetError {
    var error = error
    let module = ModuleIdentifier(error.object)
    let chain = module.flatMap { module in (try? lock?.chains(to: module, in: modfile))?.first }
    if let chain, let first = chain.modules.first {
      error.found = "\(chain)"
      error.hint = "it leaves with what requires it: signet remove \(first)"
    } else {
      error.found = "not in the lock either"
      error.hint = "correct the name; signet store list shows what was installed by hand"
    }
    return error
  }
}

struct OutdatedCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "outdated",
    abstract: "Show which modules of a Modfile have newer releases.",
    discussion: """
      For each module: the release in the lock, the newest one that the Modfile accepts, and the newest of all. Releases that \
      were withdrawn are shown with the reason, and those that are younger than the minimum age of the Modfile or the trust \
      policy with the time from which on they may be chosen. Of a repository of specs only those count that the trust policy \
      accepts, as for signet install.
      """)

  @Flag(name: .long, help: "Ask nobody: use what the cache has.")
  var offline = false

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Count this trust policy's minimum age, and leave out specs that it does not accept. By default trust.json, beside the Modfile, if it is there.",
      valueName: "path"),
    completion: .file())
  var namedPolicy: String?

  @OptionGroup var pin: PolicyPinOptions
  @OptionGroup var files: ModfileOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.aboutModfile("outdated", subject: files.modfile, on: console) { (run) throws(SignetError) in
      let modfile = try files.projectFiles.read().modfile
      guard let lock = try files.projectFiles.readLock() else { throw InstallRun.noLock(files.lock) }
      // An installation leaves these out, too. What a registry offers is judged when it is fetched.
      let hasSpecs = modfile.sources.contains { $0.kind == .specs }
      let trust = try trust(isNeeded: hasSpecs)
      let registries = try files.registries(modfile, isOffline: offline, under: trust)
      registries.keep(lock, in: .update)
      let outdated: [OutdatedModule]
      do {
        defer { for complaint in registries.complaints { console.warn(complaint) } }
        outdated = try lock.outdated(files.forHost(modfile), offers: registries)
      }
      let waiting = registries.waiting.compactMap {
        module, releases -> (key: ModuleIdentifier, value: [(version: SemanticVersion, until: UnixTime)])? in
        let newer = releases.filter { release in lock[module].map { $0.version < release.version } ?? false }
        return newer.isEmpty ? nil : (module, newer)
      }
      .sorted { "\($0.key)".precedesInBytes("\($1.key)") }
      let lines =
        outdated.map { module in
          let fitting = module.newestFitting.map { "\($0)" } ?? "none"
          let newest = module.newest.map { "\($0)" } ?? "none"
          return "\(module.identifier)  locked \(module.locked), accepted \(fitting), newest \(newest)"
            + (module.yanked.map { ", withdrawn: \($0.display)" } ?? "")
            + (module.isOffered ? "" : ", the locked one is gone, or is not signed as the trust policy demands")
        }
        + waiting.flatMap { module, releases in
          releases.map { "\(module)  \($0.version) waits, and may be chosen from \($0.until) on" }
        }
      try console.result(lines.isEmpty ? ["everything is up to date"] : lines)
      run.did(
        outdated.map { module in
          .object(
            ("identifier", .string("\(module.identifier)")), ("locked", .string("\(module.locked)")),
            ("accepted", module.newestFitting.map { .string("\($0)") }),
            ("newest", module.newest.map { .string("\($0)") }),
            ("withdrawn", module.yanked.map { .string($0) }), ("offered", JSONValue(.bool(module.isOffered))))
        }
          + waiting.flatMap { module, releases in
            releases.map {
              .object(
                ("identifier", .string("\(module)")), ("waiting", .string("\($0.version)")),
                ("from", .string("\($0.until)")))
            }
          })
    }
  }

  /// The trust policy. Where it is not named, one that is missing leaves nothing out, unless it is needed.
  private func trust(isNeeded: Bool) throws(SignetError) -> TrustPolicy? {
    let path = namedPolicy ?? files.beside(InstallOptions.policyName)
    do throws(SignetError) {
      return try pin.policy(path, isUsual: namedPolicy == nil, allowsTestKeys: false)
    } catch  where !isNeeded && namedPolicy == nil && error.code == .fileMissing {
      return nil
    }
  }
}

struct WhyCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Show why a module is in a Modfile.lock.",
    discussion: """
      Shows each chain of requirements from a line of the Modfile to the module, the shortest first.

      Example:
        signet why com.example.codec
      """)

  @Argument(help: "The module.", transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier

  @Option(
    name: .long,
    help: ArgumentHelp("The Modfile. Modfile.lock is beside it. By default Modfile.", valueName: "path"),
    completion: .file())
  var modfile: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.aboutModfile("why", subject: "\(module)", on: console) { (run) throws(SignetError) in
      var files = ModfileOptions()
      files.namedModfile = modfile
      guard let lock = try files.projectFiles.readLock() else { throw InstallRun.noLock(files.lock) }
      let chains = try lock.chains(to: module, in: files.projectFiles.read().modfile)
      try console.result(chains.isEmpty ? ["nothing requires \(module) any longer"] : chains.map(\.description))
      run.did(
        chains.map { chain in
          .object(("line", .integer(chain.line)), ("modules", .array(chain.modules.map { .string("\($0)") })))
        })
    }
  }
}

extension InstallRun {
  /// The error for a lock that is missing.
  static func noLock(_ path: String) -> SignetError {
    SignetError(.installNotLocked, path, "is missing", expected: "a lock", hint: "install first: signet install")
  }
}

extension SignetError {
  /// Whether a server could not be reached, or did not answer.
  var isUnreachable: Bool {
    [.fetchConnection, .fetchTimeout].contains(code) || (cause as? SignetError).map(\.isUnreachable) ?? false
  }
}
