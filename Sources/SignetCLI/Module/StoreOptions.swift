internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
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

  /// Checks that an identifier is valid.
  static func check(identifier: String?) throws {
    guard let identifier, ModuleIdentifier(identifier) == nil else { return }
    throw ValidationError("\(identifier) is not an identifier such as com.example.player.")
  }
}

/// A run of a command that works on a store.
enum StoreRun {
  /// Runs a command that gives one entry of a document for each thing that it is about.
  ///
  /// - Parameters:
  ///   - subject: the name of what the command is about, for messages whose error does not say.
  ///   - body: does the work; its result is reported whatever the status.
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
  /// The failures that say nothing about what is verified: the command could not be done.
  private static let failures = Set.aboutFiles.union(Set.aboutOutputs).union([
    .standardOutput, .cryptoFailure, .extractionFailed, .storeMissing, .storeFileSystem, .storeStateMissing,
    .storeStateMalformed, .storeLocked, .storeWriteFailed,
    .storeNotSynced, .storeBounds, .storeNotInstalled,
  ])

  /// Whether something was examined, and is not accepted.
  fileprivate var isRefusal: Bool { !Self.failures.contains(code) }

  /// Whether a release is not accepted, or that could not be determined.
  var statusOfRelease: ExitStatus { isRefusal ? .refused : .failed }
}
