internal import PluginHost
public import PluginKit
internal import Signet
internal import SignetSystem

/// The launcher of modules of web pages, and of pages of the web that no module has.
///
/// ```swift
/// small.registerLauncher(SMWebBundleLauncher(.init { controller in MyWebView(controller) }))
/// ```
///
/// It takes bundles of resources with an `index.html`. Each request makes a page of its own. The first one gets the page
/// that was loaded in advance, if the request has no query.
public final class SMWebBundleLauncher: SMBundleLauncher {
  /// What a host decides about its web pages.
  public struct Configuration: Sendable {
    /// Makes the view of a page; nil for a page without a view.
    public var makeView: @Sendable (SMWebController) -> (any SMWebView)?
    /// Where modules are for the views.
    public var address = SMWebAddress()
    /// Whether pages are loaded in advance, when their modules are.
    public var loadsInAdvance = true
    /// Whether a page that no module has may call methods, by the origin of its document. By default none may.
    public var bridges: @Sendable (_ origin: String) -> Bool = { _ in false }
    /// How long a page's script may take to say whether the page may be closed.
    public var closeLimit = Duration.seconds(5)
    /// Hears of what pages do.
    public var onEvent: @Sendable (SMWebEvent, SMWebController) -> Void = { _, _ in }

    /// Makes a configuration.
    ///
    /// - Parameter makeView: makes the view of a page. It is called when the page is made, and then
    ///   ``SMWebView/load(_:)``.
    public init(makeView: @escaping @Sendable (SMWebController) -> (any SMWebView)? = { _ in nil }) {
      self.makeView = makeView
    }
  }

  /// What was decided.
  public let configuration: Configuration
  /// The pages that were loaded in advance, by the bundles' URIs.
  private let advance = Monitor<[String: SMWebController]>([:])

  /// Makes the launcher.
  public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

  /// Takes bundles of resources with an `index.html`, and pages of the web.
  public func preloadBundle(_ bundle: SMBundle) -> Bool {
    bundle.type == .none ? configuration.address.isWeb(bundle.uri) : module(bundle) != nil
  }

  /// Loads the page of a bundle in advance.
  public func loadBundle(_ bundle: SMBundle) {
    guard configuration.loadsInAdvance, let module = module(bundle) else { return }
    let controller = try? SMWebController(module, module.url(), of: bundle.host, configuration)
    guard let controller, let view = configuration.makeView(controller) else { return }
    advance.withLock { $0[bundle.uri] = controller }
    controller.use(view)
  }

  /// Makes a page with an ``SMWebController``.
  ///
  /// The query of the request is part of the page's URL, and sets nothing else.
  ///
  /// - Throws: `page.not-found` for a target, because a web module has one page, and for a bundle that is not loaded.
  public func controller(for request: SMPageRequest) throws -> Page {
    let match = request.match
    let delegate = SMWebDelegate(request.sender)
    guard match.bundle.type != .none else {
      return try SMWebController(nil, match.url.text, of: match.bundle.host, configuration).shownPage(delegate)
    }
    guard let module = module(match.bundle), match.target.isEmpty else {
      throw PluginError(
        .pageNotFound, PluginURL.shown(match.target), "is not a page of \(match.bundle.owner)",
        expected: "no target, because a web module has one page")
    }
    let url = module.url(match.query)
    let known = advance.withLock { pages -> SMWebController? in
      guard let page = pages[match.bundle.uri], page.url.utf8.elementsEqual(url.utf8),
        page.module?.release.sequence == module.release.sequence
      else { return nil }
      pages[match.bundle.uri] = nil
      return page
    }
    if let known { return known.page(delegate) }
    return try SMWebController(module, url, of: match.bundle.host, configuration).shownPage(delegate)
  }

  private func module(_ bundle: SMBundle) -> SMWebModule? { SMWebModule(bundle, at: configuration.address) }
}

/// What a page did.
public enum SMWebEvent: Sendable {
  /// It led to a URL, which was opened by Small.
  case opened(String, Result<SMOutcome, PluginError>)
  /// It sent a message that had no effect.
  case refused(PluginError)
}

extension Small {
  /// Registers a method that pages of the web call by `Small.invoke(method, parameters, callback)`. It takes the place of
  /// an earlier one.
  ///
  /// - Parameters:
  ///   - method: the name.
  ///   - handler: runs on a thread of the host.
  /// - Throws: `web.method-reserved` for `confirm`, `alert` and `pop`; `route.conflict` if a module has the method;
  ///   `url.…` if it is not a name.
  public func registerJSMethod(_ method: String, withHandler handler: @escaping SMJSHandler) throws(PluginError) {
    let method = try SMJSMethod(registering: method)
    var options = SMJSMethod.options
    options.bind(to: self)
    try host.switchboard.router.register(method.pattern, owner: .host, options: options) { request, reply in
      SMJSMethod.run(handler, request, reply)
    }
  }
}
