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
  /// The presenter of pages.
  public let presenter: Presenter
  /// The modules that were entered. They are never taken out, because their code stays.
  let entered = ReadWriteLock(Set<ModuleOwner>())
  /// Which contexts are still good.
  let admissions = ReadWriteLock(Admissions())

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
  /// - Parameters:
  ///   - declaration: the declaration of the verified description.
  ///   - resources: where the module's resources come from.
  public func context(for declaration: ModuleDeclaration, resources: ModuleResources? = nil) -> ModuleContext {
    ModuleContext(self, declaration, resources)
  }

  /// Removes everything of an owner at once: routes, targets, services and observers.
  ///
  /// A removed module can no longer register anything until ``readmit(module:)`` lets it. If its code still runs, it
  /// changes nothing, because its context stays without effect.
  public func removeAll(ownedBy owner: ModuleOwner) {
    guard owner != .host else {
      router.removeAll(ownedBy: owner)
      targets.removeAll(ownedBy: owner)
      services.removeAll(ownedBy: owner)
      notifications.removeAll(ownedBy: owner)
      events.removeAll(ownedBy: owner)
      return
    }
    admissions.write { $0.end(owner) }
    router.close(owner)
    targets.close(owner)
    services.close(owner)
    notifications.close(owner)
    events.close(owner)
  }

  /// Everything that is registered: routes, actions, services and observers, each kind in the order of registration.
  public var table: [TableEntry] {
    router.routes.map {
      TableEntry(kind: .route, owner: "\($0.owner)", pattern: $0.pattern.text, priority: $0.priority)
    }
      + targets.entries.flatMap { target in
        // The fallback for all other actions is an entry, too.
        (target.actionNames + (target.fallback == nil ? [] : ["*"])).map {
          TableEntry(kind: .action, owner: "\(target.owner)", pattern: "\(target.name).\($0)", priority: 0)
        }
      }
      + services.entries.map { TableEntry(kind: .service, owner: "\($0.owner)", pattern: $0.name, priority: 0) }
      + notifications.entries.map {
        TableEntry(kind: .notification, owner: "\($0.owner)", pattern: $0.name ?? "*", priority: 0)
      }
      + events.entries.map { TableEntry(kind: .event, owner: "\($0.owner)", pattern: $0.name ?? "*", priority: 0) }
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
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The owner of the entry: `host`, or a module's identifier.
  public let owner: String
  /// The name of the entry: the pattern of a route, `target.action`, or the name of a service, notification or event.
  ///
  /// `target.*` is the fallback for actions that the target does not have, and `*` is for all notifications.
  public let pattern: String
  /// The priority of a route; 0 for anything else.
  public let priority: Int
}

extension Targets {
  /// All targets, in the order of registration.
  var entries: [TargetEntry] { state.read { Array($0.entries.values) }.sorted { $0.id < $1.id } }
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
