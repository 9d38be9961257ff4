public import PluginKit

/// The code of a method that pages of the web call: the parameters of the page, and the function that gets the answer.
///
/// Whatever is in the parameters, a page has written it.
public typealias SMJSHandler = @Sendable (_ parameters: [String: SMWebValue], _ callback: SMJSCallback) -> Void

/// The callback of a call by a page.
///
/// The first value counts. Without a value, the page's function is not called.
public struct SMJSCallback: Sendable {
  /// Who calls: the module of the page, or the host for a page that no module has.
  public let sender: SMSender
  private let reply: RouteReply

  init(_ reply: RouteReply, _ sender: SMSender) {
    self.reply = reply
    self.sender = sender
  }

  /// Passes a value to the page.
  ///
  /// - Returns: false if there was a value already, or the page is gone.
  @discardableResult public func callAsFunction(_ value: SMWebValue = .null) -> Bool { reply.answer(value) }

  /// Tells the page that the call failed.
  ///
  /// - Returns: false if there was a value already, or the page is gone.
  @discardableResult public func fail(_ error: any Error) -> Bool { reply.fail(error) }
}

/// A method that pages of the web call by `Small.invoke`.
///
/// It is a route like any other: a module registers it only if its description declares the URI, `smalljs://scan`. No URL
/// calls it, because what marks a call by a page is among the values that only code gives.
package struct SMJSMethod: Sendable {
  package static let scheme = "smalljs"
  /// Methods that every page has. Nobody can take their place.
  package static let builtIn = ["confirm", "alert", "pop"]
  private static let parametersKey = "small.js.parameters"

  /// The route's pattern, which matches only the method's URI.
  package let pattern: RoutePattern

  /// - Throws: `url.…`: it is not a name that a method can have.
  package init(_ name: String) throws(PluginError) { pattern = try SMAction.pattern(of: name, scheme: Self.scheme) }

  /// The method of a name that is to be registered.
  ///
  /// - Throws: `web.method-reserved`, `url.…`.
  package init(registering name: String) throws(PluginError) {
    guard !Self.builtIn.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
      throw PluginError(
        .webMethodReserved, PluginURL.shown(name), "is a method that every page has",
        expected: "a name other than \(Self.builtIn.joined(separator: ", "))")
    }
    try self.init(name)
  }

  /// The options of the route: those of an action.
  package static var options: RouteOptions { SMAction.options }

  package static func run(_ handler: SMJSHandler, _ request: RouteRequest, _ reply: RouteReply) {
    guard let parameters = request.userInfo[parametersKey] as? [String: SMWebValue] else {
      _ = reply.decline()
      return
    }
    handler(parameters, SMJSCallback(reply, SMAction.sender(of: request)))
  }

  /// The values that mark a call by a page.
  package static func userInfo(
    _ parameters: [String: SMWebValue], from object: any Sendable
  ) -> [String: any Sendable] {
    var values = SMAction.userInfo(object)
    values[parametersKey] = parameters
    return values
  }
}

extension SmallModule {
  /// Registers a method that pages of the web call by `Small.invoke(method, parameters, callback)`. It takes the place of
  /// the module's earlier one.
  ///
  /// - Parameters:
  ///   - method: a name whose URI, such as `smalljs://scan`, the module's description declares as a route.
  ///   - handler: runs on a thread of the module.
  /// - Throws: `web.method-reserved` for `confirm`, `alert` and `pop`; `route.undeclared`, `route.conflict` if another
  ///   owner has the method; `module.removed`, `url.…`.
  public func registerJSMethod(_ method: String, withHandler handler: @escaping SMJSHandler) throws(PluginError) {
    let method = try SMJSMethod(registering: method)
    try context.register(route: method.pattern.text, options: SMJSMethod.options) { request, reply in
      SMJSMethod.run(handler, request, reply)
    }
  }
}

extension PluginError.Code {
  /// A page calls a method that nobody has registered.
  public static let webMethodUnknown = Self("web.method-unknown")
  /// A method that every page has cannot be registered.
  public static let webMethodReserved = Self("web.method-reserved")
  /// A message of a page that the host does not take: it is not one, is too long, or comes from elsewhere.
  public static let webMessage = Self("web.message")
  /// A page has too many calls without an answer.
  public static let webBusy = Self("web.busy")
  /// The page has no bridge, is not the one on top, or is gone.
  public static let webClosed = Self("web.closed")
}
