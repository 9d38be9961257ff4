/// A module's access to the screen: it can show and remove pages until it is removed itself. Then its pages disappear,
/// and everything here does nothing and returns false.
///
/// The host draws the screen, and passes on what the user does: a module cannot answer an alert, or tap an item.
public struct ModulePresenter: Sendable {
  private let presenter: Presenter
  private let owner: ModuleOwner

  init(_ presenter: Presenter, _ owner: ModuleOwner) {
    self.presenter = presenter
    self.owner = owner
  }

  /// Everything that is shown now.
  public var state: Presenter.State { presenter.state }

  /// Puts a page on top of the visible stack, as ``Presenter/push(_:onClose:)`` does.
  @discardableResult public func push(
    _ page: Page, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Bool {
    presenter.push(page, by: owner, onClose)
  }

  /// Puts a page on top of the visible stack, as ``Presenter/push(_:)`` does.
  public func push(_ title: String) { push(Page(title)) }

  /// Lays a page over everything, as ``Presenter/present(_:onClose:)`` does.
  @discardableResult public func present(
    _ page: Page, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Bool {
    presenter.present(page, by: owner, onClose)
  }

  /// Lays a page over everything, as ``Presenter/present(_:)`` does.
  public func present(_ title: String) { present(Page(title)) }

  /// Has a page present itself, as ``Presenter/show(_:onClose:)`` does.
  @discardableResult public func show(
    _ page: Page, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Bool {
    presenter.show(page, by: owner, onClose)
  }

  /// Opens a page in an intro window or on the visible stack, as ``Presenter/open(_:isFullScreen:onClose:)`` does.
  @discardableResult public func open(
    _ page: Page, isFullScreen: Bool = false, onClose: (@Sendable (PageClosing) -> Void)? = nil
  ) -> Presentation? {
    presenter.open(page, by: owner, isFullScreen, onClose)
  }

  /// Removes the page on top, as ``Presenter/pop(result:)`` does.
  @discardableResult public func pop(result: (any Sendable)? = nil) -> Bool {
    presenter.close(.top, result, by: owner)
  }

  /// Removes a page that this module has or shows, as ``Presenter/close(_:result:)`` does.
  @discardableResult public func close(_ page: Page.ID, result: (any Sendable)? = nil) -> Bool {
    presenter.close(.page(page), result, by: owner)
  }

  /// Removes the alert, which gives no answer, or else the topmost sheet, as ``Presenter/dismiss(result:)`` does.
  @discardableResult public func dismiss(result: (any Sendable)? = nil) -> Bool {
    presenter.dismiss(result, by: owner)
  }

  /// Shows an alert without choices, as ``Presenter/alert(_:)`` does.
  public func alert(_ text: String) { alert(Alert(text)) }

  /// Shows an alert, as ``Presenter/alert(_:onChoice:)`` does.
  ///
  /// - Returns: false once the module was removed. Then there is no answer.
  @discardableResult public func alert(_ alert: Alert, onChoice: (@Sendable (Int) -> Void)? = nil) -> Bool {
    presenter.alert(alert, by: owner, onChoice)
  }

  /// Shows an alert, and waits for the choice, as ``Presenter/ask(_:)`` does. The answer is 0 once the module was
  /// removed.
  public func ask(_ alert: Alert) async -> Int { await presenter.ask(alert, by: owner) }

  /// Shows another tab, as ``Presenter/select(tab:)`` does.
  @discardableResult public func select(tab: Int) -> Bool { presenter.select(tab: tab, by: owner) }

  /// Changes the title or the bar items of a page that this module has or shows. What is nil stays.
  @discardableResult public func update(_ page: Page.ID, title: String? = nil, barItems: [BarItem]? = nil) -> Bool {
    presenter.update(page, title, barItems, by: owner)
  }
}
