/// Something that was made known: a name, whose doing it is, and values.
public struct PluginNotification: Sendable {
  /// What happened.
  public let name: String
  /// The object that it happened to; nil when it concerns none.
  public let object: (any AnyObject & Sendable)?
  /// Values that go along.
  public let userInfo: [String: any Sendable]
}

/// Makes things known to whoever wants to hear of them.
///
/// Observers are called on the thread of whoever posts, one after the other, in the order in which they came. They may post,
/// observe and remove: one that is removed while a notification is delivered is not called any more, one that comes meanwhile
/// hears of the next one.
public final class NotificationBus: Sendable {
  struct Observer: Sendable {
    let token: ObservationToken
    /// Nobody's are those by which notifications become events: they are not listed, and go with their bus.
    let owner: ModuleOwner?
    let name: String?
    /// What `object` is asked for: nil for all.
    let object: WeakObject?
    let handler: @Sendable (PluginNotification) -> Void

    /// Asked outside of the lock: whoever looks for an object may be the last to let it go.
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

  /// Calls this for notifications.
  ///
  /// - Parameters:
  ///   - name: of these alone; of all when nil.
  ///   - object: of those about this object alone; of all when nil. It is not kept: once it is gone nothing comes any more.
  ///   - owner: whose the observer is.
  ///   - handler: runs on the thread of whoever posts.
  /// - Returns: what ends it; dropping it ends nothing.
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

  /// Calls this for notifications, for nobody's sake.
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

  /// Makes something known, and returns when all have heard of it: they are called on this thread. In tasks the form that is
  /// awaited is the right one.
  ///
  /// - Parameters:
  ///   - name: what happened.
  ///   - object: what it happened to; nil when it concerns no object.
  ///   - userInfo: values that go along.
  /// - Throws: `notification.too-deep`, when too many observers and handlers call each other; then nobody hears of it.
  @available(*, noasync, message: "use the form that is awaited")
  public func post(
    _ name: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) {
    try deliver(PluginNotification(name: name, object: object, userInfo: userInfo))
  }

  /// Makes something known, and returns when all have heard of it: they are called on a thread of the host's.
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

  /// Calls the observers, as part of the call that is under way.
  func tell(_ notification: PluginNotification) {
    let observers = state.read { state in
      state.observers.filter { $1.name == nil || $1.name == notification.name }.sorted { $0.key < $1.key }
    }
    for (_, observer) in observers where observer.hears(notification) { observer.handler(notification) }
  }

  /// Removes all observers of an owner; none of them is called any more.
  public func removeAll(ownedBy owner: ModuleOwner) {
    // In one step: whoever removes them at the same time finds none, and none of them is called after that either.
    let old = state.write { state in
      let old = state.observers
      state.observers = old.filter { $1.owner != owner }
      for observer in old.values where observer.owner == owner { observer.token.silence() }
      return old
    }
    withExtendedLifetime(old) {}
  }

  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
  }

  /// Whose observers there are, and of what, in the order in which they came.
  var entries: [(owner: ModuleOwner, name: String?)] {
    state.read { state in
      state.observers.sorted { $0.key < $1.key }.compactMap { _, observer in
        observer.owner.map { ($0, observer.name) }
      }
    }
  }
}

/// An object that may be gone. Its address alone would be that of another one some day.
final class WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) { self.object = object }
}
