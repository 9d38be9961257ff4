/// A posted notification: a name, the object concerned, and values.
public struct PluginNotification: Sendable {
  /// The name of the notification: what happened.
  public let name: String
  /// The object concerned; nil if there is none.
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
    let handler: @Sendable (PluginNotification) -> Void

    /// Called outside of the lock, because it may release the last reference to an object.
    func hears(_ notification: PluginNotification) -> Bool {
      !token.isCancelled && (object.map { $0.object != nil && $0.object === notification.object } ?? true)
    }
  }

  private struct State {
    var observers: [Int: Observer] = [:]
    var nextID = 0
    var removed = RemovedOwners()
  }

  private let state = ReadWriteLock(State())

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
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      return add(name, object, owner, handler, &state)
    }
  }

  /// Calls a handler for notifications, without an owner.
  func relay(_ name: String, handler: @escaping @Sendable (PluginNotification) -> Void) -> ObservationToken {
    state.write { add(name, nil, nil, handler, &$0) }
  }

  private func add(
    _ name: String?, _ object: (any AnyObject & Sendable)?, _ owner: ModuleOwner?,
    _ handler: @escaping @Sendable (PluginNotification) -> Void, _ state: inout State
  ) -> ObservationToken {
    let id = state.nextID
    state.nextID += 1
    let token = ObservationToken { [weak self] in self?.forget(id) }
    state.observers[id] = Observer(
      token: token, owner: owner, name: name, object: object.map(WeakObject.init), handler: handler)
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
  ///   - object: the object concerned; nil if there is none.
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
    for (_, observer) in observers where observer.hears(notification) { observer.handler(notification) }
  }

  /// Removes all observers of an owner. None of them is called after that.
  public func removeAll(ownedBy owner: ModuleOwner) {
    // In one step: a concurrent removal finds no observers left, and none is called after it returns either.
    let old = state.write { state in
      let old = state.observers
      state.observers = old.filter { $1.owner != owner }
      for observer in old.values where observer.owner == owner { observer.token.silence() }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Lets an owner that was removed register again.
  func readmit(_ owner: ModuleOwner) { state.write { $0.removed.remove(owner) } }

  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
  }

  /// The owner and notification of each observer, in the order of registration.
  var entries: [(owner: ModuleOwner, name: String?)] {
    state.read { state in
      state.observers.sorted { $0.key < $1.key }.compactMap { _, observer in
        observer.owner.map { ($0, observer.name) }
      }
    }
  }
}

/// A weak reference to an object. An address would not do: another object may have it later.
final class WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) { self.object = object }
}
