/// A page that is shown, or can be: an identity, a title, an owner, and the object behind it.
///
/// What an object decides about its page, it says by conforming to ``PageController`` and ``SelfPresentingPage``.
public struct Page: Sendable, Identifiable {
  /// The identity of a page. No two pages of a process have the same.
  public struct ID: Hashable, Sendable {
    private static let count = ReadWriteLock(0)

    private let number: Int

    init() {
      number = Self.count.write { count in
        count += 1
        return count
      }
    }
  }

  /// The identity of the page.
  public let id: ID
  /// The title.
  public internal(set) var title: String
  /// The items of the navigation bar.
  public internal(set) var barItems: [BarItem]
  /// What the host draws, or another module uses: a view's controller, a model, a table of functions. nil for a page that
  /// is its title alone.
  public let object: (any Sendable)?
  /// Whose page it is. It disappears with its owner.
  ///
  /// A page belongs to the module that made it, by ``ModuleContext/page(_:object:barItems:)`` or a factory. Any other
  /// page belongs to the first one who shows it.
  public var owner: ModuleOwner { maker ?? .host }
  /// The owner; nil until there is one.
  private(set) var maker: ModuleOwner?

  /// Makes a page, which belongs to the first one who shows it.
  ///
  /// - Parameters:
  ///   - title: the title.
  ///   - object: what the host draws, or another module uses.
  ///   - barItems: the items of the navigation bar.
  public init(_ title: String, object: (any Sendable)? = nil, barItems: [BarItem] = []) {
    id = ID()
    self.title = title
    self.object = object
    self.barItems = barItems
  }

  /// The same page with an owner, unless it has one.
  func owned(by owner: ModuleOwner) -> Page {
    var page = self
    page.maker = maker ?? owner
    return page
  }
}

extension Page: Equatable {
  /// Two values are equal if they are the same page and look the same.
  public static func == (one: Page, other: Page) -> Bool {
    one.id == other.id && one.title == other.title && one.barItems == other.barItems && one.owner == other.owner
  }
}

/// An item of a page's navigation bar.
public struct BarItem: Sendable, Equatable {
  /// Where an item is.
  public enum Place: String, Sendable {
    /// At the beginning of the bar.
    case left
    /// In the middle.
    case center
    /// At the end.
    case right
  }

  /// Where the item is.
  public var place: Place
  /// The name of a kind that the host knows how to draw, such as `share`; nil for an item that is its title.
  public var kind: String?
  /// The title; nil for an item of a kind.
  public var title: String?
  /// What a tap does, in the words of the page: a function of its script, or the name of an action.
  public var action: String?

  /// Makes an item.
  public init(_ place: Place, kind: String? = nil, title: String? = nil, action: String? = nil) {
    self.place = place
    self.kind = kind
    self.title = title
    self.action = action
  }
}

/// How a page left the screen.
public enum PageClosing: Sendable {
  /// It was closed, with its result if it gave one.
  case closed(result: (any Sendable)?)
  /// Its owner, or who showed it, was removed.
  case removed

  /// The result, or nil.
  public var result: (any Sendable)? {
    switch self {
    case .closed(let result): result
    case .removed: nil
    }
  }
}

/// A page's object that decides about the page, and hears of it. All of its functions are called on the thread that makes
/// the change.
public protocol PageController: Sendable {
  /// Hears that the page is on the screen now. What changed before can be shown by then: a title, for example.
  func didShow(_ page: Page)

  /// Whether the page may be closed now. By default it may.
  ///
  /// A page that has to ask somebody first says no, and closes itself when it has the answer. A page whose owner is
  /// removed is not asked.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - result: the result with which it would be closed.
  func mayClose(_ page: Page, result: (any Sendable)?) -> Bool

  /// Hears that the page left the screen. It is called once.
  func didClose(_ page: Page, _ closing: PageClosing)

  /// Hears of a tap on an item of the page's bar.
  func didTap(_ item: BarItem, on page: Page)
}

extension PageController {
  /// Does nothing.
  public func didShow(_ page: Page) {}

  /// Says yes.
  public func mayClose(_ page: Page, result: (any Sendable)?) -> Bool { true }

  /// Does nothing.
  public func didClose(_ page: Page, _ closing: PageClosing) {}

  /// Does nothing.
  public func didTap(_ item: BarItem, on page: Page) {}
}

/// A page's object that presents its page by itself.
public protocol SelfPresentingPage: Sendable {
  /// Presents the page, for ``Presenter/show(_:onClose:)``.
  ///
  /// - Returns: whether it could.
  func presentSelf(_ page: Page) -> Bool
}
