internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Which store, and whom it trusts. Never when: a store goes by the system's clock.
struct StoreOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("The store's directory.", valueName: "dir"), completion: .directory)
  var store: String

  @Option(
    name: .long, help: ArgumentHelp("Trust whom this trust policy names.", valueName: "path"), completion: .file())
  var policy: String

  @OptionGroup var pin: PolicyPinOptions

  @Flag(name: .long, help: "Trust published test keys, whose private halves everybody has.")
  var allowTestKeys = false

  /// The policy.
  func trustPolicy() throws(SignetError) -> TrustPolicy {
    try pin.policy(policy, allowsTestKeys: allowTestKeys)
  }

  /// The store, which must be there. A clock that has been set back is told.
  func open(_ console: Console) throws(SignetError) -> ModuleStore {
    let opened = try ModuleStore(opening: store, policy: trustPolicy(), clock: .system)
    if let warning = opened.clockWarning() { console.warn(warning) }
    return opened
  }

  /// Makes sure that an identifier is one.
  static func check(identifier: String?) throws {
    guard let identifier, ModuleIdentifier(identifier) == nil else { return }
    throw ValidationError("\(identifier) is not an identifier such as com.example.player.")
  }
}

/// What a command does with a store, and how it ends.
enum StoreRun {
  /// Runs a command that gives one entry of a document for each thing it is about.
  ///
  /// - Parameters:
  ///   - subject: what to call it in messages where an error does not say.
  ///   - body: does it; its result is told whatever the status.
  static func run(
    _ command: String, _ subject: String, _ console: Console,
    _ body: () throws(SignetError) -> (entries: [JSONValue], status: ExitStatus)
  ) throws(SignetError) -> ExitStatus {
    let result: (entries: [JSONValue], status: ExitStatus)
    do throws(SignetError) {
      result = try body()
    } catch  where error.isRefusal {
      console.refuse(subject, [error])
      result = ([Report.refused(subject, error)], .refused)
    }
    if console.isJSON { try console.document(Report.document(command, result.entries, result.status)) }
    return result.status
  }
}

extension SignetError {
  /// Kinds of failure that say nothing about what is verified: it could not be done.
  private static let failures = Set.aboutFiles.union(Set.aboutOutputs).union([
    .standardOutput, .cryptoFailure, .extractionFailed, .storeMissing, .storeFileSystem, .storeStateMissing,
    .storeStateMalformed, .storeLocked, .storeWriteFailed,
    .storeNotSynced, .storeBounds, .storeNotInstalled,
  ])

  /// Whether something was looked at, and is not accepted.
  fileprivate var isRefusal: Bool { !Self.failures.contains(code) }

  /// Whether a release is not accepted, or it could not be found out.
  var statusOfRelease: ExitStatus { isRefusal ? .refused : .failed }
}
