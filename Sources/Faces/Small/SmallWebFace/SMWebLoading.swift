internal import PluginHost
public import PluginKit
internal import SignetSystem

/// What a page's request gets.
public enum SMWebResponse: Sendable {
  /// A file of the page's module.
  case resource(SMWebResource)
  /// The view may load it from the web. Only pages that no module has get this.
  case web
  /// Nothing, and the view loads nothing.
  case refused(PluginError)
}

/// What a web view calls (``SMWebView``).
extension SMWebController {
  /// The script that the view runs at the beginning of each document of the main frame.
  ///
  /// - Parameter post: a script's expression for the function that passes a text to
  ///   ``receive(_:from:isMainFrame:)``, such as `(text) => webkit.messageHandlers.small.postMessage(text)`.
  public func userScript(post: String) -> String {
    SMWebScript.text(post: post, hasCookies: module == nil)
  }

  /// What a request of the page gets.
  ///
  /// - Parameter url: the whole URL.
  public func answer(to url: String) -> SMWebResponse {
    if let module, module.hasOrigin(url) {
      do throws(PluginError) { return .resource(try module.resource(url)) } catch { return .refused(error) }
    }
    guard module == nil, isWeb(url) else {
      return .refused(
        PluginError(
          .externalRefused, PluginURL.shown(url), "is not loaded by this page",
          expected: module == nil ? "a page of the web" : "a file of its module"))
    }
    return .web
  }

  private func isWeb(_ url: String) -> Bool { configuration.address.isWeb(url) }

  // MARK: Navigation

  /// Whether the main frame may go to another URL.
  ///
  /// A link or a form is opened by Small, as any URI is, in the name of the page's module, and the page stays. A link
  /// within the module makes another page. The delegate may forbid it.
  ///
  /// - Parameters:
  ///   - url: the whole URL.
  ///   - navigation: why the frame goes there.
  public func shouldLoad(_ url: String, by navigation: SMWebNavigation) -> Bool {
    let (isLoaded, delegate) = state.withLock { ($0.isLoaded, $0.delegate) }
    // A place in the same document, or the document itself.
    if Self.withoutFragment(url).elementsEqual(Self.withoutFragment(self.url)) { return true }
    // Until the document is there, it may send the view on to another one of the same kind.
    if navigation == .other, !isLoaded, module?.hasOrigin(url) ?? isShownOnWeb(url) { return true }
    guard !isGone, isOnTop else { return false }
    switch navigation {
    case .link, .form:
      guard delegate?.controller(in: host)?.webViewControllerShouldLoad(url) ?? true else { return false }
    case .reload, .other: break
    }
    Task { [self] in
      let result: Result<SMOutcome, PluginError>
      do throws(PluginError) { result = .success(try await follow(url)) } catch { result = .failure(error) }
      configuration.onEvent(.opened(url, result), self)
    }
    return false
  }

  /// Whether the host would show a URL on the web. What a module has there is the module's, also while it is refused.
  private func isShownOnWeb(_ url: String) -> Bool {
    let error = PluginError(.routeNotFound, PluginURL.shown(url), "is where a page of the web goes on")
    guard isWeb(url), case .web = host.switchboard.outcome(of: url, after: error) else { return false }
    return true
  }

  private static func withoutFragment(_ url: String) -> Substring.UTF8View {
    url.utf8.prefix { $0 != UInt8(ascii: "#") }
  }

  /// Opens what a page leads to.
  private func follow(_ url: String) async throws(PluginError) -> SMOutcome {
    if let module, module.hasOrigin(url) {
      // What the module does not have gets no page.
      _ = try module.resource(url)
      let page = try SMWebController(module, url, of: host, configuration).shownPage(nil)
      return .page(page, context?.presenter.open(page))
    }
    if let context { return try await SmallModule(context).openUri(url, fromView: self) }
    // A page of the web opens others, and what modules have there. It runs no actions.
    guard isWeb(url), let small = await host.switchboard.services.resolve((any SMOpener).self) as? Small else {
      throw PluginError(.externalRefused, PluginURL.shown(url), "is not opened by a page of the web")
    }
    return try await small.openUri(url, fromView: self)
  }

  /// A page whose view begins to load.
  func shownPage(_ delegate: SMWebDelegate?) -> Page {
    if let view = configuration.makeView(self) { use(view) }
    return page(delegate)
  }

  // MARK: Loading

  /// Hears that a document begins to load. It posts `SMWebNotification.didStartLoad`.
  public func didStartLoad() {
    state.withLock { state in
      state.document += 1
      state.isLoaded = false
      state.calls = []
    }
    post(SMWebNotification.didStartLoad)
  }

  /// Hears that the document has been loaded. It posts `SMWebNotification.didFinishLoad`.
  public func didFinishLoad() {
    state.withLock { $0.isLoaded = true }
    post(SMWebNotification.didFinishLoad)
  }

  /// Hears that the document could not be loaded. It posts `SMWebNotification.didFinishLoad` with the error.
  public func didFailLoad(_ error: any Error) {
    state.withLock { $0.isLoaded = false }
    post(SMWebNotification.didFinishLoad, [SMWebNotification.errorKey: error])
  }

  private func post(_ notification: String, _ values: [String: any Sendable] = [:]) {
    // The only failure is that notifications nest too deep. Then nobody hears of it.
    try? host.switchboard.notifications.post(notification, object: self, userInfo: values)
  }

  // MARK: Messages

  /// Takes a message that the page's script has posted. Anything that is not one is told to the host, and has no effect.
  ///
  /// - Parameters:
  ///   - text: the message.
  ///   - origin: the origin of the document that posts, such as `https://com.example.web.about.invalid`, or its URL.
  ///   - isMainFrame: whether the document is that of the main frame.
  public func receive(_ text: String, from origin: String, isMainFrame: Bool) {
    do throws(PluginError) {
      guard isMainFrame, module?.hasOrigin(origin) ?? configuration.bridges(origin) else {
        throw SMWebMessage.fault("comes from another document")
      }
      guard !isGone else { throw PluginError(.webClosed, shown, "is closed, or its module was removed") }
      switch try SMWebMessage(text) {
      case .ready(let title, let metas): describe(title, metas)
      case .invoke(let id, let method, let parameters): try invoke(id, method, parameters)
      }
    } catch { configuration.onEvent(.refused(error), self) }
  }

  private func invoke(_ id: Int, _ method: String, _ parameters: [String: SMWebValue]) throws(PluginError) {
    let (document, isFull, isNew, count) = state.withLock { state in
      let isFull =
        state.calls.count >= SMWebBridge.callLimit || state.unanswered >= SMWebBridge.documentsCallLimit
      let isNew = !isFull && state.calls.insert(id).inserted
      if isNew { state.unanswered += 1 }
      return (state.document, isFull, isNew, state.unanswered)
    }
    guard isNew else {
      let error = PluginError(
        .webBusy, PluginURL.shown(method), "has too many calls without an answer, or one with the same number",
        expected: "at most \(SMWebBridge.callLimit) calls", found: "\(count)")
      if isFull { send(id, .failure(error)) }
      throw error
    }
    bridge.invoke(method, parameters) { [weak self] answer in self?.finish(id, document, answer) }
  }

  private func finish(_ id: Int, _ document: Int, _ answer: SMWebAnswer) {
    let counts = state.withLock { state in
      state.unanswered -= 1
      return state.document == document && state.calls.remove(id) != nil
    }
    if counts { send(id, answer) }
  }

  private func send(_ id: Int, _ answer: SMWebAnswer) {
    let script =
      switch answer {
      case .success(let value): SMWebScript.answer(id, value)
      // The page gets no causes, which may name files of the host.
      case .failure(let error): SMWebScript.failure(id, "\(error.code)", error.message)
      }
    view?.evaluate(script) { _ in }
  }
}
