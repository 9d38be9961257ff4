/// A controller that opens pages of web modules, and hears of them.
///
/// Open the URI with `fromController:`, and give this object or its page along. It is not kept alive. Its functions are
/// called on the thread on which the web view reports.
public protocol SMWebControllerDelegate: AnyObject, Sendable {
  /// Whether a link of the page may be opened. By default it may.
  ///
  /// - Parameter url: the whole URL of the link.
  func webViewControllerShouldLoad(_ url: String) -> Bool

  /// Hears of the result of a page, just before the page disappears.
  ///
  /// - Parameter result: what the page gave; nil if it gave nothing.
  func webViewControllerDidPop(withWebResult result: String?)
}

extension SMWebControllerDelegate {
  /// Says yes.
  public func webViewControllerShouldLoad(_ url: String) -> Bool { true }

  /// Does nothing.
  public func webViewControllerDidPop(withWebResult result: String?) {}
}

/// The notifications about pages of the web. Their object is the page's controller.
public enum SMWebNotification {
  /// A page begins to load.
  public static let didStartLoad = "SMWebViewDidStartLoadNotification"
  /// A page has been loaded, or could not be: then the values have an error.
  public static let didFinishLoad = "SMWebViewDidFinishLoadNotification"
  /// The name of the error among the values of ``didFinishLoad``.
  public static let errorKey = "SMWebViewError"
}
