internal import ModuleStore
public import Signet
internal import SignetBase
internal import SignetCrypto

/// How what a host has of a module and what is on offer stand: what a store's list shows.
public enum ModuleAvailability: Hashable, Sendable {
  /// Nothing of the module is installed, or what is was refused.
  case notInstalled
  /// A release with an earlier version is installed.
  case updateAvailable(installed: SemanticVersion)
  /// That version was set aside, because the host crashed with it: it is not offered until somebody asks to try it again
  /// (``PluginHost/retry(_:)``).
  case setAside(SemanticVersion)
  /// That version is installed, or a later one: used now, or with the next start.
  case installed(SemanticVersion)
}

extension PluginHost {
  /// How what is installed of a module stands to a version on offer.
  ///
  /// It tells what there is to do, and decides nothing: whatever is loaded is verified then.
  ///
  /// - Parameters:
  ///   - module: the module.
  ///   - version: the version that is on offer.
  ///   - sequence: the sequence of what is on offer, where the offer says it. Without it a release counts as set aside when one of the same
  ///     version was.
  public func availability(
    of module: ModuleIdentifier, version: SemanticVersion, sequence: Int? = nil
  ) -> ModuleAvailability {
    let setAside = (try? store.setAside(module)) ?? []
    if setAside.contains(where: { release in sequence.map { $0 == release.sequence } ?? (release.version == version) }
    ) {
      return .setAside(version)
    }
    guard !isRefused(module), let installed = store.lastAccepted(module) else { return .notInstalled }
    let isNewer = sequence.map { installed.sequence < $0 } ?? (installed.version < version)
    return isNewer ? .updateAvailable(installed: installed.version) : .installed(installed.version)
  }

  /// Whether a release of a module is installed that was not refused.
  ///
  /// - Parameter minimumVersion: the least version that counts; any unless given.
  public func isInstalled(_ module: ModuleIdentifier, minimumVersion: SemanticVersion? = nil) -> Bool {
    guard let installed = installedVersion(of: module) else { return false }
    return minimumVersion.map { installed >= $0 } ?? true
  }

  /// The version of the release that is loaded, or will be at the next start; nil where there is none, or it is refused.
  public func installedVersion(of module: ModuleIdentifier) -> SemanticVersion? {
    isRefused(module) ? nil : store.lastAccepted(module)?.version
  }

  /// Whether the module is refused for more than a while: one that is held back is loaded soon.
  private func isRefused(_ module: ModuleIdentifier) -> Bool {
    records.status(of: module) == .refused && records.reason(of: module)?.code != .hostHeldBack
  }
}
