/// An operation between host and modules that failed or was refused.
///
/// The stable ``code`` is for programs; the rest is for people. The type looks like Signet's errors, but this library
/// does not depend on Signet: a module that links it brings no cryptography along.
public struct PluginError: Error, Sendable {
  /// A stable, dotted identifier such as `route.not-found`. Once released, it keeps its meaning.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The dotted text.
    public let rawValue: String

    /// Makes a code out of its dotted text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code out of its dotted text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The dotted text.
    public var description: String { rawValue }
  }

  /// What went wrong, for programs.
  public var code: Code
  /// The URL, pattern, target or service concerned, as the caller named it.
  public var object: String
  /// What went wrong, for people: lower case, no final period.
  public var message: String
  /// The value that would have been right, if it can be named.
  public var expected: String?
  /// The value that was found instead.
  public var found: String?
  /// The underlying error, such as one that a handler threw.
  public var cause: (any Error)?
  /// Advice on what to do next.
  public var hint: String?

  /// Makes an error; only the code, the object and the message are required.
  public init(
    _ code: Code, _ object: String, _ message: String, expected: String? = nil, found: String? = nil,
    cause: (any Error)? = nil, hint: String? = nil
  ) {
    self.code = code
    self.object = object
    self.message = message
    self.expected = expected
    self.found = found
    self.cause = cause
    self.hint = hint
  }
}

extension PluginError: CustomStringConvertible {
  /// The error in one line: code, object, message, and the cause if there is one.
  public var description: String {
    var text = "\(code): \(object): \(message)"
    if let expected { text += "; expected \(expected)" }
    if let found { text += "; found \(found)" }
    if let cause { text += " (\(cause))" }
    return text
  }
}

extension PluginError.Code {
  // MARK: URLs

  /// A URL without a valid scheme and `://`, or with an invalid part.
  public static let urlMalformed = Self("url.malformed")
  /// A URL with more bytes, parts or parameters than allowed.
  public static let urlTooLong = Self("url.too-long")
  /// A URL with a control character: in the host or path in any encoding, elsewhere unencoded.
  public static let urlControlCharacter = Self("url.control-character")
  /// A URL with a segment `.` or `..`, in any encoding.
  public static let urlDotSegment = Self("url.dot-segment")
  /// A URL with two slashes and nothing between them.
  public static let urlEmptySegment = Self("url.empty-segment")

  // MARK: Patterns and routes

  /// A pattern that does not follow the grammar.
  public static let patternMalformed = Self("pattern.malformed")
  /// A pattern in which two parameters have the same name.
  public static let patternDuplicateName = Self("pattern.duplicate-name")
  /// A pattern with more bytes, parts or readings than allowed.
  public static let patternTooLong = Self("pattern.too-long")
  /// Values that do not fit the parameters of the pattern when a URL is made of it.
  public static let patternValues = Self("pattern.values")
  /// Two routes that would match the same URLs with the same priority.
  public static let routeConflict = Self("route.conflict")
  /// Too many different priorities of routes, or one above 0 for a pattern of any host.
  public static let routePriorities = Self("route.priorities")
  /// A route whose pattern the module's signed description does not name.
  public static let routeUndeclared = Self("route.undeclared")
  /// No route matches the URL, or every handler declined it.
  public static let routeNotFound = Self("route.not-found")
  /// The URL lacks parameters that its route takes, or has others.
  public static let routeParameters = Self("route.parameters")
  /// The URL belongs to a module that is refused.
  public static let routeModuleRefused = Self("route.module-refused")
  /// The handler of a route or an action gave no answer within the limit.
  public static let routeTimeout = Self("route.timeout")
  /// The handler of a route or an action released its reply without an answer.
  public static let routeNoAnswer = Self("route.no-answer")
  /// The task that waited for the answer to a URL was cancelled.
  public static let routeCancelled = Self("route.cancelled")
  /// The handler of a route threw an error.
  public static let routeFailed = Self("route.failed")
  /// Opening a URL would exceed the limit of nested calls.
  public static let routeTooDeep = Self("route.too-deep")
  /// Too many handlers of the module wait for a thread.
  public static let routeBusy = Self("route.busy")

  // MARK: Targets and actions

  /// An invalid name of a target or an action.
  public static let targetName = Self("target.name")
  /// A second target with the same name.
  public static let targetConflict = Self("target.conflict")
  /// A target or action that the module's signed description does not name.
  public static let targetUndeclared = Self("target.undeclared")
  /// There is no target with that name.
  public static let targetNotFound = Self("target.not-found")
  /// The target's module is refused.
  public static let targetModuleRefused = Self("target.module-refused")
  /// The instance of the target could not be made.
  public static let targetFailed = Self("target.failed")
  /// The target has no such action.
  public static let actionNotFound = Self("action.not-found")
  /// A URL calls an action that only code may call.
  public static let actionLocal = Self("action.local")
  /// A URL that calls an action has a parameter with a reserved name.
  public static let actionReservedKey = Self("action.reserved-key")
  /// A URL that does not name a target and one action.
  public static let actionURL = Self("action.url")
  /// A value of another type than the action takes or gives.
  public static let actionType = Self("action.type")
  /// The action threw an error.
  public static let actionFailed = Self("action.failed")
  /// An action for the main actor alone was called from elsewhere, or the main actor called another one in a way for
  /// these.
  public static let actionMainActor = Self("action.main-actor")
  /// Calling an action, or making its target, would exceed the limit of nested calls.
  public static let actionTooDeep = Self("action.too-deep")

  // MARK: Services, events, modules

  /// A second provider of a service.
  public static let serviceConflict = Self("service.conflict")
  /// A service that the module's signed description does not name.
  public static let serviceUndeclared = Self("service.undeclared")
  /// An object that does not conform to the service that it is registered for.
  public static let serviceNotConforming = Self("service.not-conforming")
  /// A service that depends on itself.
  public static let serviceCycle = Self("service.cycle")
  /// The instance of the service could not be made.
  public static let serviceFailed = Self("service.failed")
  /// Making a service would exceed the limit of nested calls.
  public static let serviceTooDeep = Self("service.too-deep")
  /// An observation of notifications that belongs to no object.
  public static let notificationNoOwner = Self("notification.no-owner")
  /// An observation of an event that belongs to no object.
  public static let eventNoOwner = Self("event.no-owner")
  /// A module starts or stops the bus for events, and the host does not let it.
  public static let eventControl = Self("event.control")
  /// Posting a notification would exceed the limit of nested calls.
  public static let notificationTooDeep = Self("notification.too-deep")
  /// A path that is not a resource that the module's signed description names.
  public static let resourceMissing = Self("resource.missing")
  /// A resource that is no longer what was signed, or cannot be read.
  public static let resourceFailed = Self("resource.failed")
  /// A second module with the same identifier.
  public static let moduleEntered = Self("module.entered")
  /// The module was removed and can no longer register anything.
  public static let moduleRemoved = Self("module.removed")

  // MARK: Pages, and what is outside

  /// An invalid name of a page.
  public static let pageName = Self("page.name")
  /// A second factory for a page of the same owner.
  public static let pageConflict = Self("page.conflict")
  /// A page that the module's signed description does not name.
  public static let pageUndeclared = Self("page.undeclared")
  /// The module has no such page.
  public static let pageNotFound = Self("page.not-found")
  /// The page's module is refused.
  public static let pageModuleRefused = Self("page.module-refused")
  /// The page could not be made.
  public static let pageFailed = Self("page.failed")
  /// Making a page would exceed the limit of nested calls.
  public static let pageTooDeep = Self("page.too-deep")
  /// A URL that no module serves, and that may not be opened outside either.
  public static let externalRefused = Self("external.refused")

  // MARK: The entry

  /// Host and plugin were built for incompatible versions of the entry.
  public static let pluginVersion = Self("plugin.version")
  /// The plugin's entry, or one of its handlers in C, reported a failure.
  public static let pluginFailed = Self("plugin.failed")
  /// Host and plugin do not share one copy of PluginKit.
  public static let pluginKitNotShared = Self("host.pluginkit-not-shared")
}
