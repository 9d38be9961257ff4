/// All by which a host and its modules reach each other.
///
/// A host has one. Each module that was verified and loaded gets a ``ModuleContext`` of it, and that is all it gets.
public final class Switchboard: Sendable {
  /// Routes.
  public let router: Router
  /// Targets and actions.
  public let targets = Targets()
  /// Services.
  public let services = Services()
  /// Notifications.
  public let notifications = NotificationBus()
  /// Events of the application's life.
  public let events: EventBus
  /// What is shown.
  public let presenter: Presenter
  /// The modules that were entered, for good: their code stays.
  let entered = ReadWriteLock(Set<ModuleOwner>())

  /// Makes one with nothing in it.
  ///
  /// - Parameters:
  ///   - defaultScheme: the scheme of patterns and URLs without one, as in `ui`.
  ///   - presenter: what shows pages.
  public init(defaultScheme: String? = nil, presenter: Presenter = Presenter()) {
    router = Router(defaultScheme: defaultScheme)
    events = EventBus(notifications)
    self.presenter = presenter
  }

  /// What a module registers with.
  ///
  /// - Parameters:
  ///   - declaration: of the description that was verified.
  ///   - resources: where the module's resources come from.
  public func context(for declaration: ModuleDeclaration, resources: ModuleResources? = nil) -> ModuleContext {
    ModuleContext(self, declaration, resources)
  }

  /// Removes everything of an owner at once: routes, targets, services and observers.
  ///
  /// A module that is removed can register nothing any more: what it still runs changes nothing.
  public func removeAll(ownedBy owner: ModuleOwner) {
    guard owner != .host else {
      router.removeAll(ownedBy: owner)
      targets.removeAll(ownedBy: owner)
      services.removeAll(ownedBy: owner)
      notifications.removeAll(ownedBy: owner)
      events.removeAll(ownedBy: owner)
      return
    }
    router.close(owner)
    targets.close(owner)
    services.close(owner)
    notifications.close(owner)
    events.close(owner)
  }
}
