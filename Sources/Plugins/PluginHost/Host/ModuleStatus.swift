public import ModuleStore
public import Signet

/// The status of a module on its way into the host.
///
/// The cases are in the order of that way. The two failures come last.
public enum ModuleStatus: Int, Comparable, CaseIterable, Sendable, CustomStringConvertible {
  /// Nothing of the module is here.
  case none
  /// The module's archive is being fetched.
  case downloading
  /// The module's archive is here, and nothing is known about it yet.
  case downloaded
  /// The module's archive is being verified.
  case verifying
  /// The module is being installed.
  case installing
  /// A release of the module is installed.
  case installed
  /// The module's code is being loaded.
  case loading
  /// The module is loaded, and its registrations can be called.
  case loaded
  /// The module is refused, and none of it runs. Another release may be accepted, or the same one under another
  /// policy.
  case refused
  /// The module could not be loaded.
  case loadFailed

  /// Whether the next status can follow this one.
  public func canBecome(_ next: ModuleStatus) -> Bool {
    switch self {
    case .none: [.downloading, .downloaded, .verifying, .installed, .refused].contains(next)
    // If the transfer fails, the module gets its earlier status back.
    case .downloading: [.none, .downloaded, .installed, .refused, .loadFailed].contains(next)
    // An installed release may be loaded meanwhile. It gets its status back if the offered one is refused.
    case .downloaded: [.none, .verifying, .loading].contains(next)
    case .verifying: [.none, .installing, .installed, .loading, .refused, .loadFailed].contains(next)
    case .installing: [.none, .installed, .loading, .refused, .loadFailed].contains(next)
    case .installed: [.none, .downloading, .downloaded, .verifying, .loading, .refused].contains(next)
    case .loading: [.loaded, .refused, .loadFailed].contains(next)
    // What a module does right after it was loaded may fail, and its registrations may be removed.
    case .loaded: [.loadFailed, .installed].contains(next)
    case .refused: [.none, .downloading, .downloaded, .verifying, .installed, .loading].contains(next)
    case .loadFailed: [.none, .downloading, .downloaded, .verifying, .installed, .loading].contains(next)
    }
  }

  /// Orders statuses by their place on the way into the host.
  public static func < (one: ModuleStatus, other: ModuleStatus) -> Bool { one.rawValue < other.rawValue }

  /// The status as text.
  public var description: String {
    switch self {
    case .none: "none"
    case .downloading: "downloading"
    case .downloaded: "downloaded"
    case .verifying: "verifying"
    case .installing: "installing"
    case .installed: "installed"
    case .loading: "loading"
    case .loaded: "loaded"
    case .refused: "refused"
    case .loadFailed: "load failed"
    }
  }
}

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
    let setAside = (try? store.setAside(module)) ?? []
    if setAside.contains(where: { release in sequence.map { $0 == release.sequence } ?? (release.version == version) }
    ) {
      return .setAside(version)
    }
    guard !isRefused(module), let installed = store.lastAccepted(module) else { return .notInstalled }
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
    isRefused(module) ? nil : store.lastAccepted(module)?.version
  }

  /// The sequence of the release that is loaded, or will be at the next start; nil without one, or if it is refused.
  public func installedSequence(of module: ModuleIdentifier) -> Int? {
    isRefused(module) ? nil : store.lastAccepted(module)?.sequence
  }

  /// Whether the module is refused for more than a while. One that is held back is loaded soon.
  private func isRefused(_ module: ModuleIdentifier) -> Bool {
    records.status(of: module) == .refused && records.reason(of: module)?.code != .hostHeldBack
  }
}
