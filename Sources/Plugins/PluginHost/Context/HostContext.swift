internal import ModuleStore
internal import PluginKit
internal import Signet
internal import SignetBase
internal import SignetSystem

/// What all parts of a host share.
///
/// It lives as long as the host, and as long as any work of the host, so its hold keeps the releases in the store.
final class HostContext: Sendable {
  let policy: TrustPolicy
  let store: ModuleStore
  let switchboard: Switchboard
  let configuration: HostConfiguration
  let records = HostRecords()
  let trial: HostTrial
  /// The waivers that the registry has published with the releases that it offers.
  let waivers = Monitor([ModuleIdentifier: PublishedWaiver]())
  /// Modules that wait until no code is on trial.
  let heldBack = Monitor(HeldBackModules())
  let loader: ModuleLoader
  /// One module is loaded at a time.
  let turn = LoadingTurn()
  let watch: LoadingWatch
  /// For tasks: one module is loaded at a time.
  let loading = BlockingWork(width: 1)
  private let hold: StoreHold

  /// How many milliseconds a host waits for another process that changes the store. Its own changes can be written
  /// later.
  private static let patience = 2_000

  /// Opens the store, and makes it if it is missing.
  ///
  /// - Throws: `store.…`, `file.others-may-write`, `file.not-directory`.
  init(
    _ policy: TrustPolicy, store path: String, _ switchboard: Switchboard, _ configuration: HostConfiguration
  ) throws(SignetError) {
    self.policy = policy
    self.switchboard = switchboard
    self.configuration = configuration
    loader = ModuleLoader(hostLibraries: configuration.hostLibraries)
    watch = LoadingWatch(configuration.loadingPatience)
    var opened = try ModuleStore(
      creating: path, policy: policy, clock: configuration.clock, limits: configuration.limits)
    opened.patience = Self.patience
    store = opened
    opened.clearRemoved()
    hold = try opened.hold()
    trial = HostTrial(opened, records)
  }
}
