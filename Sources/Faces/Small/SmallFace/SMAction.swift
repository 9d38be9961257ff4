package import PluginKit

/// The code of an action: who opened its URI, and the parameters of the URI, each decoded once; nil without a `?`.
public typealias SMActionHandler = @Sendable (_ sender: SMSender, _ parameters: [String: String]?) throws -> Void

/// An action such as `share`, which `small://share?k=v` runs.
///
/// It is a route like any other: a module registers it only if its description declares the URI.
package struct SMAction: Sendable {
  package static let scheme = "small"
  /// The values of code that come with a URI, which no URL can set.
  private static let senderKey = "small.sender"
  private static let parametersKey = "small.parameters"

  /// The route's pattern, which matches only the action's URI.
  package let pattern: RoutePattern

  /// - Throws: `url.…`: it is not a name that the URI of an action can have.
  package init(_ name: String) throws(PluginError) { pattern = try Self.pattern(of: name, scheme: Self.scheme) }

  /// The pattern that matches only `scheme://name`.
  ///
  /// - Throws: `url.…`: that is not a URL with one part.
  static func pattern(of name: String, scheme: String) throws(PluginError) -> RoutePattern {
    let url = try PluginURL("\(scheme)://\(name)")
    guard url.partCount == 1, url.segments.isEmpty, !url.hasQuery, url.fragment == nil else {
      throw PluginError(
        .urlMalformed, PluginURL.shown(name), "is not a name of an action or a method",
        expected: "one part of a URL, without a slash, a query or a fragment")
    }
    return try RoutePattern(of: url, andBelow: false)
  }

  /// The options of the route: a new handler takes the place of the old one in one step, and asking for an object runs
  /// no action.
  package static var options: RouteOptions {
    var options = RouteOptions(equals: .replaced)
    options.uses = .open
    return options
  }

  package static func run(_ handler: SMActionHandler, _ request: RouteRequest) throws {
    try handler(sender(of: request), parameters(of: request))
  }

  package static func sender(of request: RouteRequest) -> SMSender {
    SMSender(owner: request.sender, object: request.userInfo[senderKey])
  }

  package static func parameters(of request: RouteRequest) -> [String: String]? {
    request.userInfo[parametersKey] as? [String: String] ?? (request.url.hasQuery ? request.query.dictionary : nil)
  }

  /// The values that go along with a URI.
  package static func userInfo(
    _ object: (any Sendable)?, parameters: [String: String]? = nil
  ) -> [String: any Sendable] {
    var values: [String: any Sendable] = [:]
    if let object { values[senderKey] = object }
    if let parameters { values[parametersKey] = parameters }
    return values
  }
}
