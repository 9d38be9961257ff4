internal import PluginHost
public import PluginKit

/// The answer to a call by a page.
public typealias SMWebAnswer = Result<SMWebValue, PluginError>

/// What a page reaches of its host: the methods that every page has, and those that are registered.
///
/// A page calls in the name of its module, and can do no more than a module without code could.
public struct SMWebBridge: Sendable {
  /// How long a method may take, as scanning a code does. Until then, the page's call counts as one without an answer.
  static let limit = Duration.seconds(3600)
  /// The greatest number of a document's calls without an answer.
  static let callLimit = 64
  /// The same for all documents that a page has had: a method may still be at work on calls of the earlier ones.
  static let documentsCallLimit = 256
  /// The greatest length of the texts of an alert in bytes, and the greatest number of its buttons.
  static let alertLimits = (text: 4096, buttons: 8)

  let controller: SMWebController

  /// Calls a method, as `Small.invoke` does in a page.
  ///
  /// `confirm`, `alert` and `pop` are those of every page, whatever is registered. `confirm` answers with the index of the
  /// choice: 0 to cancel, else 1 and so on. `alert` answers once the alert is gone.
  ///
  /// - Parameters:
  ///   - method: the name of the method.
  ///   - parameters: the values by their names.
  ///   - callback: called once, on any thread: with `web.method-unknown` if nobody has registered the method,
  ///     `web.closed` if the page is gone, `web.message` if the parameters are not those of the method, and what the
  ///     method fails with: `route.…`.
  public func invoke(
    _ method: String, _ parameters: [String: SMWebValue] = [:],
    callback: @escaping @Sendable (SMWebAnswer) -> Void = { _ in }
  ) {
    guard !controller.isGone else {
      return callback(
        .failure(
          PluginError(
            .webClosed, PluginURL.shown(method), "was called by a page that is closed, or whose module was removed")))
    }
    switch method {
    case "confirm": confirm(parameters, callback)
    case "alert": alert(parameters, callback)
    case "pop": pop(parameters, callback)
    default: call(method, parameters, callback)
    }
  }

  // MARK: The methods that every page has

  private func confirm(_ parameters: [String: SMWebValue], _ callback: @escaping @Sendable (SMWebAnswer) -> Void) {
    let buttons = (parameters["buttons"]?.list ?? []).map { $0.text ?? $0.json }
    ask(parameters, cancel: "cancel", buttons) {
      callback(.success(.number(Double($0))))
    } fault: {
      callback(.failure($0))
    }
  }

  private func alert(_ parameters: [String: SMWebValue], _ callback: @escaping @Sendable (SMWebAnswer) -> Void) {
    ask(parameters, cancel: "ok", []) { _ in
      callback(.success(.null))
    } fault: {
      callback(.failure($0))
    }
  }

  private func ask(
    _ parameters: [String: SMWebValue], cancel: String, _ buttons: [String],
    _ answer: @escaping @Sendable (Int) -> Void, fault: (PluginError) -> Void
  ) {
    let texts = ["message", "title", cancel].map { name -> String? in
      // What is not a text is shown as it is written.
      parameters[name].flatMap { $0 == .null ? nil : $0.text ?? $0.json }
    }
    let limits = Self.alertLimits
    guard buttons.count <= limits.buttons,
      (texts.compactMap(\.self) + buttons).allSatisfy({ $0.utf8.count <= limits.text })
    else {
      return fault(SMWebMessage.fault("asks with too long texts, or too many buttons"))
    }
    let alert = Alert(
      texts[1] ?? texts[0] ?? "", message: texts[1] == nil ? nil : texts[0], cancel: texts[2], choices: buttons)
    controller.show(alert, answer)
  }

  private func pop(_ parameters: [String: SMWebValue], _ callback: @escaping @Sendable (SMWebAnswer) -> Void) {
    let isClosed = controller.pop(
      parameters["ret"].flatMap { $0 == .null ? nil : $0.text ?? $0.json })
    callback(
      isClosed
        ? .success(.null)
        : .failure(PluginError(.webClosed, controller.shown, "cannot be closed: nothing is shown below it")))
  }

  // MARK: Registered methods

  private func call(
    _ name: String, _ parameters: [String: SMWebValue], _ callback: @escaping @Sendable (SMWebAnswer) -> Void
  ) {
    let router = controller.host.switchboard.router
    let unknown = PluginError(
      .webMethodUnknown, PluginURL.shown(name), "is not a registered method",
      hint: "register it by registerJSMethod")
    guard let method = try? SMJSMethod(name) else { return callback(.failure(unknown)) }
    do throws(PluginError) {
      // A route for every URL, as some hosts have, is not a method.
      guard try router.match(method.pattern.text).pattern == method.pattern else {
        return callback(.failure(unknown))
      }
    } catch { return callback(.failure(error.code == .routeNotFound ? unknown : error)) }
    controller.open(method.pattern.text, SMJSMethod.userInfo(parameters, from: controller)) { answer in
      switch answer {
      case .success(let value): callback(.success(value as? SMWebValue ?? .null))
      // The route's owner declined, so the route is not a method for pages.
      case .failure(let error): callback(.failure(error.code == .routeNotFound ? unknown : error))
      }
    }
  }
}
