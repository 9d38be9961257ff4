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
