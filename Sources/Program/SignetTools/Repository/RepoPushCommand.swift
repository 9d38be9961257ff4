internal import ArgumentParser
internal import ModuleCatalog
internal import ModuleRegistry
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

struct RepoPushCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Put modules into a registry, and publish them.",
    discussion: """
      Each module must be signed by a key of its publisher (signet sign), and be one that the publisher may offer. The \
      bundle may be in the archive or beside it. A waiver that is beside the archive (signet trust waive) is published \
      with it. A version that exists keeps its bytes for ever; a new release needs a higher sequence.

      With --online-key it is published at once. Without, it waits for signet repo refresh, and for others of the \
      publisher's keys if one does not suffice.

      --source publishes the sources of a module beside it. Both need the provenance that signet release writes, by the \
      publisher's key and of one commit.

      Compare with signet push, for an OCI registry.

      Examples:
        signet repo push registry player.zip --publisher example \\
            --key publisher
        signet repo push registry *.zip --publisher example --key publisher \\
            --online-key online
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The modules.", completion: .file())
  var modules: [String]

  @Option(
    name: .long, help: ArgumentHelp("The source archive of the module (one module only).", valueName: "path"),
    completion: .file())
  var source: String?

  @Option(name: .long, help: "The publisher's name.")
  var publisher: String

  @Option(
    name: .long, help: ArgumentHelp("A private key of the publisher. Repeatable.", valueName: "path"),
    completion: .file())
  var key: [String]

  @OptionGroup var online: OnlineKeyOptions
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard source == nil || modules.count == 1 else { throw ValidationError("--source goes with one module only.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo push", about: publisher, on: console) { (run) throws(SignetError) in
      let keys = try RegistryKeyFiles.read(key, passphrase)
      let onlineKeys = try RegistryKeyFiles.read(online.onlineKey, passphrase)
      let about = source.flatMap { words(inSources: $0, console) }
      let result = try ModuleRegistry.now(directory).push(
        modules.map { FilesToPush(archive: $0, source: source, about: about) }, of: publisher, signedBy: keys,
        online: onlineKeys)
      for pushed in result.modules {
        for warning in pushed.warnings { console.warn(warning) }
        let release = pushed.release
        let word = pushed.wasThere ? "there already" : "pushed"
        try run.did(
          .object(
            ("identifier", .string("\(release.identifier)")), ("version", .string("\(release.version)")),
            ("sequence", .integer(release.sequence)), ("path", .string(release.archivePath)),
            ("commit", release.source.map { .string($0.commit) }),
            ("verdict", .string(pushed.wasThere ? "present" : "pushed")),
            ("warnings", pushed.warnings.isEmpty ? nil : .array(pushed.warnings.map { Report.json($0) }))),
          "\(Console.good()) \(word)  \(release.identifier) \(release.version)")
      }
      run.did(try RepoOutcome.tell(result.publication, directory, console))
    }
  }

  /// What the spec in the sources says of the release for people. Nothing depends on it: whether the archive is one of
  /// sources is checked when it is pushed, and a spec that cannot be read stops nothing.
  private func words(inSources path: String, _ console: Console) -> ReleaseAbout? {
    let text: [UInt8]?
    do throws(SignetError) {
      text = try SourceArchive(RegularFile(opening: path)).bytes(
        ofFileEndingIn: ModuleSpec.fileSuffix, limit: ModuleSpec.sizeLimit)
    } catch { return nil }
    do throws(SignetError) {
      guard let spec = try text.map({ (text) throws(SignetError) in try ModuleSpec(json: text) }) else { return nil }
      return ReleaseAbout(summary: spec.summary, homepage: spec.homepage, license: spec.license?.type)
    } catch {
      console.warn(error)
      return nil
    }
  }
}

/// How a change of a publisher's metadata ended.
enum RepoOutcome {
  static func tell(
    _ publication: DraftPublication?, _ directory: String, _ console: Console
  ) throws(SignetError) -> [JSONValue] {
    guard let publication else {
      try console.result("  next  signet repo refresh \(directory.shellWord.display) --online-key PATH")
      return []
    }
    let report = PublicationReport(publication: publication)
    try report.tell(console)
    return report.json
  }
}

struct RepoYankCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "yank",
    abstract: "Withdraw a release.",
    discussion: """
      Clients no longer choose a withdrawn release by themselves. Its bytes stay, for projects whose lock has it. To keep \
      hosts from loading a release, revoke it in their trust policy.

      Examples:
        signet repo yank registry com.example.player 1.2.0 \\
            --reason 'loses settings' --key publisher --online-key online
        signet repo yank registry com.example.player 1.2.0 --undo \\
            --key publisher
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(help: "The module.")
  var identifier: String

  @Argument(help: "The version.")
  var version: String

  @Option(name: .long, help: "Why, for people.")
  var reason: String?

  @Flag(name: .long, help: "Offer the release again.")
  var undo = false

  @Option(
    name: .long, help: ArgumentHelp("A private key of the publisher. Repeatable.", valueName: "path"),
    completion: .file())
  var key: [String]

  @OptionGroup var online: OnlineKeyOptions
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard (reason == nil) == undo else { throw ValidationError("Give --reason TEXT, or --undo.") }
    if reason?.isEmpty ?? false { throw ValidationError("Give a reason that helps people.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo yank", about: identifier, on: console) { (run) throws(SignetError) in
      let keys = try RegistryKeyFiles.read(key, passphrase)
      let onlineKeys = try RegistryKeyFiles.read(online.onlineKey, passphrase)
      let result = try ModuleRegistry.now(directory).yank(
        identifier, version, because: reason, signedBy: keys, online: onlineKeys)
      let word = !undo ? "withdrawn" : result.isChanged ? "offered again" : "offered already"
      let entry = JSONValue.object(
        ("identifier", .string(identifier)), ("version", .string(version)), ("publisher", .string(result.publisher)),
        ("verdict", .string(undo ? "offered" : "withdrawn")))
      try run.did(entry, "\(Console.good()) \(word)  \(identifier.display) \(version.display)")
      guard result.isChanged else { return }
      run.did(try RepoOutcome.tell(result.publication, directory, console))
    }
  }
}

struct RepoListCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the releases in a registry.",
    discussion: """
      Drafts are shown, too, before they are published.
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo list", about: directory, on: console) { (run) throws(SignetError) in
      var faults = FaultList()
      var entries: [JSONValue] = []
      var count = 0
      try ModuleRegistry.now(directory).forEachRelease(complaining: { faults.append($0) }) {
        (listed) throws(SignetError) in
        count += 1
        guard console.isJSON else { return try console.result([Self.line(listed)]) }
        if entries.count < Self.documentLimit { entries.append(Self.entry(listed)) }
      }
      if count > Self.documentLimit, console.isJSON {
        faults.append(
          SignetError(
            .repoListSize, directory, "has more releases than a document names",
            expected: "at most \(Self.documentLimit)", found: "\(count)", hint: "list them without --json"))
      }
      for fault in faults.faults { console.warn(fault) }
      if count == 0 { try console.result(["no release"]) }
      run.did(
        entries
          + faults.faults.map { .object(("verdict", .string("warning")), ("reasons", .array([Report.json($0)]))) })
    }
  }

  /// The most releases in a document, which is in memory as a whole.
  private static let documentLimit = 100_000

  private static func line(_ listed: ListedRelease) -> String {
    let release = listed.release
    return "\(release.identifier) \(release.version)  sequence \(release.sequence), \(listed.publisher.display)"
      + (release.yanked.map { ", withdrawn: \($0.display)" } ?? "")
      + (listed.isPublished ? "" : ", not published yet")
  }

  private static func entry(_ listed: ListedRelease) -> JSONValue {
    let release = listed.release
    return .object(
      ("identifier", .string("\(release.identifier)")), ("version", .string("\(release.version)")),
      ("sequence", .integer(release.sequence)), ("publisher", .string(listed.publisher)),
      ("path", .string(release.archivePath)), ("commit", release.source.map { .string($0.commit) }),
      ("size", .integer(release.archive.length)),
      ("sha256", .string(release.archive.sha256.hex)), ("signers", .array(release.signers.map { .string($0) })),
      ("yanked", release.yanked.map { .string($0) }),
      ("verdict", .string(listed.isPublished ? "published" : "waiting")))
  }
}
