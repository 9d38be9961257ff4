public import PluginKit

/// The place of a module's object that is known by its protocol, as `DataModules.plist` of the host names it.
///
/// ```swift
/// let users = PTModuleContainer("TLUserModuleContainer", (any TLUserModuleProtocol).self, context)
/// let name = users.module()?.userID
/// ```
///
/// The file leads from the container to a service. A module provides it under a name that its signed description
/// declares: `context.provide(named: "TLUserModule") { TLUserModule() }`. The services keep the one instance.
public struct PTModuleContainer<Module: Sendable>: Sendable {
  /// The name of the container, as the file has it.
  public let name: String
  private let user: PTUser

  /// Makes the container for a module.
  ///
  /// - Parameters:
  ///   - name: the name of the container.
  ///   - module: the protocol of the object.
  ///   - context: the module that asks.
  public init(_ name: String, _ module: Module.Type, _ context: ModuleContext) {
    self.name = name
    user = .module(context)
  }

  /// Makes the container for a host.
  ///
  /// - Parameters:
  ///   - name: the name of the container.
  ///   - module: the protocol of the object.
  ///   - switchboard: the host's switchboard.
  public init(_ name: String, _ module: Module.Type, _ switchboard: Switchboard) {
    self.name = name
    user = .host(switchboard)
  }

  /// The object; nil if no loaded module provides it, or it does not conform to the protocol.
  @available(*, noasync, message: "use the async form")
  public func module() -> Module? {
    switch user {
    case .host(let board): board.services.resolve(named: name, as: Module.self)
    case .module(let context): context.resolve(named: name, as: Module.self)
    }
  }

  /// The object, for tasks; nil in the same cases.
  public func module() async -> Module? {
    switch user {
    case .host(let board): await board.services.resolve(named: name, as: Module.self)
    case .module(let context): await context.resolve(named: name, as: Module.self)
    }
  }
}
