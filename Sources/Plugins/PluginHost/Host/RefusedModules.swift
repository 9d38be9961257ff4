internal import ModuleStore
internal import PluginKit
internal import Signet
internal import SignetBase

/// Modules that are refused. The reasons are noted, and the URLs are refused, because they belong to no other owner
/// meanwhile.
struct RefusedModules: Sendable {
  let store: ModuleStore
  let records: HostRecords
  let switchboard: Switchboard
  let clock: VerificationClock

  /// Notes that an archive or a manifest is refused.
  ///
  /// - Parameter source: where it came from.
  func note(
    _ source: String, _ error: SignetError, of module: ModuleIdentifier? = nil, sequence: Int? = nil
  ) {
    records.refuse(
      RefusedModule(identifier: module, sequence: sequence, source: source, reason: error, time: clock.now()))
  }

  /// Notes why a module is not loaded, and refuses its URLs, because they belong to no other owner meanwhile.
  func refuse(_ module: ModuleIdentifier, because error: SignetError) {
    let sequence = records.loaded(module)?.sequence
    let isRefusal = records.status(of: module) != .loading && records.status(of: module) != .loaded
    // A request for what is not there yet says nothing about what is on its way.
    let known: [ModuleStatus]? = error.code == .storeNotInstalled ? [.none, .installed, .loading] : nil
    records.note(module, isRefusal ? .refused : .loadFailed, error, from: known)
    note("\(module)", error, of: module, sequence: sequence)
    guard error.code != .storeNotInstalled else { return }
    refuseURLs(of: module, error, isFailure: !isRefusal)
  }

  /// Refuses what the host's manifest and the module's last accepted statement give to the module.
  func refuseURLs(of module: ModuleIdentifier, _ error: SignetError, isFailure: Bool = false) {
    let accepted = store.lastAccepted(module)
    let owner = ModuleOwner.module("\(module)")
    let named = records.named
    let declared = (accepted?.routes ?? []).compactMap { try? switchboard.router.pattern($0) }
    switchboard.router.refuse(
      named.patterns(of: module), except: named.exceptions(of: module), declared: declared, isFailure: isFailure,
      of: owner, because: "\(error.code)")
    switchboard.refuse(
      targets: accepted?.targets.map(\.name) ?? [], services: accepted?.services ?? [],
      routes: named.patterns(of: module) + declared, of: owner, because: "\(error.code)")
  }

  /// Ends an earlier refusal of the module's URLs and names.
  func accept(_ owner: ModuleOwner) {
    switchboard.router.refuse([], of: owner, because: "")
    switchboard.accept(owner)
  }
}
