/// What a module may do with the screen: show and take away pages, as long as it is not removed. Whoever draws the screen is
/// the host.
public struct ModulePresenter: Sendable {
  private let switchboard: Switchboard
  private let owner: ModuleOwner

  init(_ switchboard: Switchboard, _ owner: ModuleOwner) {
    self.switchboard = switchboard
    self.owner = owner
  }

  private var presenter: Presenter? { switchboard.router.isRemoved(owner) ? nil : switchboard.presenter }

  /// What is shown now.
  public var state: Presenter.State { switchboard.presenter.state }

  /// As ``Presenter/push(_:)``; nothing once the module was removed.
  public func push(_ page: String) { presenter?.push(page) }

  /// As ``Presenter/pop()``; false once the module was removed.
  @discardableResult public func pop() -> Bool { presenter?.pop() ?? false }

  /// As ``Presenter/present(_:)``; nothing once the module was removed.
  public func present(_ page: String) { presenter?.present(page) }

  /// As ``Presenter/dismiss()``; false once the module was removed.
  @discardableResult public func dismiss() -> Bool { presenter?.dismiss() ?? false }

  /// As ``Presenter/alert(_:)``; nothing once the module was removed.
  public func alert(_ text: String) { presenter?.alert(text) }

  /// As ``Presenter/select(tab:)``; false once the module was removed.
  @discardableResult public func select(tab: Int) -> Bool { presenter?.select(tab: tab) ?? false }
}
