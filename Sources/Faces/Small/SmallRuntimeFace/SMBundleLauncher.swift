internal import PluginHost
public import PluginKit

/// What opens a kind of bundles, and makes their pages.
///
/// A host has launchers in an order. The first one that takes a bundle keeps it until the next setup.
public protocol SMBundleLauncher: Sendable {
  /// Whether this launcher takes a bundle. Its module is loaded by then.
  ///
  /// For a URL that no module serves, and that may be shown on the web, the bundle's type is `none`, and its `uri` is the
  /// URL.
  func preloadBundle(_ bundle: SMBundle) -> Bool

  /// Prepares a bundle that this launcher has taken: when the host is set up, and when resources were upgraded.
  func loadBundle(_ bundle: SMBundle)

  /// Makes a new page. It is called on the thread that opens the URL.
  ///
  /// - Throws: any error. One that is no `PluginError` arrives as `route.failed`.
  func controller(for request: SMPageRequest) throws -> Page
}

extension SMBundleLauncher {
  /// Does nothing.
  public func loadBundle(_ bundle: SMBundle) {}
}

/// A request for a page of a bundle.
public struct SMPageRequest: Sendable {
  /// The bundle, target and parameters. For a page of the web, the bundle's type is `none`, and the target is empty.
  public let match: SMMatch
  /// Who opens the URL.
  public let sender: SMSender
  /// The request that the router has found; nil for a page of the web.
  public let route: RouteRequest?

  init(_ match: SMMatch, _ sender: SMSender, _ route: RouteRequest?) {
    self.match = match
    self.sender = sender
    self.route = route
  }
}

/// The launcher of modules with code, and of the host itself: it makes the pages that they have registered.
///
/// The target is the name of a page, with or without `Controller` at its end, or a board and an identifier. An empty
/// target is the page that the module opens with. If a module has none, and has an `Info.plist` among its resources,
/// its principal class is the page's name.
public struct SMAppBundleLauncher: SMBundleLauncher {
  /// Makes the launcher.
  public init() {}

  /// Takes bundles with code, and the host itself.
  public func preloadBundle(_ bundle: SMBundle) -> Bool { bundle.type == .application || bundle.type == .host }

  /// Makes a page that the bundle's owner has registered.
  ///
  /// - Throws: `page.not-found`, `page.module-refused`, `page.failed`, `page.too-deep`, and what the factory throws.
  public func controller(for request: SMPageRequest) throws -> Page {
    let match = request.match
    let pages = match.bundle.host.switchboard.pages
    var target = match.target
    if target.isEmpty, !pages.hasPage("", of: match.bundle.owner), let name = match.bundle.principalClass {
      target = name
    }
    guard let route = request.route else {
      return try pages.make(target, of: match.bundle.owner, parameters: match.parameters)
    }
    return try pages.make(target, of: match.bundle.owner, parameters: match.parameters, answering: route)
  }
}
