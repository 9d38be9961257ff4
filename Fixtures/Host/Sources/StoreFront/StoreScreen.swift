/// A store as rows of three, without a screen: what stands where, and what a tap leads to.
public struct StoreScreen: Sendable {
  /// Items beside each other.
  public static let columns = 3

  /// How the host and an item stand.
  public enum Standing: Sendable {
    /// Nothing of the module is here.
    case absent
    /// A release with an earlier version is here.
    case older
    /// The module is here.
    case present
  }

  /// What is to be done after a tap.
  public enum Tap: Equatable, Sendable {
    /// Nothing: the cell is empty.
    case nothing
    /// The item is to be fetched and installed.
    case fetch(StoreItem)
    /// The module's first page is to be shown.
    case open(StoreItem)
  }

  /// What is on offer, row by row.
  public let items: [StoreItem]

  /// Makes a screen.
  public init(_ items: [StoreItem]) { self.items = items }

  /// The rows; the last one is filled up with empty cells.
  public var rows: [[StoreItem?]] {
    stride(from: 0, to: items.count, by: Self.columns).map { first in
      (first..<first + Self.columns).map { items.indices.contains($0) ? items[$0] : nil }
    }
  }

  /// What a tap on a cell leads to.
  ///
  /// - Parameters:
  ///   - index: of the cell, row by row, from 0.
  ///   - standing: how the host and the item in it stand.
  public func tap(_ index: Int, standing: (StoreItem) -> Standing) -> Tap {
    guard items.indices.contains(index) else { return .nothing }
    return switch standing(items[index]) {
    case .absent, .older: .fetch(items[index])
    case .present: .open(items[index])
    }
  }
}
