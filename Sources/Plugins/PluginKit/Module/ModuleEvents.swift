/// Who may start and stop the bus for events.
///
/// The bus is the application's. A stop silences all modules, and a start says which notifications become which events.
/// So modules may do neither, unless the host lets them.
extension Switchboard {
  /// Decides which modules may start and stop the bus for events. nil, as at first: none.
  ///
  /// - Parameter decide: receives the declaration of the module that asks. It is called at each request.
  public func allowEventControl(_ decide: (@Sendable (ModuleDeclaration) -> Bool)?) {
    let last = eventControl.write { control in
      defer { control = decide }
      return control
    }
    withExtendedLifetime(last) {}
  }
}

extension ModuleContext {
  /// Whether notifications become events.
  public var areEventsRunning: Bool { switchboard.events.isRunning }

  /// Starts turning notifications into events, if the host lets the module.
  ///
  /// - Parameter map: the event of each notification.
  /// - Returns: false if the bus was running already; then nothing changes.
  /// - Throws: `event.control` if the host does not let the module; `module.removed`.
  @discardableResult public func startEvents(
    events map: [String: AppEvent] = EventBus.lifeCycle
  ) throws(PluginError) -> Bool {
    try checkEventControl()
    return switchboard.events.start(events: map)
  }

  /// Stops turning notifications into events, if the host lets the module. Observers stay.
  ///
  /// - Returns: false if the bus was not running.
  /// - Throws: `event.control` if the host does not let the module; `module.removed`.
  @discardableResult public func stopEvents() throws(PluginError) -> Bool {
    try checkEventControl()
    return switchboard.events.stop()
  }

  private func checkEventControl() throws(PluginError) {
    try checkPresent()
    let decide = switchboard.eventControl.read { $0 }
    guard decide?(declaration) == true else {
      throw PluginError(
        .eventControl, "\(owner)", "may not start or stop the bus for events",
        expected: "a module that the host lets",
        hint: "ask the host to start it")
    }
  }

  /// Calls a handler for an event as long as an object exists that observes.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - observer: the object that observes. It is not retained. Once it is gone, the observation has ended.
  ///   - handler: receives the notification's values, on the thread that delivers it.
  /// - Returns: a token that ends the observation earlier.
  /// - Throws: `event.no-owner` if there is no object that observes; `module.removed`.
  @discardableResult public func observe(
    _ event: AppEvent, for observer: (any AnyObject & Sendable)?,
    handler: @escaping @Sendable ([String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    try switchboard.events.observe(event, owner: owner, for: observer, handler: handler)
  }

  /// Calls a handler for notifications as long as an object exists that observes.
  ///
  /// - Parameters:
  ///   - name: the name of the notifications; nil for all.
  ///   - object: the object concerned; nil for all.
  ///   - observer: the object that observes. It is not retained. Once it is gone, the observation has ended.
  ///   - handler: runs on the thread that posts.
  /// - Returns: a token that ends the observation earlier.
  /// - Throws: `notification.no-owner` if there is no object that observes; `module.removed`.
  @discardableResult public func observe(
    notification name: String?, object: (any AnyObject & Sendable)? = nil, for observer: (any AnyObject & Sendable)?,
    handler: @escaping @Sendable (PluginNotification) -> Void
  ) throws(PluginError) -> ObservationToken {
    try switchboard.notifications.observe(name, object: object, owner: owner, for: observer, handler: handler)
  }
}
