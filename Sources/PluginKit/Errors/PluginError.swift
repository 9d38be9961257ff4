/// Why something between host and modules could not be done or was refused.
///
/// A value with a stable ``code`` for programs; people read the rest. It looks like the errors of Signet, of which this
/// library knows nothing: a module that links it brings no cryptography along.
public struct PluginError: Error, Sendable {
  /// A stable, dotted identifier such as `route.not-found`. Once released it keeps its meaning.
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
  /// What would have been right, where that can be said.
  public var expected: String?
  /// What was there instead.
  public var found: String?
  /// The failure underneath: what a handler threw.
  public var cause: (any Error)?
  /// What to do next.
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
  /// One line: code, object, message, and the cause if there is one.
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

  /// No scheme with `://` behind it, or a part that cannot be there.
  public static let urlMalformed = Self("url.malformed")
  /// More bytes, parts or parameters than a URL may have.
  public static let urlTooLong = Self("url.too-long")
  /// A control character, in whatever encoding, where a name stands.
  public static let urlControlCharacter = Self("url.control-character")
  /// A segment `.` or `..`, in whatever encoding.
  public static let urlDotSegment = Self("url.dot-segment")
  /// Two slashes without anything between.
  public static let urlEmptySegment = Self("url.empty-segment")

  // MARK: Patterns and routes

  /// A pattern that does not follow the grammar.
  public static let patternMalformed = Self("pattern.malformed")
  /// A parameter's name that is there twice.
  public static let patternDuplicateName = Self("pattern.duplicate-name")
  /// More bytes, parts or ways to read it than a pattern may have.
  public static let patternTooLong = Self("pattern.too-long")
  /// Values that do not fit the parameters of the pattern of which a URL is made.
  public static let patternValues = Self("pattern.values")
  /// Two routes that would match the same URLs with the same priority.
  public static let routeConflict = Self("route.conflict")
  /// More different priorities than there may be.
  public static let routePriorities = Self("route.priorities")
  /// A pattern that the module's signed description does not name.
  public static let routeUndeclared = Self("route.undeclared")
  /// No route matches.
  public static let routeNotFound = Self("route.not-found")
  /// The URL belongs to a module that is refused.
  public static let routeModuleRefused = Self("route.module-refused")
  /// No answer within the limit.
  public static let routeTimeout = Self("route.timeout")
  /// The handler let go of its reply without an answer.
  public static let routeNoAnswer = Self("route.no-answer")
  /// The task that waited was cancelled.
  public static let routeCancelled = Self("route.cancelled")
  /// The handler threw an error.
  public static let routeFailed = Self("route.failed")
  /// Opening a URL would be one of too many calls within each other.
  public static let routeTooDeep = Self("route.too-deep")
  /// Too many handlers of the module wait for a thread.
  public static let routeBusy = Self("route.busy")

  // MARK: Targets and actions

  /// A name of a target or an action that cannot be one.
  public static let targetName = Self("target.name")
  /// A second target of a name.
  public static let targetConflict = Self("target.conflict")
  /// A target or action that the module's signed description does not name.
  public static let targetUndeclared = Self("target.undeclared")
  /// No target of that name.
  public static let targetNotFound = Self("target.not-found")
  /// The target's module is refused.
  public static let targetModuleRefused = Self("target.module-refused")
  /// The target could not be made.
  public static let targetFailed = Self("target.failed")
  /// The target has no such action.
  public static let actionNotFound = Self("action.not-found")
  /// An action that only code may call, and a URL that does.
  public static let actionLocal = Self("action.local")
  /// A parameter of a URL that has a meaning of its own.
  public static let actionReservedKey = Self("action.reserved-key")
  /// A URL that is not a target and one action.
  public static let actionURL = Self("action.url")
  /// A value of another type than the action takes, or gives.
  public static let actionType = Self("action.type")
  /// The action threw an error.
  public static let actionFailed = Self("action.failed")
  /// Calling an action, or making its target, would be one of too many calls within each other.
  public static let actionTooDeep = Self("action.too-deep")

  // MARK: Services, events, modules

  /// A second provider of a service.
  public static let serviceConflict = Self("service.conflict")
  /// A service that the module's signed description does not name.
  public static let serviceUndeclared = Self("service.undeclared")
  /// An object that does not conform to the service that it is registered for.
  public static let serviceNotConforming = Self("service.not-conforming")
  /// A service that needs itself to be made.
  public static let serviceCycle = Self("service.cycle")
  /// The service could not be made.
  public static let serviceFailed = Self("service.failed")
  /// Making a service would be one of too many calls within each other.
  public static let serviceTooDeep = Self("service.too-deep")
  /// Posting a notification would be one of too many calls within each other.
  public static let notificationTooDeep = Self("notification.too-deep")
  /// No resource that the module's signed description names.
  public static let resourceMissing = Self("resource.missing")
  /// A resource that is not what was signed any more, or cannot be read.
  public static let resourceFailed = Self("resource.failed")
  /// A second module with the identifier of one that is there.
  public static let moduleEntered = Self("module.entered")
  /// The module was removed; nothing can be registered for it any more.
  public static let moduleRemoved = Self("module.removed")

  // MARK: The entry

  /// Host and plugin were built for versions of the entry that do not fit.
  public static let pluginVersion = Self("plugin.version")
  /// The plugin's entry said that it failed.
  public static let pluginFailed = Self("plugin.failed")
  /// Host and plugin do not share one copy of PluginKit.
  public static let pluginKitNotShared = Self("host.pluginkit-not-shared")
}
