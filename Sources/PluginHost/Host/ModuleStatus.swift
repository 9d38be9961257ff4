internal import ModuleStore
public import Signet

/// How far a module is. The order is that of a module's way into the host; the two ends come last.
public enum ModuleStatus: Int, Comparable, CaseIterable, Sendable, CustomStringConvertible {
  /// Nothing of it is here.
  case none
  /// Its archive is being fetched.
  case downloading
  /// Its archive is here, and nothing is known of it yet.
  case downloaded
  /// Its archive is being verified.
  case verifying
  /// It is being installed.
  case installing
  /// A release is installed.
  case installed
  /// Its code is being loaded.
  case loading
  /// It is loaded, and what it registers can be reached.
  case loaded
  /// It is refused: nothing of it runs. Another release, or another policy, may be accepted.
  case refused
  /// It could not be loaded.
  case loadFailed

  /// Whether the next status can follow.
  public func canBecome(_ next: ModuleStatus) -> Bool {
    switch self {
    case .none: [.downloading, .downloaded, .verifying, .installed, .refused].contains(next)
    // What was there before is what it was when the transfer fails.
    case .downloading: [.none, .downloaded, .installed, .refused, .loadFailed].contains(next)
    // What is installed may be loaded meanwhile, and is what it was when what was offered is refused.
    case .downloaded: [.none, .verifying, .loading].contains(next)
    case .verifying: [.none, .installing, .installed, .loading, .refused, .loadFailed].contains(next)
    case .installing: [.none, .installed, .loading, .refused, .loadFailed].contains(next)
    case .installed: [.none, .downloading, .downloaded, .verifying, .loading, .refused].contains(next)
    case .loading: [.loaded, .refused, .loadFailed].contains(next)
    // What a module does right after it was loaded may fail; its registrations may be taken away.
    case .loaded: [.loadFailed, .installed].contains(next)
    case .refused: [.none, .downloading, .downloaded, .verifying, .installed, .loading].contains(next)
    case .loadFailed: [.none, .downloading, .downloaded, .verifying, .installed, .loading].contains(next)
    }
  }

  /// In the order of the way.
  public static func < (one: ModuleStatus, other: ModuleStatus) -> Bool { one.rawValue < other.rawValue }

  /// The status as it is written.
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
