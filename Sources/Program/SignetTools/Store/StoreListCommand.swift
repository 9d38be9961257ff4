internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

struct StoreListCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show what is installed in a store.",
    discussion: """
      Each release is verified before it is shown. The state says whether hosts load the release or may fall back to \
      it, and if not, why. For a release that was set aside see signet store retry; for the lowest sequences see \
      signet store floor.
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("store list", about: options.store, on: console) { (run) throws(SignetError) in
      let store = try options.open(console)
      let releases = try store.verify()
      try console.result(ReleaseTable(releases).lines)
      run.did(releases.map(\.json))
    }
  }
}

struct StoreVerifyCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify what is installed in a store.",
    discussion: """
      Verifies each release's bundles under the current policy, and compares every file with what they sign.
      """)

  @Argument(help: "The module. Default: all modules.", transform: ModuleIdentifier.argument)
  var identifier: ModuleIdentifier?

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("store verify", about: options.store, on: console) { (run) throws(SignetError) in
      let releases = try options.open(console).verify(identifier)
      if let module = identifier, releases.isEmpty {
        throw SignetError(.storeNotInstalled, "\(module)", "is not installed", expected: "a release")
      }
      for release in releases {
        switch release.standing {
        case .success(let installed): try run.did(release.json, "\(Console.good()) verified  \(installed.words)")
        case .failure(let error):
          run.ended("\(release.identifier) \(release.sequence)", error, as: release.json)
        }
      }
    }
  }
}

extension StoredRelease {
  /// What is known about the release, for programs.
  var json: JSONValue {
    var members: [(String, JSONValue?)] = [
      ("active", JSONValue(.bool(isActive))), ("crashes", crashes > 0 ? .integer(crashes) : nil),
      ("setAside", isSetAside ? JSONValue(.bool(true)) : nil),
      ("heldBack", isHeldBack ? JSONValue(.bool(true)) : nil),
    ]
    switch standing {
    case .success(let installed): members += [("verdict", .string("verified"))] + installed.members
    case .failure(let error):
      members += [
        ("verdict", .string(Report.verdict(of: error))),
        ("identifier", .string("\(identifier)")), ("sequence", .integer(sequence)), ("sha256", .string(sha256.hex)),
        ("reasons", .array([Report.json(error)])),
      ]
    }
    return .object(members)
  }
}

extension Floor {
  /// The floor, the keys that raised it, and since when.
  var words: String {
    "\(sequence), raised by \(keys.map(\.description).joined(separator: ", ")), since \(since)"
  }
}
