internal import ModuleStore
internal import PACoreFace
internal import PluginHost
internal import PluginKit
internal import Signet
public import SignetBase

/// The store as the runtime's sample shows it, without a screen: rows of three, and what a tap does.
public struct PAStoreScreen: Sendable {
  /// How many items are beside each other.
  public static let columns = 3

  /// What is on offer, row by row.
  public let items: [PADownloadItem]
  private let manager: PABundleManager

  /// The outcome of a tap.
  public enum Tap: Sendable {
    /// The cell is empty, or the module has no such page.
    case nothing
    /// The item is being downloaded: by this tap, or by one before.
    case downloading
    /// The page was pushed.
    case pushed(any Sendable)
  }

  /// Makes a screen of a list's items.
  public init(_ items: [PADownloadItem], of manager: PABundleManager) {
    self.items = items
    self.manager = manager
  }

  /// The rows. The last one is filled up with empty cells.
  public var rows: [[PADownloadItem?]] {
    stride(from: 0, to: items.count, by: Self.columns).map { first in
      (first..<first + Self.columns).map { items.indices.contains($0) ? items[$0] : nil }
    }
  }

  /// How far the download of an item is: the number of bytes that are there, and of how many if that is known.
  ///
  /// - Parameter index: the cell, row by row, from 0.
  /// - Returns: nil if the cell is empty, or nothing of its module is being downloaded.
  public func progress(_ index: Int) -> (received: Int, whole: Int?)? {
    guard items.indices.contains(index), let offer = try? items[index].offer() else { return nil }
    return manager.host.progress(of: offer.identifier)
  }

  /// Downloads an item that is not installed, or is installed in an earlier version. Otherwise loads its module if
  /// needed, and pushes its first page to the host's presenter.
  ///
  /// - Parameter index: the cell, row by row, from 0.
  /// - Throws: what `PABundleManager.start(_:)` throws.
  public func tap(_ index: Int) async throws(SignetError) -> Tap {
    guard items.indices.contains(index) else { return .nothing }
    let item = items[index]
    let offer = try item.offer()
    switch manager.host.availability(of: offer) {
    case .notInstalled, .updateAvailable:
      try manager.start(item)
      return .downloading
    case .installed, .setAside:
      let bundle = PABundle(offer.identifier, of: manager.host)
      await bundle.load()
      // The list may name what another module serves: that is not this item's page.
      guard let uri = item.uri, let page = try? await bundle.resource(uri) else { return .nothing }
      // A page that the module has made keeps its title and its owner; anything else becomes the object of one.
      manager.host.switchboard.presenter.push(page as? Page ?? Page("\(page)", object: page))
      return .pushed(page)
    }
  }
}
