internal import ArgumentParser
internal import ModuleCatalog
internal import ModuleRegistry
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

struct RepoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repo",
    abstract: "Keep a registry of modules: a signed directory.",
    discussion: """
      A registry is a plain directory that any server of files can offer. Nobody needs to trust the server: all of it is \
      signed (The Update Framework). The root's keys say whose keys count, the targets' keys say who may publish which \
      modules, and a publisher's keys sign its modules. These keys stay offline. The online keys only say what is newest.

      A change of an offline role is a draft until enough people have signed it: change it, signet repo sign, signet repo \
      refresh.

      Examples:
        signet repo init registry --root-key a.pub --root-key b.pub \\
            --root-threshold 2 --targets-key t.pub --online-key o.pub
        signet repo add-publisher registry example --key p.pub \\
            --modules 'com.example.**'
        signet repo sign registry --key a
        signet repo push registry player.zip --publisher example --key p \\
            --online-key o
        signet repo refresh registry --online-key o
        signet repo verify registry
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Key and publisher",
        subcommands: [
          RepoInitCommand.self, RepoAddPublisherCommand.self, RepoRemovePublisherCommand.self, RepoRotateCommand.self,
        ]),
      CommandGroup(
        name: "Signature",
        subcommands: [RepoStatusCommand.self, RepoSignCommand.self, RepoCollectCommand.self]),
      CommandGroup(
        name: "Release",
        subcommands: [
          RepoPushCommand.self, RepoRefreshCommand.self, RepoListCommand.self, RepoYankCommand.self,
        ]),
      CommandGroup(
        name: "Upkeep",
        subcommands: [
          RepoVerifyCommand.self, RepoPruneCommand.self, RepoSiteCommand.self, RepoMirrorCommand.self,
        ]),
    ])
}

/// The private keys that publish.
struct OnlineKeyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The private key of snapshot and timestamp. Repeatable, for example with the old and the new one.",
      valueName: "path"), completion: .file())
  var onlineKey: [String] = []
}

/// Reads private keys for a registry. One passphrase opens all of them, or each is asked for.
enum RegistryKeyFiles {
  static func read(_ paths: [String], _ passphrase: PassphraseOptions) throws(SignetError) -> [PrivateKey] {
    var keys: [PrivateKey] = []
    for path in paths {
      keys.append(try KeySource(place: .file(path), passphrase: passphrase).privateKey(allowsTestKeys: false))
    }
    return keys
  }

  static func publicKeys(_ arguments: [String]) throws(SignetError) -> [PublicKey] {
    var keys: [PublicKey] = []
    for argument in arguments {
      let key = try KeyFile.publicKey(argument)
      guard !TestKeys.contains(key.id) else {
        throw SignetError(
          .policyTestKey, argument, "is a published test key, whose private half is public",
          expected: "a key of your own", found: "\(key.id)", hint: "make one: signet keygen --out PATH")
      }
      keys.append(key)
    }
    return keys
  }
}

/// What a publication did, for people and for programs.
struct PublicationReport {
  let publication: DraftPublication

  /// The lines for people.
  private var lines: [String] {
    let files = publication.publication.files
    let names = files.map { "\($0.role.display) \($0.version)" }.joined(separator: ", ")
    return ["\(Console.good()) published  \(names)"]
      + publication.waiting.map {
        "  waiting    \($0.role.display): \("\($0.reason.object): \($0.reason.message)".display)"
      }
  }

  /// Tells people.
  func tell(_ console: Console) throws(SignetError) {
    try console.result(lines)
    for warning in publication.warnings { console.warn(warning) }
  }

  /// The members of a document.
  var json: [JSONValue] {
    publication.publication.files.map { file in
      .object(
        ("role", .string(file.role)), ("version", .integer(file.version)), ("verdict", .string("published")),
        ("size", .integer(file.bytes.count)))
    }
      + publication.waiting.map { waiting in
        .object(
          ("role", .string(waiting.role)), ("verdict", .string("waiting")),
          ("reasons", .array([Report.json(waiting.reason)]))
        )
      }
      + publication.warnings.map { .object(("verdict", .string("warning")), ("reasons", .array([Report.json($0)]))) }
  }
}

extension ModuleRegistry {
  /// The registry in a directory, now.
  static func now(
    _ path: String, timestampDays: Int? = nil, snapshotDays: Int? = nil
  ) -> ModuleRegistry {
    var lifetimes = RoleLifetimes()
    lifetimes.timestamp = timestampDays ?? lifetimes.timestamp
    lifetimes.snapshot = snapshotDays ?? lifetimes.snapshot
    return ModuleRegistry(path, at: SystemTime.now(), lifetimes: lifetimes)
  }
}
