/// Services by names of their own. A host or module that does not know which type provides a name asks for a protocol,
/// and gets only an instance that conforms to it.
///
/// Plugins in C provide and find services by name, too. A name has one provider, in whichever language.
extension Services {
  /// Provides a service under a name.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - owner: the owner of the service.
  ///   - lifetime: how long an instance is kept.
  ///   - make: makes an instance, on the thread of the request.
  /// - Throws: `service.conflict` if there is a provider already; `module.removed`.
  public func provide(
    named name: String, owner: ModuleOwner, lifetime: Lifetime = .shared,
    make: @escaping @Sendable () throws -> any Sendable
  ) throws(PluginError) {
    try add(.name(name), named: name, of: owner, lifetime: lifetime) { try make() }
  }

  /// Provides a service under a name, in place of the one that the owner provides under it, if any. There is always one
  /// of the two.
  ///
  /// - Throws: `service.conflict` if another owner provides it; `module.removed`.
  package func replace(
    named name: String, owner: ModuleOwner, lifetime: Lifetime, make: @escaping @Sendable () throws -> any Sendable
  ) throws(PluginError) {
    try add(.name(name), named: name, of: owner, lifetime: lifetime, replacesOwn: true) { try make() }
  }

  /// Provides an object under a name. Its conformance is checked now.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - owner: the owner of the service.
  ///   - object: the instance for all requests, kept as long as it is provided.
  ///   - service: the protocol to which it has to conform, as in `(any UserModule).self`.
  /// - Throws: `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(
    named name: String, owner: ModuleOwner, object: any Sendable, as service: Service.Type
  ) throws(PluginError) {
    let instance = try Self.conforming(object, to: service, name)
    try add(.name(name), named: name, of: owner, lifetime: .perCall) { instance }
  }

  /// A service by its name, if there is a provider. It is made on this thread. In tasks, use the async form.
  ///
  /// - Returns: nil if there is no provider.
  /// - Throws: `service.not-conforming` if the instance does not conform to the protocol; `service.cycle`,
  ///   `service.failed`, `service.too-deep`, and any ``PluginError`` that the provider throws.
  @available(*, noasync, message: "use the async form")
  public func instance<Service: Sendable>(
    named name: String, as service: Service.Type
  ) throws(PluginError) -> Service? {
    guard let made = try instance(of: .name(name)) else { return nil }
    return try Self.conforming(made, to: service, name)
  }

  /// A service by its name, if there is a provider. The task keeps no thread while the service is made.
  ///
  /// - Returns: nil if there is no provider.
  /// - Throws: `service.not-conforming` if the instance does not conform to the protocol; `service.cycle`,
  ///   `service.failed`, `service.too-deep`, `route.busy`, and any ``PluginError`` that the provider throws.
  public func instance<Service: Sendable>(
    named name: String, as service: Service.Type
  ) async throws(PluginError) -> Service? {
    guard let made = try await instance(of: .name(name)) else { return nil }
    return try Self.conforming(made, to: service, name)
  }

  /// A service by its name; nil if there is no provider, creating it fails, or it does not conform to the protocol.
  @available(*, noasync, message: "use the async form")
  public func resolve<Service: Sendable>(named name: String, as service: Service.Type) -> Service? {
    (try? instance(named: name, as: service)).flatMap { $0 }
  }

  /// A service by its name; nil if there is no provider, creating it fails, or it does not conform to the protocol. The
  /// task keeps no thread meanwhile.
  public func resolve<Service: Sendable>(named name: String, as service: Service.Type) async -> Service? {
    (try? await instance(named: name, as: service)).flatMap { $0 }
  }

  /// Withdraws a service that was provided under a name.
  ///
  /// - Returns: whether this owner provided it.
  @discardableResult public func withdraw(named name: String, owner: ModuleOwner) -> Bool {
    withdraw(.name(name), owner: owner)
  }
}
