internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem

/// The store and its trust policy. There is no option for the time: a store uses the system's clock.
struct StoreOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("The store's directory.", valueName: "dir"), completion: .directory)
  var store: String

  @Option(
    name: .long, help: ArgumentHelp("Trust the signers of this trust policy.", valueName: "path"), completion: .file()
  )
  var policy: String

  @OptionGroup var pin: PolicyPinOptions

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  var allowTestKeys = false

  /// The trust policy.
  func trustPolicy() throws(SignetError) -> TrustPolicy {
    try pin.policy(policy, allowsTestKeys: allowTestKeys)
  }

  /// Opens the store, which must exist. A clock that has been set back is reported.
  func open(_ console: Console) throws(SignetError) -> ModuleStore {
    let opened = try ModuleStore(opening: store, policy: trustPolicy(), clock: .system)
    if let warning = opened.clockWarning() { console.warn(warning) }
    return opened
  }
}
