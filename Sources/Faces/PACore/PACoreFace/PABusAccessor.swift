internal import PluginKit

/// The bus that host and modules ask for resources.
///
/// It holds nothing but its provider, and asks the provider at each request. The host sets it, with
/// `PABusAccessor.default.use(manager)` of PARuntimeFace: a plugin cannot, so that no module comes before another.
public final class PABusAccessor: Sendable {
  /// The bus of the host, which its modules share.
  public static let `default` = PABusAccessor()

  private let provider: ReadWriteLock<(any PABundleProvider)?>

  /// Makes a bus of your own.
  ///
  /// - Parameter provider: where the bus finds modules; nil if it finds none.
  public init(_ provider: (any PABundleProvider)? = nil) { self.provider = ReadWriteLock(provider) }

  /// Where the bus finds modules; nil if it finds none.
  public package(set) var bundleProvider: (any PABundleProvider)? {
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

  /// The resource at an address.
  ///
  /// - Returns: nil without an address or a provider, if no module serves the address, or if the module has no such
  ///   resource.
  @available(*, noasync, message: "use the async form")
  public func resource(_ uri: PAURI?) -> (any Sendable)? {
    guard let uri, let bundleProvider else { return nil }
    return try? bundleProvider.resource(uri)
  }

  /// The resource at an address, for tasks.
  ///
  /// - Returns: nil in the same cases.
  public func resource(_ uri: PAURI?) async -> (any Sendable)? {
    guard let uri, let bundleProvider else { return nil }
    return try? await bundleProvider.resource(uri)
  }

  /// The resource at an address, as text.
  @available(*, noasync, message: "use the async form")
  public func resource(_ uri: String) -> (any Sendable)? { resource(PAURI(uri)) }

  /// The resource at an address, as text, for tasks.
  public func resource(_ uri: String) async -> (any Sendable)? { await resource(PAURI(uri)) }
}
