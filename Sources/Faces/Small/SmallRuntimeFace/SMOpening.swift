internal import PluginHost
internal import PluginKit

/// One opening of a URI, by the host or a module.
struct SMOpening: Sendable {
  private let small: Small
  private let url: PluginURL
  private let object: (any Sendable)?
  /// The module that opens it; nil for the host.
  private let context: ModuleContext?

  /// - Throws: `url.…`: the URI makes no URL.
  init(
    _ uri: String, of small: Small, _ object: (any Sendable)?, _ context: ModuleContext?
  ) throws(PluginError) {
    self.small = small
    self.object = object
    self.context = context
    // A URL such as tel:1 is accepted, too, even if the router does not accept its text.
    url = try PluginURL(small.url(uri), accepting: .all)
  }

  private var switchboard: Switchboard { small.host.switchboard }
  private var userInfo: [String: any Sendable] { SMAction.userInfo(object) }

  // MARK: Opening

  @available(*, noasync, message: "use the async form")
  func open() throws(PluginError) -> SMOutcome {
    let value: (any Sendable)?
    do throws(PluginError) {
      value =
        if let context { try context.open(url, userInfo: userInfo) } else {
          try switchboard.router.open(url, userInfo: userInfo)
        }
    } catch {
      return try outside(after: error, isShown: true)
    }
    return outcome(value)
  }

  func open() async throws(PluginError) -> SMOutcome {
    let value: (any Sendable)?
    do throws(PluginError) {
      if let context {
        value = try await context.open(url, userInfo: userInfo)
      } else {
        value = try await switchboard.router.open(url, userInfo: userInfo)
      }
    } catch {
      return try outside(after: error, isShown: true)
    }
    return outcome(value)
  }

  /// What a handler's value means.
  private func outcome(_ value: (any Sendable)?) -> SMOutcome {
    if let page = value as? Page { return .page(page, show(page)) }
    return isAction ? .action : .value(value)
  }

  private func show(_ page: Page) -> Presentation? {
    let isFullScreen =
      small.match(url)?.isFullScreen ?? url.query[SMMatch.fullScreenKey].map(SMMatch.isTrue) ?? false
    return if let context {
      context.presenter.open(page, isFullScreen: isFullScreen)
    } else {
      switchboard.presenter.open(page, isFullScreen: isFullScreen)
    }
  }

  private var isAction: Bool { url.scheme == SMAction.scheme }

  // MARK: Asking for the page

  @available(*, noasync, message: "use the async form")
  func controller() throws(PluginError) -> Page? {
    do throws(PluginError) {
      // This says why there is no page: when the router is asked for an object, it gives no reason.
      _ = try switchboard.router.match(url, for: .object, userInfo: userInfo)
    } catch {
      return try outside(after: error, isShown: false).page
    }
    let object = if let context { context.object(for: url) } else { switchboard.router.object(for: url) }
    return object as? Page
  }

  func controller() async throws(PluginError) -> Page? {
    do throws(PluginError) { _ = try switchboard.router.match(url, for: .object, userInfo: userInfo) } catch {
      return try outside(after: error, isShown: false).page
    }
    let object: (any Sendable)?
    if let context {
      object = await context.object(for: url)
    } else {
      object = await switchboard.router.object(for: url)
    }
    return object as? Page
  }

  // MARK: URLs that nobody serves

  /// - Throws: the error, unless the URL may be opened outside.
  private func outside(after error: PluginError, isShown: Bool) throws(PluginError) -> SMOutcome {
    // No program outside has Small's actions.
    guard !isAction else { throw error }
    switch switchboard.outcome(of: url.text, after: error) {
    case .external(let url): return .external(url)
    case .refused(let error): throw error
    case .web(let url):
      guard let page = try webPage(url) else { return .web(url, nil) }
      if isShown { _ = show(page) }
      return .web(url, page)
    }
  }

  /// The page that a launcher makes for the web; nil if none takes such pages.
  private func webPage(_ url: String) throws(PluginError) -> Page? {
    let bundle = SMBundle(web: url, of: small.host)
    guard let launcher = small.launcher(of: bundle), let parsed = try? PluginURL(url) else { return nil }
    let match = SMMatch(
      bundle: bundle, target: "", query: parsed.rawQuery,
      queryParams: parsed.hasQuery ? parsed.query.dictionary : nil,
      url: parsed)
    let sender = SMSender(owner: context?.owner ?? .host, object: object)
    do { return try launcher.controller(for: SMPageRequest(match, sender, nil)) } catch {
      throw error as? PluginError ?? PluginError(.pageFailed, PluginURL.shown(url), "could not be made", cause: error)
    }
  }
}
