public import PluginKit

/// The tools for screens, over the host's presenter.
extension CTMediator {
  /// The page on top of everything, below any alert; nil if nothing is shown.
  public func topViewController() -> Page? {
    guard let state = try? caller().presenterState else { return nil }
    return state.intro ?? state.topPage
  }

  /// Puts a page on top of the visible stack: that of what was presented last, else of the selected tab. An alert is
  /// dismissed first.
  ///
  /// - Parameters:
  ///   - viewController: the page.
  ///   - animated: the host draws the change, and decides about it.
  /// - Returns: false if the page is shown already, its owner was removed, or the mediator has no host.
  @discardableResult public func pushViewController(_ viewController: Page, animated: Bool = true) -> Bool {
    (try? caller().push(viewController)) ?? false
  }

  /// Lays a page over everything. An alert is dismissed first.
  ///
  /// - Parameters:
  ///   - viewController: the page.
  ///   - animated: the host draws the change, and decides about it.
  ///   - completion: called once the page is shown; not called if it is not.
  /// - Returns: false if the page is shown already, its owner was removed, or the mediator has no host.
  @discardableResult public func presentViewController(
    _ viewController: Page, animated: Bool = true, completion: (() -> Void)? = nil
  ) -> Bool {
    guard (try? caller().present(viewController)) == true else { return false }
    completion?()
    return true
  }
}
