internal import ModuleStore
internal import PluginKit
internal import Signet
internal import SignetBase

/// Modules that are refused. The reasons are noted, and the URLs are refused, because they belong to no other owner
/// meanwhile.
struct RefusedModules: Sendable {
  private let host: HostContext

  init(_ host: HostContext) { self.host = host }

  /// Notes that an archive or a manifest is refused.
  ///
  /// - Parameter source: where it came from.
  func note(
    _ source: String, _ error: SignetError, of module: ModuleIdentifier? = nil, sequence: Int? = nil
  ) {
    host.records.refuse(
      RefusedModule(
        identifier: module, sequence: sequence, source: source, reason: error, time: host.configuration.clock.now()))
  }

  /// Notes why a module is not loaded, and refuses its URLs, because they belong to no other owner meanwhile.
  func refuse(_ module: ModuleIdentifier, because error: SignetError) {
    let sequence = host.records.loaded(module)?.sequence
    let isRefusal = host.records.status(of: module) != .loading && host.records.status(of: module) != .loaded
    // A request for what is not there yet says nothing about what is on its way.
    let known: [ModuleStatus]? = error.code == .storeNotInstalled ? [.none, .installed, .loading] : nil
    host.records.note(module, isRefusal ? .refused : .loadFailed, error, from: known)
    note("\(module)", error, of: module, sequence: sequence)
    guard error.code != .storeNotInstalled else { return }
    refuseURLs(of: module, error, isFailure: !isRefusal)
  }

  /// Refuses what the host's manifest and the module's last accepted statement give to the module.
  func refuseURLs(of module: ModuleIdentifier, _ error: SignetError, isFailure: Bool = false) {
    let accepted = host.store.lastAccepted(module)
    let owner = ModuleOwner.module("\(module)")
    let named = host.records.named
    let declared = (accepted?.routes ?? []).compactMap { try? host.switchboard.router.pattern($0) }
    host.switchboard.router.refuse(
      named.patterns(of: module), except: named.exceptions(of: module), declared: declared, isFailure: isFailure,
      of: owner, because: "\(error.code)")
    host.switchboard.refuse(
      targets: accepted?.targets.map(\.name) ?? [], services: accepted?.services ?? [],
      routes: named.patterns(of: module) + declared, of: owner, because: "\(error.code)")
  }

  /// Ends an earlier refusal of the module's URLs and names.
  func accept(_ owner: ModuleOwner) {
    host.switchboard.router.refuse([], of: owner, because: "")
    host.switchboard.accept(owner)
  }
}

extension HostContext {
  /// The modules that are refused.
  var refused: RefusedModules { RefusedModules(self) }
}
