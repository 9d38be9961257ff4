/// Ready instances as services, and services by names of their own. A module provides only what its description
/// declares, and withdraws only what it provides itself.
extension ModuleContext {
  /// Provides an object as a service that the module's description declares by the name of its protocol.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - object: the instance for all requests, kept as long as it is provided.
  /// - Throws: `service.undeclared`, `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(_ service: Service.Type, object: any Sendable) throws(PluginError) {
    try checkDeclared(service: Services.name(of: service))
    try switchboard.services.provide(service, owner: owner, object: object)
  }

  /// Provides an object without retaining it. Once the object is gone, so is the service, and another may provide it.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - object: the instance for all requests.
  /// - Throws: `service.undeclared`, `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(
    _ service: Service.Type, weak object: some AnyObject & Sendable
  ) throws(PluginError) {
    try checkDeclared(service: Services.name(of: service))
    try switchboard.services.provide(service, owner: owner, weak: object)
  }

  /// Withdraws a service that this module provides.
  ///
  /// - Returns: whether it provided it.
  @discardableResult public func withdraw<Service>(_ service: Service.Type) -> Bool {
    switchboard.services.withdraw(service, owner: owner)
  }

  /// Provides a service under a name that the module's description declares.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - lifetime: how long an instance is kept.
  ///   - make: makes an instance, on the thread of the request.
  /// - Throws: `service.undeclared`, `service.conflict`, `module.removed`.
  public func provide(
    named name: String, lifetime: Services.Lifetime = .shared, make: @escaping @Sendable () throws -> any Sendable
  ) throws(PluginError) {
    try checkDeclared(service: name)
    try switchboard.services.provide(named: name, owner: owner, lifetime: lifetime, make: make)
  }

  /// Provides an object under a name that the module's description declares. Its conformance is checked now.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - object: the instance for all requests, kept as long as it is provided.
  ///   - service: the protocol to which it has to conform, as in `(any UserModule).self`.
  /// - Throws: `service.undeclared`, `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(
    named name: String, object: any Sendable, as service: Service.Type
  ) throws(PluginError) {
    try checkDeclared(service: name)
    try switchboard.services.provide(named: name, owner: owner, object: object, as: service)
  }

  /// Withdraws a service that this module provides under a name.
  ///
  /// - Returns: whether it provided it.
  @discardableResult public func withdraw(named name: String) -> Bool {
    switchboard.services.withdraw(named: name, owner: owner)
  }

  /// A service by its name, if there is a provider.
  ///
  /// - Returns: nil if there is no provider.
  /// - Throws: `service.not-conforming` if the instance does not conform to the protocol; `service.cycle`,
  ///   `service.failed`, `service.too-deep`, and any ``PluginError`` that the provider throws.
  @available(*, noasync, message: "use the async form")
  public func instance<Service: Sendable>(
    named name: String, as service: Service.Type
  ) throws(PluginError) -> Service? {
    try switchboard.services.instance(named: name, as: service)
  }

  /// A service by its name, if there is a provider. The task keeps no thread while the service is made.
  ///
  /// - Returns: nil if there is no provider.
  /// - Throws: `service.not-conforming` if the instance does not conform to the protocol; `service.cycle`,
  ///   `service.failed`, `service.too-deep`, `route.busy`, and any ``PluginError`` that the provider throws.
  public func instance<Service: Sendable>(
    named name: String, as service: Service.Type
  ) async throws(PluginError) -> Service? {
    try await switchboard.services.instance(named: name, as: service)
  }

  /// A service by its name; nil if there is no provider, creating it fails, or it does not conform to the protocol.
  @available(*, noasync, message: "use the async form")
  public func resolve<Service: Sendable>(named name: String, as service: Service.Type) -> Service? {
    switchboard.services.resolve(named: name, as: service)
  }

  /// A service by its name; nil if there is no provider, creating it fails, or it does not conform to the protocol.
  public func resolve<Service: Sendable>(named name: String, as service: Service.Type) async -> Service? {
    await switchboard.services.resolve(named: name, as: service)
  }
}
