internal import ArgumentParser
internal import KeyLineages
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetKeys
internal import SignetSystem

struct TrustRotateCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Introduce the key that follows the present one.",
    discussion: """
      Signs a statement by which the present key introduces the next one, and adds it to the signer's lineage: a file with one \
      bundle in each line, which is published beside the releases. Whoever trusts a key of the lineage accepts signatures by the \
      next one from then on, without changing a policy. Signatures by the present key count until the overlap ends; those that \
      a timestamp proves to be older count afterwards, too. The next key signs that it accepts: nobody can introduce the key of \
      another signer as an own one.

      Keep the present private key until the overlap has ended. A key that is lost introduces nobody.

      Examples:
        signet trust rotate example.lineage --key old --to new
        signet trust rotate example.lineage --key old --to new \\
            --since 2027-01-01 --overlap 90
      """)

  @Argument(help: "The lineage. It is made if it is missing, and replaced as a whole.", completion: .file())
  var lineage: String

  @OptionGroup var key: SigningKeyOptions

  @Option(
    name: .long,
    help: ArgumentHelp("The file of the private key to introduce.", valueName: "path"),
    completion: .file())
  var to: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read the passphrase of the key to introduce from a file with one line. Default: as that of the present key.",
      valueName: "file"), completion: .file())
  var toPassphraseFile: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "When signatures by the new key begin to count: a time, or a day in UTC. Default: now, or when the present key begins.",
      valueName: "time"))
  var since: String?

  @Option(
    name: .long,
    help: ArgumentHelp("How many days from then on signatures by the present key still count.", valueName: "days"))
  var overlap = 365

  @Flag(name: .long, help: "Allow published test keys. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  private static let day: Int64 = 86_400

  func validate() throws {
    if let since, TimeArgument.start(since) == nil { throw ValidationError("--since takes \(TimeArgument.form).") }
    guard (0...36_500).contains(overlap) else { throw ValidationError("--overlap takes a number of days.") }
  }

  private var nextKey: KeySource {
    var passphrase = key.passphrase
    if let toPassphraseFile { (passphrase.passphraseFile, passphrase.passphraseFd) = (toPassphraseFile, nil) }
    return KeySource(place: .file(to), passphrase: passphrase)
  }

  private var nextFiles: [String] { [to, to + ".pub"] + (toPassphraseFile.map { [$0] } ?? []) }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("trust rotate", about: lineage, on: console) { (run) throws(SignetError) in
      let present = try key.source.privateKey(allowsTestKeys: allowTestKeys)
      let next: PrivateKey
      do throws(SignetError) { next = try nextKey.privateKey(allowsTestKeys: allowTestKeys) } catch {
        var error = error
        switch error.code {
        case .keyPublicForPrivate: error.hint = "give the private key, which signs that it accepts: --to FILE"
        case .keyPassphraseWrong, .keyPassphraseRequired:
          error.hint = "give the passphrase of the key to introduce: --to-passphrase-file FILE"
        default: break
        }
        throw error
      }
      let lock = try ChangeLock(beside: lineage)
      defer { withExtendedLifetime(lock) {} }
      let before = try LineageFile.readOwn(lineage)
      // The next key does not begin before the present one.
      let least = before?.rotations.last?.since ?? SystemTime.now()
      let since = since.flatMap { TimeArgument.start($0) } ?? max(SystemTime.now(), least)
      let until = UnixTime(seconds: since.seconds + Int64(overlap) * Self.day)
      let after = try KeyLineage.rotating(before, from: present, to: next, since: since, until: until)
      try Interruption.held { () throws(SignetError) in
        try OutputFile.write(
          after.text, to: lineage,
          before == nil ? .keep : .replace(unless: FileStatus.identities(of: key.files + nextFiles)))
      }
      try run.did(
        .object(
          ("file", .string(lineage)), ("verdict", .string("rotated")), ("number", .integer(after.rotations.count)),
          ("from", .string("\(present.publicKey.id)")), ("to", .string("\(next.publicKey.id)")),
          ("since", .string("\(since)")), ("until", .string("\(until)"))),
        "\(Console.good()) rotated  \(lineage.display)", "  from   \(present.publicKey.id), until \(until)",
        "  to     \(next.publicKey.id), from \(since) on")
    }
  }
}

struct TrustFollowCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Take up the keys that a trusted key has introduced.",
    discussion: """
      Adds what a signer's lineage says to a policy that trusts the signer by one of its keys. The file may come from anybody: \
      each statement is signed by the key before it. The policy keeps what it has seen, and refuses a lineage that leads \
      elsewhere, or that lacks what is known. signet verify --lineage follows one without keeping it.

      Examples:
        signet trust follow trust.json example.lineage
        signet verify plugin.zip --policy trust.json
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(help: "The lineage.", completion: .file())
  var lineage: String

  @Flag(name: .long, help: "Keep a published test key. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("trust follow", about: lineage, on: console) { (run) throws(SignetError) in
      let seen = try LineageFile.read(lineage)
      let file = try PolicyFile(policy, allowTestKeys: allowTestKeys)
      let changed = try file.policy.following(seen)
      let isNew = changed != file.policy
      if isNew {
        try file.replace(with: changed)
      } else if let known = try Self.newer(than: seen, in: changed) {
        throw SignetError(
          .lineageReplay, "lineage", "is older than the one that the policy has",
          expected: "one that leads to \(known.current.id)", found: "\(seen.current.id)",
          hint: "get the publisher's present lineage")
      }
      let verdict = isNew ? "follows" : "unchanged"
      try run.did(
        .object(
          ("policy", .string(policy)), ("verdict", .string(verdict)), ("from", .string("\(seen.first.id)")),
          ("to", .string("\(seen.current.id)"))),
        "\(Console.good()) \(verdict)  \(policy.display)", "  key    \(seen.current.id)")
    }
  }

  /// What the policy has of the same signer, if the lineage lacks some of it.
  private static func newer(than seen: KeyLineage, in policy: TrustPolicy) throws(SignetError) -> KeyLineage? {
    for entry in policy.entries {
      guard let known = try entry.lineage(), known.isNewer(than: seen) else { continue }
      if !Set(known.rotations).isDisjoint(with: seen.rotations) { return known }
    }
    return nil
  }
}

/// Files with lineages.
enum LineageFile {
  /// Reads a lineage from anybody.
  ///
  /// - Throws: `lineage.…`, `file.…`; `crypto.failure`.
  static func read(_ path: String) throws(SignetError) -> KeyLineage {
    let content = try TrustedContent.readPinned(path, limit: KeyLineage.sizeLimit + 1)
    do throws(SignetError) {
      return try KeyLineage(reading: content.withBytes { Array(copying: $0) })
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }

  /// Reads the lineage that a command adds to; nil if there is none yet.
  static func readOwn(_ path: String) throws(SignetError) -> KeyLineage? {
    FileStatus.identities(of: [path]).isEmpty ? nil : try read(path)
  }
}
