/// The connection between a host and its modules.
///
/// A host has one. Each module that was verified and loaded gets a ``ModuleContext`` of it, and nothing else.
public final class Switchboard: Sendable {
  /// The routes of the host and its modules.
  public let router: Router
  /// The targets of the host and its modules, with their actions.
  public let targets = Targets()
  /// The services of the host and its modules.
  public let services = Services()
  /// The bus that delivers notifications.
  public let notifications = NotificationBus()
  /// The bus for events of the application's life.
  public let events: EventBus
  /// The factories of pages.
  public let pages = Pages()
  /// The presenter of pages.
  public let presenter: Presenter
  /// Schemes of URLs that belong to modules, so that nothing outside opens them.
  let reservedSchemes = ReservedSchemes()
  /// What may happen to URLs that no module serves.
  let outside = ReadWriteLock<ExternalOpening?>(nil)
  /// The host's decision about which modules may start and stop the bus for events.
  let eventControl = ReadWriteLock<(@Sendable (ModuleDeclaration) -> Bool)?>(nil)
  /// The current admission of each module that was readmitted. Others are in their first.
  let admissions = ReadWriteLock<[ModuleOwner: Int]>([:])
  /// The modules that were entered. They are never taken out, because their code stays.
  let entered = ReadWriteLock(Set<ModuleOwner>())

  /// Makes an empty switchboard.
  ///
  /// - Parameters:
  ///   - defaultScheme: the scheme of patterns and URLs that have none, such as `ui`.
  ///   - forms: which texts without `://` are accepted as URLs, such as `tel:1`.
  ///   - presenter: the presenter of pages.
  public init(
    defaultScheme: String? = nil, accepting forms: PluginURL.Forms = [], presenter: Presenter = Presenter()
  ) {
    router = Router(defaultScheme: defaultScheme, accepting: forms)
    events = EventBus(notifications)
    self.presenter = presenter
  }

  /// Refuses the names of a module that is refused: no other owner gets its targets, its services or the schemes of its
  /// URLs, and none of its pages is made.
  ///
  /// This replaces an earlier refusal of the module. ``Router/refuse(_:except:declared:isFailure:of:because:)`` refuses
  /// its URLs.
  ///
  /// - Parameters:
  ///   - targets: the targets of the last accepted description.
  ///   - services: its services.
  ///   - routes: its routes, and what the host's manifest gives to the module.
  ///   - owner: the module.
  ///   - reason: why it is refused, for people.
  public func refuse(
    targets: [String] = [], services: [String] = [], routes: [RoutePattern] = [], of owner: ModuleOwner,
    because reason: String
  ) {
    self.targets.refuse(targets, of: owner, because: reason)
    self.services.refuse(services, of: owner, because: reason)
    pages.refuse(owner, because: reason)
    reservedSchemes.refuse(routes, of: owner)
  }

  /// Ends an earlier refusal of a module's names.
  public func accept(_ owner: ModuleOwner) {
    targets.refuse([], of: owner, because: "")
    services.refuse([], of: owner, because: "")
    pages.accept(owner)
    reservedSchemes.refuse([], of: owner)
  }
}
