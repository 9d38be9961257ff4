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

  /// Makes the context that a module registers with.
  ///
  /// If the module was removed, the context stays closed unless ``readmit(module:)`` came before it.
  ///
  /// - Parameters:
  ///   - declaration: the declaration of the verified description.
  ///   - resources: where the module's resources come from.
  public func context(for declaration: ModuleDeclaration, resources: ModuleResources? = nil) -> ModuleContext {
    let owner = admitted(.module(declaration.identifier))
    reservedSchemes.reserve(declaration.routes, for: owner)
    return ModuleContext(self, declaration, owner, resources)
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

  /// The table as JSON: a list of objects with `kind`, `owner`, `pattern` and `priority`, one per line.
  public var tableJSON: String {
    let lines = table.map { entry in
      "  {\"kind\":\(JSONText.quote(entry.kind.rawValue)),\"owner\":\(JSONText.quote(entry.owner)),"
        + "\"pattern\":\(JSONText.quote(entry.pattern)),\"priority\":\(entry.priority)}"
    }
    return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}

/// An entry in the table of registrations.
public struct TableEntry: Hashable, Sendable {
  /// The kind of an entry.
  public enum Kind: String, Sendable {
    /// A route.
    case route
    /// An action of a target.
    case action
    /// A service.
    case service
    /// An observer of notifications.
    case notification
    /// An observer of an event.
    case event
    /// A factory of pages.
    case page
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The owner of the entry: `host`, or a module's identifier.
  public let owner: String
  /// The name of the entry: the pattern of a route, `target.action`, or the name of a service, notification, event or
  /// page.
  ///
  /// `target.*` is the fallback for actions that the target does not have, `*` is for all notifications, and the empty
  /// name is the page that a module opens with.
  public let pattern: String
  /// The priority of a route; 0 for anything else.
  public let priority: Int
}

/// Texts in JSON (RFC 8259, section 7).
enum JSONText {
  static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
