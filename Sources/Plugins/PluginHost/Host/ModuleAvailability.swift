public import ModuleStore
public import Signet

/// The availability of a module: what a host has of it, compared with an offer.
///
/// A list of offers shows it.
public enum ModuleAvailability: Hashable, Sendable {
  /// No release of the module is installed, or the installed one was refused.
  case notInstalled
  /// A release with an earlier version is installed.
  case updateAvailable(installed: SemanticVersion)
  /// The version was set aside, because the host crashed with it. It is not offered until it is retried
  /// (`retry(_:)`).
  case setAside(SemanticVersion)
  /// The version or a later one is installed. It is used now, or from the next start on.
  case installed(SemanticVersion)
}

extension PluginHost {
  /// Compares what is installed of a module with an offered version.
  ///
  /// This says what there is to do, and decides nothing: a release is verified when it is loaded.
  ///
  /// - Parameters:
  ///   - module: the module.
  ///   - version: the offered version.
  ///   - sequence: the offered sequence, if the offer says it. Without it, a release counts as set aside if one with
  ///     the same version was.
  public func availability(
    of module: ModuleIdentifier, version: SemanticVersion, sequence: Int? = nil
  ) -> ModuleAvailability {
    let setAside = (try? context.store.setAside(module)) ?? []
    if setAside.contains(where: { release in sequence.map { $0 == release.sequence } ?? (release.version == version) }
    ) {
      return .setAside(version)
    }
    guard !isRefused(module), let installed = context.store.lastAccepted(module) else { return .notInstalled }
    let isNewer = sequence.map { installed.sequence < $0 } ?? (installed.version < version)
    return isNewer ? .updateAvailable(installed: installed.version) : .installed(installed.version)
  }

  /// Compares what is installed of a module with an offered item.
  ///
  /// An item that names no release may always be an update.
  public func availability(of item: DownloadItem) -> ModuleAvailability {
    if let version = item.version {
      return availability(of: item.identifier, version: version, sequence: item.sequence)
    }
    guard let installed = installedVersion(of: item.identifier) else { return .notInstalled }
    return .updateAvailable(installed: installed)
  }

  /// Whether a release of a module is installed and was not refused.
  ///
  /// - Parameters:
  ///   - module: the module.
  ///   - minimumVersion: the lowest version that counts; nil for any.
  public func isInstalled(_ module: ModuleIdentifier, minimumVersion: SemanticVersion? = nil) -> Bool {
    guard let installed = installedVersion(of: module) else { return false }
    return minimumVersion.map { installed >= $0 } ?? true
  }

  /// The version of the release that is loaded, or will be at the next start; nil without one, or if it is refused.
  public func installedVersion(of module: ModuleIdentifier) -> SemanticVersion? {
    isRefused(module) ? nil : context.store.lastAccepted(module)?.version
  }

  /// The sequence of the release that is loaded, or will be at the next start; nil without one, or if it is refused.
  public func installedSequence(of module: ModuleIdentifier) -> Int? {
    isRefused(module) ? nil : context.store.lastAccepted(module)?.sequence
  }

  /// Whether the module is refused for more than a while. One that is held back is loaded soon.
  private func isRefused(_ module: ModuleIdentifier) -> Bool {
    context.records.status(of: module) == .refused && context.records.reason(of: module)?.code != .hostHeldBack
  }
}
