public import PluginKit

/// The principal of a plugin that is written as a ``PABundleDelegate``.
///
/// It registers the delegate for every route that the module's signed description declares, and for nothing else. To
/// serve `ui://wechat` and everything below it, declare `ui://wechat` and `ui://wechat/*`.
public final class PABundlePlugin: Plugin {
  private let delegate: any PABundleDelegate
  private let bus: PABusAccessor?

  /// Makes a principal.
  ///
  /// - Parameters:
  ///   - delegate: the module.
  ///   - bus: a bus of the module's own, which is to find whatever the module's context opens. It is for hosts whose
  ///     default bus has no provider.
  public init(_ delegate: any PABundleDelegate, bus: PABusAccessor? = nil) {
    self.delegate = delegate
    // The host's bus is the host's.
    self.bus = bus === PABusAccessor.default ? nil : bus
  }

  /// Registers the delegate, and tells it that it was loaded.
  ///
  /// - Throws: `route.conflict` if another module has a name that this one declares; `route.…`.
  public func moduleDidLoad(_ context: ModuleContext) throws {
    bus?.bundleProvider = ContextProvider(context: context)
    for route in context.declaration.routes {
      try context.register(route: route.text) { [delegate] request in try delegate.resource(PAURI(request.url)) }
    }
    delegate.bundleDidLoad()
  }
}

/// What a module reaches of others: whatever its context opens.
private struct ContextProvider: PABundleProvider, PABundleDelegate {
  let context: ModuleContext

  func bundleDelegate(for uri: PAURI) -> (any PABundleDelegate)? { context.canOpen(uri) ? self : nil }

  func resource(_ uri: PAURI) throws -> (any Sendable)? { try context.open(uri) }

  func resource(_ uri: PAURI) async throws -> (any Sendable)? { try await context.open(uri) }
}
