internal import ArgumentParser
internal import ModuleInstaller
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem

/// The store and its trust policy. There is no option for the time: a store uses the system's clock.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp("The store's directory. By default modules, in the working folder.", valueName: "dir"),
    completion: .directory)
  var namedStore: String?

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Trust the signers of this trust policy. By default trust.json, in the working folder.", valueName: "path"),
    completion: .file())
  var namedPolicy: String?

  @OptionGroup var pin: PolicyPinOptions

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  var allowTestKeys = false

  /// The path of the store, for messages.
  var store: String { namedStore ?? InstallOptions.storeName }

  /// The path of the store, which is no link unless it is named.
  ///
  /// - Throws: `install.link`.
  func storePath() throws(SignetError) -> String {
    if namedStore == nil { try ProjectPlace.check(store, option: "--store DIR") }
    return store
  }

  /// The trust policy, which is no link unless it is named.
  ///
  /// - Throws: `install.link`; `file.…`, `policy.…`.
  func trustPolicy() throws(SignetError) -> TrustPolicy {
    let policy = namedPolicy ?? InstallOptions.policyName
    if namedPolicy == nil { try ProjectPlace.check(policy, option: "--policy PATH") }
    return try pin.policy(policy, isUsual: namedPolicy == nil, allowsTestKeys: allowTestKeys)
  }

  /// Opens the store, which must exist. A clock that has been set back is reported.
  func open(_ console: Console) throws(SignetError) -> ModuleStore {
    let opened = try ModuleStore(opening: storePath(), policy: trustPolicy(), clock: .system)
    if let warning = opened.clockWarning() { console.warn(warning) }
    return opened
  }
}
