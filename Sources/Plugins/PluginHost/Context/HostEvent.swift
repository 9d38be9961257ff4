public import Signet
public import SignetBase

/// Something that happened in a host, for an interface to show and a log to keep.
///
/// Later versions may add cases, so a `switch` needs a `default`.
public enum HostEvent: Sendable {
  /// A module's status changed.
  case status(ModuleIdentifier, ModuleStatus, previous: ModuleStatus)
  /// A release of a module in use was installed.
  ///
  /// Code takes effect at the next start, a module without code at the next load.
  case update(ModuleIdentifier, sequence: Int)
  /// Bytes of a module's archive were received: how many, and of how many, if that is known.
  ///
  /// The number falls when the transfer begins again.
  case progress(ModuleIdentifier, received: Int, of: Int?)
  /// A module, or what was offered as one, was refused or failed.
  case refused(RefusedModule)
  /// A release is used instead of a newer one, which was set aside because the host crashed with it.
  case fallback(ModuleIdentifier, sequence: Int, insteadOf: Int)
  /// Loading a release takes longer than the time in the configuration. It may still succeed.
  case stalled(ModuleIdentifier, sequence: Int, after: Duration)
  /// The manifest has an entry whose module is not installed and does not ship with the host.
  case missing(HostManifest.Entry)
  /// A module's code is in the process, and has not been entered yet. This is for crash reporters.
  case images([LoadedImage])
  /// There is a problem that stops nothing, but should be known.
  case notice(SignetError)
}

extension HostEvent {
  /// What a person should be told, as a sentence in one line; nil if the event is only progress.
  ///
  /// Each problem is told once: a release that was set aside is a ``fallback(_:sequence:insteadOf:)`` if another release
  /// runs, and otherwise a ``refused(_:)``.
  public var sentence: String? {
    switch self {
    case .refused(let module): "refused: \(module.source): \(module.reason)".visible
    case .fallback(let module, let sequence, let newer):
      "\(module) \(newer) was set aside, because the host has crashed with it; \(module) \(sequence) runs instead"
    case .stalled(let module, let sequence, let time): "\(module) \(sequence) has been loading for \(time)"
    case .missing(let entry): "missing: \(entry.package ?? entry.uri)".visible
    case .notice(let problem): "note: \(problem)".visible
    case .update(let module, let sequence):
      "\(module) \(sequence) was installed: if it has code, that runs from the next start on"
    case .status, .progress, .images: nil
    }
  }
}

/// A module, or what was offered as one, that was refused or failed.
public struct RefusedModule: Sendable {
  /// The module; nil if it could not be determined.
  public let identifier: ModuleIdentifier?
  /// The sequence of the release, if it could be determined.
  public let sequence: Int?
  /// The source of what was offered: a path, a URL, or the identifier of an installed module.
  public let source: String
  /// The reason for the refusal or failure.
  public let reason: SignetError
  /// The time of the refusal or failure.
  public let time: UnixTime
}
