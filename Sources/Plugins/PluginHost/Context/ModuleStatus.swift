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
