public import PluginKit

/// The principal of a plugin whose pages are controllers, as in an application bundle of Small.
///
/// ```swift
/// @c(detail_main) public func detailMain(
///   _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
/// ) -> Int32 {
///   PluginEntry.enter(SMAppPlugin(principal: DetailController.self, controllers: [SubController.self]), host, plugin)
/// }
/// ```
///
/// The module's description declares each page: the principal as an empty name, a controller by the name of its class,
/// and the controllers of a board by their identifiers.
public final class SMAppPlugin: Plugin {
  private let principal: (any SMController.Type)?
  private let controllers: [any SMController.Type]
  private let boards: [String: [String: any SMController.Type]]
  private let didLoad: @Sendable (ModuleContext) throws -> Void

  /// Makes a principal.
  ///
  /// - Parameters:
  ///   - principal: the controller that the module opens with; nil if it has none.
  ///   - controllers: further controllers, which rules name by their classes, with or without `Controller` at the end.
  ///   - boards: the boards, each with its controllers by their identifiers.
  ///   - didLoad: called once, after the pages were registered. Register actions here.
  public init(
    principal: (any SMController.Type)? = nil, controllers: [any SMController.Type] = [],
    boards: [String: [String: any SMController.Type]] = [:],
    didLoad: @escaping @Sendable (ModuleContext) throws -> Void = { _ in }
  ) {
    self.principal = principal
    self.controllers = controllers
    self.boards = boards
    self.didLoad = didLoad
  }

  /// Registers the pages.
  ///
  /// - Throws: `page.undeclared`, `page.name`, `page.conflict`, and what `didLoad` throws.
  public func moduleDidLoad(_ context: ModuleContext) throws {
    var pages = controllers.map { ($0.name, $0) }
    if let principal { pages.append(("", principal)) }
    for (board, controllers) in boards { pages += controllers.map { ("\(board)/\($0)", $1) } }
    for (name, controller) in pages.sorted(by: { $0.0 < $1.0 }) {
      try context.register(page: name) { request in controller.page(request) }
    }
    try didLoad(context)
  }
}
