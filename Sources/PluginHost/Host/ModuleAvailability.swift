internal import ModuleStore
public import Signet

/// How what a host has of a module and what is on offer stand: what a store's list shows.
public enum ModuleAvailability: Hashable, Sendable {
  /// Nothing of the module is installed, or what is was refused.
  case notInstalled
  /// A release with an earlier version is installed.
  case updateAvailable(installed: SemanticVersion)
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
  public func availability(of module: ModuleIdentifier, version: SemanticVersion) -> ModuleAvailability {
    guard let installed = installedVersion(of: module) else { return .notInstalled }
    return installed < version ? .updateAvailable(installed: installed) : .installed(installed)
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
    guard records.status(of: module) != .refused else { return nil }
    return store.lastAccepted(module)?.version
  }
}
