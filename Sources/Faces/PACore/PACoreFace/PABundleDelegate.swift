/// A module as PACore sees it: it has resources, and is told once that it was loaded.
///
/// A plugin in Swift conforms to it, and enters with ``PABundlePlugin``:
///
/// ```swift
/// struct WeChat: PABundleDelegate {
///   func resource(_ uri: PAURI) -> (any Sendable)? { "wechat shows \(uri.params?["id"] ?? "")" }
/// }
///
/// @c(wechat_main) public func wechatMain(
///   _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
/// ) -> Int32 { PluginEntry.enter(PABundlePlugin(WeChat()), host, plugin) }
/// ```
///
/// One function `resource` that does not suspend is enough for both requirements of that name.
public protocol PABundleDelegate: Sendable {
  /// The resource at an address. It is asked again at each request.
  ///
  /// - Returns: nil if the module has no such resource.
  /// - Throws: any error, which the caller gets as `route.failed`.
  func resource(_ uri: PAURI) throws -> (any Sendable)?

  /// The same for tasks, which keep no thread while they wait.
  func resource(_ uri: PAURI) async throws -> (any Sendable)?

  /// Called once, after the module was loaded and its resources were registered.
  func bundleDidLoad()
}

extension PABundleDelegate {
  /// Does nothing.
  public func bundleDidLoad() {}
}

/// Where a bus finds the module of a resource.
public protocol PABundleProvider: Sendable {
  /// The module that serves an address; nil if none does.
  func bundleDelegate(for uri: PAURI) -> (any PABundleDelegate)?

  /// The resource at an address: that of ``bundleDelegate(for:)``, if the provider knows no shorter way.
  ///
  /// - Returns: nil if no module serves the address, or the module has no such resource.
  func resource(_ uri: PAURI) throws -> (any Sendable)?

  /// The same for tasks, which keep no thread while they wait.
  func resource(_ uri: PAURI) async throws -> (any Sendable)?
}

extension PABundleProvider {
  /// Asks the module that serves the address.
  public func resource(_ uri: PAURI) throws -> (any Sendable)? { try bundleDelegate(for: uri)?.resource(uri) }

  /// Asks the module that serves the address.
  public func resource(_ uri: PAURI) async throws -> (any Sendable)? {
    try await bundleDelegate(for: uri)?.resource(uri)
  }
}
