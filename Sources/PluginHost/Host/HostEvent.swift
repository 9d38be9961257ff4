public import Signet
public import SignetBase

/// Something that happened in a host, for an interface to show and a log to keep.
///
/// Later versions may add cases, so a `switch` needs a `default`.
public enum HostEvent: Sendable {
  /// A module's status changed.
  case status(ModuleIdentifier, ModuleStatus, previous: ModuleStatus)
  /// A release of a module in use was installed. Code takes effect at the next start, a module without code at the next
  /// load.
  case update(ModuleIdentifier, sequence: Int)
  /// How many bytes of a module's archive were received, and of how many, if that is known. The number falls when the
  /// transfer begins again.
  case progress(ModuleIdentifier, received: Int, of: Int?)
  /// Something was refused, or failed.
  case refused(RefusedModule)
  /// A release is used instead of a newer one, which was set aside because the host crashed with it.
  case fallback(ModuleIdentifier, sequence: Int, insteadOf: Int)
  /// Loading a release takes longer than the time in the configuration. It may still succeed.
  case stalled(ModuleIdentifier, sequence: Int, after: Duration)
  /// An entry of the manifest whose module is not installed and does not ship with the host.
  case missing(HostManifest.Entry)
  /// A module's code is in the process, and none of it was entered yet. This is for crash reporters.
  case images([LoadedImage])
  /// A problem that stops nothing, but should be known.
  case notice(SignetError)
}

/// A module, or what was offered as one, that was refused or failed.
public struct RefusedModule: Sendable {
  /// The module; nil if it could not be determined.
  public let identifier: ModuleIdentifier?
  /// The sequence of the release, if it could be determined.
  public let sequence: Int?
  /// What was offered: a path, a URL, or the identifier of an installed module.
  public let source: String
  /// The reason.
  public let reason: SignetError
  /// The time.
  public let time: UnixTime
}
