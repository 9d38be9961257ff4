public import Signet
public import SignetBase

/// What happened in a host: what an interface shows, and a log keeps. Later versions may tell of more: a `switch` has a `default`.
public enum HostEvent: Sendable {
  /// A module's status is another one.
  case status(ModuleIdentifier, ModuleStatus, previous: ModuleStatus)
  /// A release is installed of a module that is in use: code takes effect at the next start, and a module without code with the next
  /// load.
  case update(ModuleIdentifier, sequence: Int)
  /// So many bytes of a module's archive are here, of so many as there are, where that is known. The number falls when the transfer
  /// begins anew.
  case progress(ModuleIdentifier, received: Int, of: Int?)
  /// Something was refused, or failed.
  case refused(RefusedModule)
  /// A release is used instead of a newer one, which was set aside because the host crashed with it.
  case fallback(ModuleIdentifier, sequence: Int, insteadOf: Int)
  /// A release is being loaded, and has not come back for the time that the configuration has for it. It may do so yet.
  case stalled(ModuleIdentifier, sequence: Int, after: Duration)
  /// An entry of the manifest whose module is neither installed nor ships with the host.
  case missing(HostManifest.Entry)
  /// A module's code is in the process, before any of it was entered: for crash reporters.
  case images([LoadedImage])
  /// Something that stops nothing, and that somebody should know of.
  case notice(SignetError)
}

/// A module, or what was offered as one, that was refused or failed.
public struct RefusedModule: Sendable {
  /// Which module; nil where that could not be told.
  public let identifier: ModuleIdentifier?
  /// The release, where that could be told.
  public let sequence: Int?
  /// What was offered: a path, a URL, or the identifier of an installed module.
  public let source: String
  /// Why.
  public let reason: SignetError
  /// When.
  public let time: UnixTime
}
