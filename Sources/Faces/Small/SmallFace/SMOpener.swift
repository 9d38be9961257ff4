package import PluginKit

/// What a host with Small's calls does for its modules. The host provides it as a service.
package protocol SMOpener: Sendable {
  /// The URI resolved against the host's base URI; nil if it makes none.
  func absoluteUri(_ uri: String) -> String?

  /// Opens a URI in the name of a module, and shows the page.
  @available(*, noasync, message: "use the async form")
  func open(_ uri: String, from object: (any Sendable)?, by context: ModuleContext) throws(PluginError) -> SMOutcome

  /// The same for tasks.
  func open(
    _ uri: String, from object: (any Sendable)?, by context: ModuleContext
  ) async throws(PluginError) -> SMOutcome

  /// The page of a URI, or nil. It is not shown.
  @available(*, noasync, message: "use the async form")
  func controller(for uri: String, by context: ModuleContext) -> Page?

  /// The same for tasks.
  func controller(for uri: String, by context: ModuleContext) async -> Page?
}
