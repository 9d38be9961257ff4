internal import CSignetPlugin
internal import ModuleStore
internal import PluginKit
internal import Signet

/// The call of a module's principal, which lets it register.
struct PrincipalCall {
  private let switchboard: Switchboard
  private let records: HostRecords

  init(_ switchboard: Switchboard, _ records: HostRecords) {
    self.switchboard = switchboard
    self.records = records
  }

  /// Calls a principal. The loader has checked that it is the module's own, at this address.
  func enter(_ address: UInt, _ declaration: ModuleDeclaration, _ release: InstalledModule) throws(PluginError) {
    guard let symbol = unsafe UnsafeRawPointer(bitPattern: address) else {
      throw PluginError(.pluginFailed, declaration.identifier, "has no principal")
    }
    let principal = unsafe unsafeBitCast(symbol, to: signet_principal.self)
    try unsafe switchboard.enter(
      principal, declaration,
      resources: { path in try LoadedModule.resource(path, of: release) },
      onEntered: { [records] in records.note(release.module.identifier, .loaded) })
  }
}
