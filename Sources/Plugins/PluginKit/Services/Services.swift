/// A table of services, by the protocols that they conform to.
///
/// The protocol is in a library that both sides share. Users of a service do not know which type conforms. A service
/// has one provider at a time. The table can be used from any thread. Services are made without any lock.
///
/// ```swift
/// try services.provide((any Greeter).self, owner: .host) { EnglishGreeter() }
/// let greeter = services.resolve((any Greeter).self)
/// ```
public final class Services: Sendable {
  /// How long an instance of a service is kept.
  public enum Lifetime: Sendable {
    /// One instance for all, made at the first request.
    case shared
    /// A new instance for each request.
    case perCall
  }

  struct Entry: Sendable {
    let id: Int
    let owner: ModuleOwner
    let name: String
    let lifetime: Lifetime
    /// Makes an instance; nil if the provided object is gone.
    let make: @Sendable () throws -> (any Sendable)?
    /// Whether the provided object is gone. Then another may provide the service.
    let isGone: @Sendable () -> Bool
    var shared: (any Sendable)?
  }

  /// The key of a service: its protocol, or a name of its own.
  enum Key: Hashable, Sendable {
    case type(ObjectIdentifier)
    case name(String)

    init<Service>(_ service: Service.Type) { self = .type(ObjectIdentifier(service)) }
  }

  struct State {
    var entries: [Key: Entry] = [:]
    var nextID = 0
    var removed = RemovedOwners()
    /// Names that belong to refused modules.
    var refused = RefusedNames()
  }

  let state = ReadWriteLock(State())
  /// The services that this thread is making. This detects a service that depends on itself.
  @TaskLocal private static var beingMade: [Making] = []

  /// A service that is being made. A task that is started meanwhile inherits this value, but is not part of it.
  private final class Making: Sendable {
    private let key: Key
    private let table: ObjectIdentifier
    private let thread = CurrentThread.number
    private let isUnderWay = ReadWriteLock(true)

    init(_ key: Key, _ table: Services) {
      self.key = key
      self.table = ObjectIdentifier(table)
    }

    func end() { isUnderWay.write { $0 = false } }

    /// Whether this is the service, and the request comes from the code that makes it.
    func isHere(_ key: Key, _ table: Services) -> Bool {
      self.key == key && self.table == ObjectIdentifier(table) && thread == CurrentThread.number
        && isUnderWay.read { $0 }
    }
  }

  /// Makes a table without services.
  public init() {}

  /// The name under which a service is declared: that of its protocol, without Swift modules.
  public static func name<Service>(of service: Service.Type) -> String {
    let name = "\(service)"
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }

  /// Provides a service. The compiler checks that the instance conforms.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - owner: the owner of the service.
  ///   - lifetime: how long an instance is kept.
  ///   - make: makes an instance, on the thread of the request. If two are made at once, one of them is kept.
  /// - Throws: `service.conflict` if there is a provider already; `module.removed`.
  public func provide<Service: Sendable>(
    _ service: Service.Type, owner: ModuleOwner, lifetime: Lifetime = .shared,
    make: @escaping @Sendable () throws -> Service
  ) throws(PluginError) {
    try add(Key(service), named: Self.name(of: service), of: owner, lifetime: lifetime) { try make() }
  }

  /// Provides an object whose type the compiler does not know. Its conformance is checked now.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - owner: the owner of the service.
  ///   - object: the instance for all requests, kept as long as it is provided.
  /// - Throws: `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(
    _ service: Service.Type, owner: ModuleOwner, object: any Sendable
  ) throws(PluginError) {
    let instance = try Self.conforming(object, to: service, Self.name(of: service))
    try add(Key(service), named: Self.name(of: service), of: owner, lifetime: .perCall) { instance }
  }

  /// An object as a service.
  ///
  /// - Parameter name: the name of the service, for messages.
  /// - Throws: `service.not-conforming`.
  static func conforming<Service>(
    _ object: any Sendable, to service: Service.Type, _ name: String
  ) throws(PluginError) -> Service {
    guard let instance = object as? Service else {
      throw PluginError(
        .serviceNotConforming, PluginURL.shown(name), "is not a type that the object conforms to",
        expected: "\(service)", found: "\(type(of: object))")
    }
    return instance
  }

  /// Provides an object without retaining it. Once the object is gone, so is the service, and another may provide it.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - owner: the owner of the service.
  ///   - object: the instance for all requests.
  /// - Throws: `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable, Object: AnyObject & Sendable>(
    _ service: Service.Type, owner: ModuleOwner, weak object: Object
  ) throws(PluginError) {
    guard object is Service else {
      throw PluginError(
        .serviceNotConforming, Self.name(of: service), "is not a type that the object conforms to",
        expected: "\(service)",
        found: "\(Object.self)")
    }
    let reference = WeakReference(object)
    try add(
      Key(service), named: Self.name(of: service), of: owner, lifetime: .perCall, isGone: { reference.object == nil },
      make: { reference.object as? Service })
  }

  func add(
    _ key: Key, named name: String, of owner: ModuleOwner, lifetime: Lifetime, replacesOwn: Bool = false,
    isGone: @escaping @Sendable () -> Bool = { false },
    make: @escaping @Sendable () throws -> (any Sendable)?
  ) throws(PluginError) {
    // Called outside of the lock, because it may release the last reference to an object.
    let gone = state.read { $0.entries[key] }.flatMap { $0.isGone() ? $0.id : nil }
    let old = try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      if let other = state.refused.other(than: owner, for: name) {
        throw PluginError(
          .serviceConflict, PluginURL.shown(name), "is a service of \(other), which is refused",
          expected: "one provider", found: "\(owner)")
      }
      let old = state.entries[key]
      if let old, old.id != gone, !(replacesOwn && old.owner == owner) {
        throw PluginError(
          .serviceConflict, PluginURL.shown(name), "is provided by \(old.owner) already", expected: "one provider",
          found: "\(owner)")
      }
      state.entries[key] = Entry(
        id: state.nextID, owner: owner, name: name, lifetime: lifetime, make: make, isGone: isGone, shared: nil)
      state.nextID += 1
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// A service by its protocol, if there is a provider. It is made on this thread. In tasks, use the async form.
  ///
  /// - Returns: nil if there is no provider, or the provided object is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`, and any ``PluginError`` that the provider
  ///   throws.
  @available(*, noasync, message: "use the async form")
  public func instance<Service: Sendable>(of service: Service.Type) throws(PluginError) -> Service? {
    try instance(of: Key(service)) as? Service
  }

  @available(*, noasync, message: "use the async form")
  func instance(of key: Key) throws(PluginError) -> (any Sendable)? {
    guard let entry = state.read({ $0.entries[key] }) else { return nil }
    if let shared = entry.shared { return shared }
    guard !Self.beingMade.contains(where: { $0.isHere(key, self) }) else {
      throw PluginError(.serviceCycle, entry.name, "depends on itself", hint: "create the dependency later")
    }
    let making = Making(key, self)
    defer { making.end() }
    let instance: (any Sendable)?
    do {
      instance = try Call(.serviceTooDeep, entry.name).run {
        try Self.$beingMade.withValue(Self.beingMade + [making]) { try entry.make() }
      }
    } catch {
      throw error as? PluginError ?? PluginError(.serviceFailed, entry.name, "could not be created", cause: error)
    }
    guard entry.lifetime == .shared, let made = instance else { return instance }
    // Of two that were made at once, the first is shared by all. And none is given out if its provider is gone.
    return state.write { state in
      guard let current = state.entries[key], current.id == entry.id else { return nil }
      if let shared = current.shared { return shared }
      state.entries[key]?.shared = made
      return made
    }
  }

  /// A service by its protocol, if there is a provider. The task keeps no thread while the service is made.
  ///
  /// - Returns: nil if there is no provider, or the provided object is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`, `route.busy`, and any ``PluginError`` that the
  ///   provider throws.
  public func instance<Service: Sendable>(of service: Service.Type) async throws(PluginError) -> Service? {
    try await instance(of: Key(service)) as? Service
  }

  func instance(of key: Key) async throws(PluginError) -> (any Sendable)? {
    guard let entry = state.read({ $0.entries[key] }) else { return nil }
    if let shared = entry.shared { return shared }
    return try await HandlerThreads.of(entry.owner).run(entry.name) { () throws(PluginError) in
      try self.instance(of: key)
    }
  }

  /// A service by its protocol; nil if no module provides it, or creating it fails. The task keeps no thread meanwhile.
  public func resolve<Service: Sendable>(_ service: Service.Type) async -> Service? {
    (try? await instance(of: service)).flatMap { $0 }
  }

  /// A service by its protocol; nil if no module provides it, or creating it fails.
  @available(*, noasync, message: "use the async form")
  public func resolve<Service: Sendable>(_ service: Service.Type) -> Service? {
    (try? instance(of: service)).flatMap { $0 }
  }

  /// Withdraws a service.
  ///
  /// - Returns: whether this owner provided it.
  @discardableResult public func withdraw<Service>(_ service: Service.Type, owner: ModuleOwner) -> Bool {
    withdraw(Key(service), owner: owner)
  }

  func withdraw(_ key: Key, owner: ModuleOwner) -> Bool {
    let old = state.write { state -> Entry? in
      guard !state.removed.contains(owner), state.entries[key]?.owner == owner else { return nil }
      return state.entries.removeValue(forKey: key)
    }
    return old != nil
  }

  /// Refuses the services of a module that is refused: no other owner provides them.
  ///
  /// This replaces an earlier refusal of the module.
  ///
  /// - Parameters:
  ///   - names: the services of the last accepted description.
  ///   - owner: the module.
  ///   - reason: why it is refused, for people.
  public func refuse(_ names: [String], of owner: ModuleOwner, because reason: String) {
    state.write { $0.refused.set(names, of: owner, because: reason) }
  }

  /// Removes all services of an owner.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let old = state.write { $0.remove(owner) }
    withExtendedLifetime(old) {}
  }
}

extension Services.State: OwnedState {
  /// Removes what an owner has.
  ///
  /// - Returns: what may be released outside of the lock.
  mutating func remove(_ owner: ModuleOwner) -> [Services.Key: Services.Entry] {
    let old = entries
    entries = old.filter { $1.owner != owner }
    refused.set([], of: owner, because: "")
    return old
  }
}

extension Services: RegistrationTable {
  func list(then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.entries.values.sorted { $0.id < $1.id }.map {
        TableEntry(kind: .service, owner: "\($0.owner)", pattern: $0.name, priority: 0)
      } + next()
    }
  }
}

/// A weak reference to an object.
private final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object) { self.object = object }
}
