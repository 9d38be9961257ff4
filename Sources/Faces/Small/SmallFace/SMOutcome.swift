public import PluginKit

/// What became of a URI that was opened.
public enum SMOutcome: Sendable {
  /// An action ran, as in `small://share`.
  case action
  /// A page was made, and is shown like this; nil if it is shown already, or its owner is gone.
  case page(Page, Presentation?)
  /// A route answered that is not Small's: the value of its handler.
  case value((any Sendable)?)
  /// No module serves the URL, and it may be shown on the web: the URL, and the page if a launcher shows such pages.
  case web(String, Page?)
  /// No module serves the URL, and another program may open it. The host's opener was asked.
  case external(String)

  /// The page that was opened, or nil.
  public var page: Page? {
    switch self {
    case .page(let page, _): page
    case .web(_, let page): page
    case .action, .value, .external: nil
    }
  }

  /// How the page is shown; nil if no page was opened, or it is not shown.
  public var presentation: Presentation? { if case .page(_, let presentation) = self { presentation } else { nil } }
}

/// Who opened a URI: the host or a module, and the view or the controller that the code gave along.
public struct SMSender: Sendable {
  /// The owner of the code that opened the URI. No module can pass for another one.
  public let owner: ModuleOwner
  /// The view or the controller, as the code gave it; nil if it gave none.
  public let object: (any Sendable)?

  package init(owner: ModuleOwner, object: (any Sendable)?) {
    self.owner = owner
    self.object = object
  }
}
