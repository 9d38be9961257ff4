import Foundation
import PluginKit
import SignetSystem
import SmallWebFace

/// The web view's side of a page in Chromium: a tab of the browser.
///
/// It shows what a view has to do. Others have the same under other names: a handler for requests, for messages of
/// scripts, for navigations, and a script for each document.
final class ChromiumView: SMWebView {
  private struct State {
    var session: String?
    /// The main frame, which has the number of the tab.
    var frame: String?
    /// The documents that scripts run in: the origin, and whether it is the main frame's.
    var contexts: [Int: (origin: String, isMain: Bool)] = [:]
    /// The URL that the host wants to load.
    var loading: String?
    /// Why the main frame goes to a URL.
    var navigation: (url: String, reason: SMWebNavigation)?
    var isFailed = false
    var requests: [String] = []
  }

  private let browser: Chromium
  // The controller has the view.
  private weak let controller: SMWebController?
  private let state = Monitor(State())

  init(_ controller: SMWebController, in browser: Chromium) {
    self.controller = controller
    self.browser = browser
  }

  /// The requests that the page made, or was kept from making.
  var requests: [String] { state.withLock { $0.requests } }

  // MARK: What the host wants

  func load(_ url: String) {
    state.withLock { $0.loading = url }
    guard state.withLock({ $0.session }) == nil else { return send("Page.navigate", ["url": url]) }
    browser.send("Target.createTarget", ["url": "about:blank"]) { [self] created in
      guard let target = created["targetId"] as? String else { return fail("\(created)") }
      browser.send("Target.attachToTarget", ["targetId": target, "flatten": true]) { [self] attached in
        guard let session = attached["sessionId"] as? String else { return fail("\(attached)") }
        state.withLock { state in
          state.session = session
          state.frame = target
        }
        browser.observe(session) { [weak self] name, event in self?.hear(name, event) }
        let script = controller?.userScript(post: "window.smallPost") ?? ""
        prepare([
          ("Page.enable", [:]), ("Runtime.enable", [:]), ("Fetch.enable", ["patterns": [["urlPattern": "*"]]]),
          ("Runtime.addBinding", ["name": "smallPost"]),
          (
            "Page.addScriptToEvaluateOnNewDocument",
            ["source": "if (window === window.top) { \(script) }"]
          ),
          ("Page.navigate", ["url": url]),
        ])
      }
    }
  }

  /// Sends commands one after the other: another process may draw the next document, and knows only what was done before.
  private func prepare(_ commands: [(method: String, parameters: Chromium.Values)]) {
    guard let first = commands.first, let session = state.withLock({ $0.session }) else { return }
    browser.send(first.method, first.parameters, session: session) { [self] answer in
      if let error = answer["error"] { return fail("\(first.method): \(error)") }
      prepare(Array(commands.dropFirst()))
    }
  }

  func evaluate(_ script: String, completion: @escaping @Sendable (String?) -> Void) {
    guard let session = state.withLock({ $0.session }) else { return completion(nil) }
    browser.send("Runtime.evaluate", ["expression": script], session: session) { answer in
      completion((answer["result"] as? Chromium.Values)?["value"] as? String)
    }
  }

  private func send(_ method: String, _ parameters: Chromium.Values = [:]) {
    browser.send(method, parameters, session: state.withLock { $0.session })
  }

  private func fail(_ what: String) {
    controller?.didFailLoad(PluginError(.webClosed, "chromium", what))
  }

  // MARK: What happens in the tab

  private func hear(_ name: String, _ event: Chromium.Values) {
    guard let controller else { return }
    switch name {
    case "Fetch.requestPaused": answer(event, controller)
    case "Page.frameRequestedNavigation": goes(event, controller)
    case "Page.loadEventFired":
      if !state.withLock({ $0.isFailed }) { controller.didFinishLoad() }
    case "Page.javascriptDialogOpening":
      // The browser's own dialogs would stop the page until they are answered. This view has none.
      send("Page.handleJavaScriptDialog", ["accept": false])
    case "Runtime.executionContextCreated":
      guard let context = event["context"] as? Chromium.Values, let number = context["id"] as? Int else { return }
      let frame = (context["auxData"] as? Chromium.Values)?["frameId"] as? String
      let origin = context["origin"] as? String ?? ""
      state.withLock { $0.contexts[number] = (origin, frame == $0.frame) }
    case "Runtime.executionContextDestroyed":
      if let number = event["executionContextId"] as? Int { state.withLock { $0.contexts[number] = nil } }
    case "Runtime.executionContextsCleared": state.withLock { $0.contexts = [:] }
    case "Runtime.bindingCalled":
      guard let number = event["executionContextId"] as? Int, let text = event["payload"] as? String,
        let context = state.withLock({ $0.contexts[number] })
      else { return }
      controller.receive(text, from: context.origin, isMainFrame: context.isMain)
    default: break
    }
  }

  /// A frame wants to go to a URL. What is not for the browser is not requested, so it is decided here.
  private func goes(_ event: Chromium.Values, _ controller: SMWebController) {
    guard let url = event["url"] as? String, event["frameId"] as? String == state.withLock({ $0.frame }) else {
      return
    }
    let reason: SMWebNavigation =
      switch event["reason"] as? String {
      case "anchorClick": .link
      case "formSubmissionGet", "formSubmissionPost": .form
      case "reload": .reload
      default: .other
      }
    if url.hasPrefix("https:") || url.hasPrefix("http:") {
      state.withLock { $0.navigation = (url, reason) }
    } else {
      _ = controller.shouldLoad(url, by: reason)
    }
  }

  private func answer(_ event: Chromium.Values, _ controller: SMWebController) {
    guard let number = event["requestId"] as? String, let request = event["request"] as? Chromium.Values,
      let url = request["url"] as? String
    else { return }
    let (isMain, isWanted, reason) = state.withLock { state -> (Bool, Bool, SMWebNavigation) in
      state.requests.append(url)
      let isMain = event["resourceType"] as? String == "Document" && event["frameId"] as? String == state.frame
      guard isMain else { return (false, true, .other) }
      let isWanted = state.loading == url
      state.loading = nil
      defer { state.navigation = nil }
      return (true, isWanted, state.navigation.map { $0.url == url ? $0.reason : .other } ?? .other)
    }
    guard isWanted || controller.shouldLoad(url, by: reason) else {
      return send("Fetch.failRequest", ["requestId": number, "errorReason": "Aborted"])
    }
    if isMain {
      state.withLock { $0.isFailed = false }
      controller.didStartLoad()
    }
    switch controller.answer(to: url) {
    case .web: send("Fetch.continueRequest", ["requestId": number])
    case .resource(let file):
      send(
        "Fetch.fulfillRequest",
        [
          "requestId": number, "responseCode": 200, "body": Data(file.bytes).base64EncodedString(),
          "responseHeaders": file.headers.map { ["name": $0.name, "value": $0.value] },
        ])
    case .refused(let error):
      send("Fetch.failRequest", ["requestId": number, "errorReason": "AccessDenied"])
      guard isMain else { return }
      state.withLock { $0.isFailed = true }
      controller.didFailLoad(error)
    }
  }
}
