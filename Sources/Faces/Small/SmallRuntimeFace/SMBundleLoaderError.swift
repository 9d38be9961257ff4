internal import PluginHost
public import SignetBase
internal import SignetSystem

/// Why a manifest was not used, with the codes of Small.
///
/// A host tells each manifest that it refuses (`PluginHost.refusals`), and setup throws the reason of the second one.
public enum SMBundleLoaderError: Int, Error, Hashable, Sendable {
  /// There is no manifest.
  case missingFile = 1
  /// It is not a manifest that this host accepts: not its format, or not its signature.
  case format = 2
  /// It has an unknown version.
  case unknownVersion = 3

  /// The domain of the codes.
  public static let domain = "SMBundleLoaderError"

  /// The code for a reason.
  public init(_ reason: SignetError) {
    self =
      switch reason.code {
      case .fileMissing: .missingFile
      case .manifestVersion: .unknownVersion
      default: .format
      }
  }
}
