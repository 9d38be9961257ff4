/// A posted notification: a name, the object concerned, and values.
public struct PluginNotification: Sendable {
  /// The name of the notification: what happened.
  public let name: String
  /// The object concerned, or nil.
  public let object: (any AnyObject & Sendable)?
  /// The notification's values.
  public let userInfo: [String: any Sendable]
}

/// A bus that delivers notifications to observers.
///
/// Observers are called on the thread that posts, one after the other, in the order of registration. They may post,
/// observe and remove. An observer that is removed during a delivery is no longer called. One that is added meanwhile
/// hears of the next notification.
public final class NotificationBus: Sendable {
  struct Observer: Sendable {
    let token: ObservationToken
    /// nil for observers that turn notifications into events. They are not listed, and end with their bus.
    let owner: ModuleOwner?
    let name: String?
    /// The only object to hear about; nil for all.
    let object: WeakObject?
    /// The object that observes; nil if the observation does not end with one.
    let observer: WeakObject?
    let handler: @Sendable (PluginNotification) -> Void

    /// Whether the object that observes is gone. Called outside of the lock, because it may release the last reference
    /// to an object.
    var isOver: Bool { observer.map { $0.object == nil } ?? false }

    /// Called outside of the lock for the same reason.
    func hears(_ notification: PluginNotification) -> Bool {
      !token.isCancelled && !isOver
        && (object.map { $0.object != nil && $0.object === notification.object } ?? true)
    }
  }

  struct State {
    var observers: [Int: Observer] = [:]
    var nextID = 0
    var removed = RemovedOwners()
  }

  let state = ReadWriteLock(State())

  /// Makes a bus without observers.
  public init() {}

  /// Calls a handler for notifications.
  ///
  /// - Parameters:
  ///   - name: the name of the notifications; nil for all.
  ///   - object: the object concerned; nil for all. It is not retained. Once it is gone, the handler is no longer
  ///     called.
  ///   - owner: the owner of the observer.
  ///   - handler: runs on the thread that posts.
  /// - Returns: a token that ends the observation. Releasing the token does not end it.
  /// - Throws: `module.removed`.
  public func observe(
    _ name: String? = nil, object: (any AnyObject & Sendable)? = nil, owner: ModuleOwner,
    handler: @escaping @Sendable (PluginNotification) -> Void
  ) throws(PluginError) -> ObservationToken {
    try add(handler, for: name, about: object, of: owner, as: nil)
  }

  /// Calls a handler for notifications as long as an object exists that observes.
  ///
  /// - Parameters:
  ///   - name: the name of the notifications; nil for all.
  ///   - object: the object concerned; nil for all.
  ///   - owner: the owner of the observer.
  ///   - observer: the object that observes. It is not retained. Once it is gone, the observation has ended.
  ///   - handler: runs on the thread that posts.
  /// - Returns: a token that ends the observation. Releasing the token does not end it.
  /// - Throws: `notification.no-owner` if there is no object that observes; `module.removed`.
  public func observe(
    _ name: String? = nil, object: (any AnyObject & Sendable)? = nil, owner: ModuleOwner,
    for observer: (any AnyObject & Sendable)?, handler: @escaping @Sendable (PluginNotification) -> Void
  ) throws(PluginError) -> ObservationToken {
    guard let observer else { throw Self.noOwner(.notificationNoOwner, name ?? "*") }
    return try add(handler, for: name, about: object, of: owner, as: observer)
  }

  /// The error for an observation that belongs to no object.
  static func noOwner(_ code: PluginError.Code, _ name: String) -> PluginError {
    PluginError(
      code, PluginURL.shown(name), "has an observer without an owner", expected: "an object that observes",
      found: "none", hint: "keep the object, and pass it")
  }

  private func add(
    _ handler: @escaping @Sendable (PluginNotification) -> Void, for name: String?,
    about object: (any AnyObject & Sendable)?, of owner: ModuleOwner, as observer: (any AnyObject & Sendable)?
  ) throws(PluginError) -> ObservationToken {
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      return add(handler, for: name, about: object, of: owner, as: observer, to: &state)
    }
  }

  /// Calls a handler for notifications, without an owner.
  func relay(_ name: String, handler: @escaping @Sendable (PluginNotification) -> Void) -> ObservationToken {
    state.write { add(handler, for: name, about: nil, of: nil, as: nil, to: &$0) }
  }

  private func add(
    _ handler: @escaping @Sendable (PluginNotification) -> Void, for name: String?,
    about object: (any AnyObject & Sendable)?, of owner: ModuleOwner?, as observer: (any AnyObject & Sendable)?,
    to state: inout State
  ) -> ObservationToken {
    let id = state.nextID
    state.nextID += 1
    let token = ObservationToken { [weak self] in self?.forget(id) }
    state.observers[id] = Observer(
      token: token, owner: owner, name: name, object: object.map(WeakObject.init),
      observer: observer.map(WeakObject.init), handler: handler)
    return token
  }

  private func forget(_ id: Int) {
    let old = state.write { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(old) {}
  }

  /// Posts a notification, and returns when all observers have been called on this thread. In tasks, use the async
  /// form.
  ///
  /// - Parameters:
  ///   - name: the name of the notification: what happened.
  ///   - object: the object concerned, or nil.
  ///   - userInfo: the notification's values.
  /// - Throws: `notification.too-deep` if calls of observers and handlers are nested too deep. Then no observer is
  ///   called.
  @available(*, noasync, message: "use the async form")
  public func post(
    _ name: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) {
    try deliver(PluginNotification(name: name, object: object, userInfo: userInfo))
  }

  /// Posts a notification, and returns when all observers have been called on a thread of the host.
  ///
  /// - Throws: `notification.too-deep`, `route.busy`.
  public func post(
    _ name: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) async throws(PluginError) {
    let notification = PluginNotification(name: name, object: object, userInfo: userInfo)
    try await HandlerThreads.of(.host).run(name) { () throws(PluginError) in try self.deliver(notification) }
  }

  private func deliver(_ notification: PluginNotification) throws(PluginError) {
    try Call(.notificationTooDeep, notification.name).run { tell(notification) }
  }

  /// Calls the observers as part of the current call.
  func tell(_ notification: PluginNotification) {
    let observers = state.read { state in
      state.observers.filter { $1.name == nil || $1.name == notification.name }.sorted { $0.key < $1.key }
    }
    for (_, observer) in observers {
      if observer.hears(notification) { observer.handler(notification) }
      // What an object observed is forgotten after it.
      if observer.isOver { observer.token.cancel() }
    }
  }

  /// Removes all observers of an owner. None of them is called after that.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let old = state.write { $0.remove(owner) }
    withExtendedLifetime(old) {}
  }
}

extension NotificationBus.State: OwnedState {
  /// Removes an owner's observers in one step: a concurrent removal finds none left, and none is called after it returns
  /// either.
  ///
  /// - Returns: what may be released outside of the lock.
  mutating func remove(_ owner: ModuleOwner) -> [Int: NotificationBus.Observer] {
    let old = observers
    observers = old.filter { $1.owner != owner }
    for observer in old.values where observer.owner == owner { observer.token.silence() }
    return old
  }
}

extension NotificationBus: RegistrationTable {
  func list(then next: () -> [TableEntry]) -> [TableEntry] { list(as: .notification, then: next) }

  func list(as kind: TableEntry.Kind, then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.observers.sorted { $0.key < $1.key }.compactMap { _, observer in
        observer.owner.map { TableEntry(kind: kind, owner: "\($0)", pattern: observer.name ?? "*", priority: 0) }
      } + next()
    }
  }
}

/// A weak reference to an object. An address would not do: another object may have it later.
final class WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) { self.object = object }
}
