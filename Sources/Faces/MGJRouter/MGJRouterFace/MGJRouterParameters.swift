public import PluginKit

// The keys have the spelling of the original.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the opened URL in ``MGJRouterParameters``. Its value is a `String`.
public let MGJRouterParameterURL = "MGJRouterParameterURL"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the caller's completion in ``MGJRouterParameters``. Its value is an ``MGJRouterCompletion``.
public let MGJRouterParameterCompletion = "MGJRouterParameterCompletion"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the caller's values in ``MGJRouterParameters``. Its value is a dictionary.
public let MGJRouterParameterUserInfo = "MGJRouterParameterUserInfo"

/// A closure that a caller passes to a handler. The handler calls it with a result when it has finished.
public typealias MGJRouterCompletion = @Sendable (_ result: (any Sendable)?) -> Void
/// A completion on the main actor. Its result need not be `Sendable`.
public typealias MGJRouterMainCompletion = @MainActor (_ result: Any?) -> Void

/// A handler of URLs, which runs on the caller's thread. By throwing `RouteDeclined` it leaves the URL to the next route.
public typealias MGJRouterHandler = @Sendable (_ routerParameters: MGJRouterParameters) throws -> Void
/// A handler that returns an object, which runs on the caller's thread.
public typealias MGJRouterObjectHandler =
  @Sendable (_ routerParameters: MGJRouterParameters) throws -> (any Sendable)?
/// A handler of URLs on the main actor.
public typealias MGJRouterMainHandler =
  @MainActor @Sendable (_ routerParameters: MGJRouterMainParameters) throws -> Void
/// A handler on the main actor that returns an object, which need not be `Sendable`.
public typealias MGJRouterMainObjectHandler =
  @MainActor @Sendable (_ routerParameters: MGJRouterMainParameters) throws -> Any?

/// The input of a handler.
///
/// The subscript looks into the path and the query, as the dictionary of MGJRouter did. The three keys
/// ``MGJRouterParameterURL``, ``MGJRouterParameterUserInfo`` and ``MGJRouterParameterCompletion`` are the router's own: no
/// URL can set them.
public struct MGJRouterParameters: Sendable {
  /// The request as PluginKit has it.
  public let request: RouteRequest
  /// The parameters of the path, by their names in the pattern.
  public let path: [String: String]

  init(_ request: RouteRequest, _ pattern: MGJPattern) {
    self.request = request
    path =
      pattern.aliases.isEmpty
      ? request.parameters
      : Dictionary(request.parameters.map { (pattern.aliases[$0] ?? $0, $1) }) { $1 }
  }

  /// The URL that was opened.
  public var url: String { request.url.text }

  /// The parameters after the `?`. The last value of a name counts, and a name without a value is left out.
  public var query: [String: String] { request.query.dictionary }

  /// The caller's values, or nil.
  public var userInfo: [String: any Sendable]? {
    var values = request.userInfo
    values[MGJRouterParameterCompletion] = nil
    return values.isEmpty ? nil : values
  }

  /// The caller's completion, or nil.
  public var completion: MGJRouterCompletion? {
    request.userInfo[MGJRouterParameterCompletion] as? MGJRouterCompletion
  }

  /// Whether the URL is below the pattern, and no other pattern matches it.
  public var isFallback: Bool { request.isFallback }

  /// The value of one of the router's own keys, else of a parameter of the path, else of one of the query.
  public subscript(name: String) -> (any Sendable)? {
    switch name {
    case MGJRouterParameterURL: url
    case MGJRouterParameterUserInfo: userInfo
    case MGJRouterParameterCompletion: completion
    default: path[name] ?? request.query[name]
    }
  }

  /// All values that the subscript finds.
  public var dictionary: [String: any Sendable] {
    var values: [String: any Sendable] = query
    for (name, value) in path { values[name] = value }
    for name in [MGJRouterParameterURL, MGJRouterParameterUserInfo, MGJRouterParameterCompletion] {
      values[name] = self[name]
    }
    return values
  }
}

/// The input of a handler on the main actor. The caller's values need not be `Sendable` if the caller is there, too.
@MainActor public struct MGJRouterMainParameters {
  /// What handlers on other threads would get.
  public let parameters: MGJRouterParameters

  init(_ parameters: MGJRouterParameters) { self.parameters = parameters }

  /// The request as PluginKit has it.
  public var request: RouteRequest { parameters.request }
  /// The parameters of the path, by their names in the pattern.
  public var path: [String: String] { parameters.path }
  /// The URL that was opened.
  public var url: String { parameters.url }
  /// The parameters after the `?`.
  public var query: [String: String] { parameters.query }
  /// Whether the URL is below the pattern, and no other pattern matches it.
  public var isFallback: Bool { parameters.isFallback }

  /// The caller's values, or nil.
  public var userInfo: [String: Any]? {
    var values: [String: Any] = parameters.userInfo ?? [:]
    for (name, value) in request.mainValues where name != MGJRouterParameterCompletion { values[name] = value }
    return values.isEmpty ? nil : values
  }

  /// The caller's completion, or nil.
  ///
  /// If the caller is not on the main actor, a result that is not a text, a number, a Boolean or bytes reaches it in a
  /// `MainActorValue`.
  public var completion: MGJRouterMainCompletion? {
    if let completion = request.mainValues[MGJRouterParameterCompletion] as? MGJRouterMainCompletion {
      return completion
    }
    guard let completion = parameters.completion else { return nil }
    return { result in completion(MainActorValue.sendable(result)) }
  }

  /// The value of one of the router's own keys, else of a parameter of the path, else of one of the query.
  public subscript(name: String) -> Any? {
    switch name {
    case MGJRouterParameterUserInfo: userInfo
    case MGJRouterParameterCompletion: completion
    default: parameters[name]
    }
  }
}
