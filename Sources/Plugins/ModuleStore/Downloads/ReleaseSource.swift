public import Signet
public import SignetBase

/// Where a host learns which releases of modules there are. A registry of modules is one (`ModuleCatalog`).
///
/// The source decides what is offered and how fresh that is. The host's policy decides what may load.
public protocol ReleaseSource: Sendable {
  /// What the source offers at one time.
  associatedtype Offers: ReleaseOffers

  /// Asks for the newest state.
  ///
  /// - Parameter time: the current time, by which expiry is judged.
  /// - Throws: why the newest state cannot be had, or is not to be believed.
  func refreshed(at time: UnixTime) throws(SignetError) -> Offers

  /// The state of the last refresh, without asking anybody, as long as it may be believed.
  ///
  /// - Parameter time: the current time, by which expiry is judged.
  /// - Throws: why that state cannot be used.
  func stored(at time: UnixTime) throws(SignetError) -> Offers
}

/// What a source offers at one time. A value is used by one thread at a time.
public protocol ReleaseOffers: AnyObject {
  /// What went wrong and stopped nothing, such as a mirror that lied and was left for another.
  var complaints: [SignetError] { get }

  /// The releases of a module, the one with the lowest sequence first; none for a module that is not offered.
  func releases(of module: ModuleIdentifier) throws(SignetError) -> [OfferedRelease]

  /// When the releases of a module came, by their sequences. It is asked only by hosts whose policy has a minimum age; what
  /// has no time there has come just now.
  func arrivals(of module: ModuleIdentifier) throws(SignetError) -> [Int: UnixTime]

  /// The text of the waiver that a release's publisher has published with it; nil if there is none. Nobody has verified it.
  func waiver(of release: OfferedRelease) throws(SignetError) -> [UInt8]?

  /// The identifiers of all modules that are offered, in the order of their bytes.
  func modules() throws(SignetError) -> [ModuleIdentifier]

  /// Whether one publisher or one module is at fault with an error that the source has thrown, and not the network or
  /// this machine: others can still be asked for.
  func isOfPublisher(_ error: SignetError) -> Bool
}

/// A release that is offered.
public struct OfferedRelease: Sendable {
  /// The module's description of itself, as the source states it. The archive must have the same.
  public let module: ModuleDescription
  /// Why the release was withdrawn; nil if it was not.
  public let withdrawn: String?
  /// What to download: the same archive from each mirror, the one to ask first in front.
  public let items: [DownloadItem]
  /// Whether its publisher has published a waiver with it, which lets it be signed with less than the release before it.
  public let hasWaiver: Bool

  /// Describes a release that is offered.
  public init(
    _ module: ModuleDescription, withdrawn: String? = nil, items: [DownloadItem], hasWaiver: Bool = false
  ) {
    self.hasWaiver = hasWaiver
    self.module = module
    self.withdrawn = withdrawn
    self.items = items
  }
}
