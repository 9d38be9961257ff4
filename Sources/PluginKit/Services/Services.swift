/// Services by the protocol that they conform to.
///
/// The protocol lives in a library that both sides share; nobody knows who conforms to it. A service has one provider at a time.
/// Safe from any thread; what makes a service runs without any lock.
///
/// ```swift
/// try services.provide((any Greeter).self, owner: .host) { EnglishGreeter() }
/// let greeter = services.resolve((any Greeter).self)
/// ```
public final class Services: Sendable {
  /// How long an instance of a service is kept.
  public enum Lifetime: Sendable {
    /// One for all, made for whoever asks first.
    case shared
    /// A new one for whoever asks.
    case perCall
  }

  struct Entry: Sendable {
    let id: Int
    let owner: ModuleOwner
    let name: String
    let lifetime: Lifetime
    /// Nil when it is gone.
    let make: @Sendable () throws -> (any Sendable)?
    /// Whether nobody can be given it any more: then another may provide the service.
    let isGone: @Sendable () -> Bool
    var shared: (any Sendable)?
  }

  /// What a service is known by: its protocol, or for those of C a name.
  enum Key: Hashable, Sendable {
    case type(ObjectIdentifier)
    case name(String)

    init<Service>(_ service: Service.Type) { self = .type(ObjectIdentifier(service)) }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var nextID = 0
    var removed = RemovedOwners()
  }

  private let state = ReadWriteLock(State())
  /// What is being made by this thread, so that a service that needs itself is told so.
  @TaskLocal private static var beingMade: [Making] = []

  /// Something that is being made. A task that is started meanwhile knows of it, too, and is no part of it.
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

    /// Whether it is this service, and whoever asks is called by what makes it.
    func isHere(_ key: Key, _ table: Services) -> Bool {
      self.key == key && self.table == ObjectIdentifier(table) && thread == CurrentThread.number
        && isUnderWay.read { $0 }
    }
  }

  /// Makes a table without services.
  public init() {}

  /// The name under which a service is declared: that of its protocol, without modules.
  public static func name<Service>(of service: Service.Type) -> String {
    let name = "\(service)"
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }

  /// Provides a service: whoever conforms is what the compiler has checked.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - owner: whose it is.
  ///   - lifetime: how long an instance is kept.
  ///   - make: makes an instance, on the thread of whoever asks. Of two that are made at once one is kept.
  /// - Throws: `service.conflict` when somebody provides it already; `module.removed`.
  public func provide<Service: Sendable>(
    _ service: Service.Type, owner: ModuleOwner, lifetime: Lifetime = .shared,
    make: @escaping @Sendable () throws -> Service
  ) throws(PluginError) {
    try add(Key(service), Self.name(of: service), owner, lifetime) { try make() }
  }

  /// Provides an object of a type that the compiler does not know; whether it conforms is checked now.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - owner: whose it is.
  ///   - object: everybody's instance, kept as long as it is provided.
  /// - Throws: `service.not-conforming`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(
    _ service: Service.Type, owner: ModuleOwner, object: any Sendable
  ) throws(PluginError) {
    guard let instance = object as? Service else {
      throw PluginError(
        .serviceNotConforming, Self.name(of: service), "is not a type that the object conforms to",
        expected: "\(service)",
        found: "\(type(of: object))")
    }
    try add(Key(service), Self.name(of: service), owner, .perCall) { instance }
  }

  /// Provides an object without keeping it: once it is gone, so is the service, and another may provide it.
  ///
  /// - Parameters:
  ///   - service: the protocol, as in `(any Greeter).self`.
  ///   - owner: whose it is.
  ///   - object: everybody's instance.
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
      Key(service), Self.name(of: service), owner, .perCall, isGone: { reference.object == nil },
      make: { reference.object as? Service })
  }

  func add(
    _ key: Key, _ name: String, _ owner: ModuleOwner, _ lifetime: Lifetime,
    isGone: @escaping @Sendable () -> Bool = { false },
    make: @escaping @Sendable () throws -> (any Sendable)?
  ) throws(PluginError) {
    // Asked outside of the lock: whoever looks for an object may be the last to let it go.
    let gone = state.read { $0.entries[key] }.flatMap { $0.isGone() ? $0.id : nil }
    let old = try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      let old = state.entries[key]
      if let old, old.id != gone {
        throw PluginError(
          .serviceConflict, name, "is provided by \(old.owner) already", expected: "one provider",
          found: "\(owner)")
      }
      state.entries[key] = Entry(
        id: state.nextID, owner: owner, name: name, lifetime: lifetime, make: make, isGone: isGone, shared: nil)
      state.nextID += 1
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The service, if somebody provides it. What makes it runs on this thread; in tasks the form that is awaited is the right one.
  ///
  /// - Returns: nil when nobody does, or what was provided is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`.
  @available(*, noasync, message: "use the form that is awaited")
  public func instance<Service: Sendable>(of service: Service.Type) throws(PluginError) -> Service? {
    try instance(of: Key(service)) as? Service
  }

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
    // Of two that were made at once the first is everybody's; and none is given out for a provider that is gone.
    return state.write { state in
      guard let current = state.entries[key], current.id == entry.id else { return nil }
      if let shared = current.shared { return shared }
      state.entries[key]?.shared = made
      return made
    }
  }

  /// The service, if somebody provides it, for a task that keeps no thread while it is made.
  ///
  /// - Returns: nil when nobody does, or what was provided is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`, `route.busy`.
  public func instance<Service: Sendable>(of service: Service.Type) async throws(PluginError) -> Service? {
    let key = Key(service)
    guard let entry = state.read({ $0.entries[key] }) else { return nil }
    if let shared = entry.shared { return shared as? Service }
    return try await HandlerThreads.of(entry.owner).run(entry.name) { () throws(PluginError) in
      try self.instance(of: key)
    } as? Service
  }

  /// The service, or nil when there is none or it could not be made, for a task that keeps no thread meanwhile.
  public func resolve<Service: Sendable>(_ service: Service.Type) async -> Service? {
    (try? await instance(of: service)).flatMap { $0 }
  }

  /// The service, or nil when there is none or it could not be made.
  @available(*, noasync, message: "use the form that is awaited")
  public func resolve<Service: Sendable>(_ service: Service.Type) -> Service? {
    (try? instance(of: service)).flatMap { $0 }
  }

  /// Takes a service back.
  ///
  /// - Returns: whether this owner provided it.
  @discardableResult public func withdraw<Service>(_ service: Service.Type, owner: ModuleOwner) -> Bool {
    let old = state.write { state in
      state.entries[Key(service)]?.owner == owner ? state.entries.removeValue(forKey: Key(service)) : nil
    }
    return old != nil
  }

  /// Removes all services of an owner.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let old = state.write { state in
      let old = state.entries
      state.entries = old.filter { $1.owner != owner }
      return old
    }
    withExtendedLifetime(old) {}
  }

  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
  }

  /// All services, in the order in which they came.
  var entries: [Entry] { state.read { Array($0.entries.values) }.sorted { $0.id < $1.id } }
}

/// An object that may be gone.
private final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object) { self.object = object }
}
