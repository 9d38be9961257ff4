internal import PluginKit

/// The bus that host and modules ask for resources.
///
/// It holds nothing but its provider, and asks the provider at each request. In a host, the provider is the manager of
/// PARuntimeFace. In a plugin, ``PABundlePlugin`` sets one.
public final class PABusAccessor: Sendable {
  /// The bus of this program, or of this plugin.
  public static let `default` = PABusAccessor()

  private let provider = ReadWriteLock<(any PABundleProvider)?>(nil)

  /// Makes a bus without a provider.
  public init() {}

  /// Where the bus finds modules; nil if it finds none.
  public var bundleProvider: (any PABundleProvider)? {
    get { provider.read { $0 } }
    set {
      // The old one is released outside of the lock.
      let old = provider.write { provider in
        defer { provider = newValue }
        return provider
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Sets a provider, unless there is one.
  func provide(_ new: any PABundleProvider) { provider.write { $0 = $0 ?? new } }

  /// The resource at an address.
  ///
  /// - Returns: nil without an address or a provider, if no module serves the address, or if the module has no such
  ///   resource.
  @available(*, noasync, message: "use the async form")
  public func resource(_ uri: PAURI?) -> (any Sendable)? {
    guard let uri, let delegate = bundleProvider?.bundleDelegate(for: uri) else { return nil }
    return try? delegate.resource(uri)
  }

  /// The resource at an address, for tasks.
  ///
  /// - Returns: nil in the same cases.
  public func resource(_ uri: PAURI?) async -> (any Sendable)? {
    guard let uri, let delegate = bundleProvider?.bundleDelegate(for: uri) else { return nil }
    return try? await delegate.resource(uri)
  }

  /// The resource at an address, as text.
  @available(*, noasync, message: "use the async form")
  public func resource(_ uri: String) -> (any Sendable)? { resource(PAURI(uri)) }

  /// The resource at an address, as text, for tasks.
  public func resource(_ uri: String) async -> (any Sendable)? { await resource(PAURI(uri)) }
}
