/// The web view's side of a page: whatever draws pages, runs their scripts and loads their files.
///
/// A view has five duties:
///
/// 1. It runs ``SMWebController/userScript(post:)`` at the beginning of each document of the main frame, before the
///    page's own scripts, and in no other frame.
/// 2. It passes each text that this script posts to ``SMWebController/receive(_:from:isMainFrame:)``.
/// 3. It asks ``SMWebController/answer(to:)`` for each request, and loads nothing otherwise.
/// 4. Before the main frame goes to another URL, it asks ``SMWebController/shouldLoad(_:by:)``.
/// 5. It tells ``SMWebController/didStartLoad()``, ``SMWebController/didFinishLoad()`` and
///    ``SMWebController/didFailLoad(_:)``.
///
/// It may call the controller on any thread, and one call at a time.
public protocol SMWebView: AnyObject, Sendable {
  /// Begins to load a URL in the main frame. This is not a link, so the view asks nobody whether it may.
  func load(_ url: String)

  /// Runs a script in the main frame's document.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - completion: called once: with the script's value if that is a text, and with nil for any other value, for an
  ///     error, and if there is no document.
  func evaluate(_ script: String, completion: @escaping @Sendable (String?) -> Void)
}

/// Why the main frame goes to another URL.
public enum SMWebNavigation: Sendable {
  /// A link was followed.
  case link
  /// A form was sent.
  case form
  /// The page is loaded again.
  case reload
  /// A script or a redirect.
  case other
}
