import PluginHost
import PluginKit
import Signet
import SignetSystem
import SmallWebFace
import Testing

@testable import SmallTestSupport

/// An application with web modules.
final class WebWorkshop {
  static let about = "net.wequick.example.small.web.about"
  static let origin = "https://\(about).invalid"
  static let index = """
    <!doctype html><html><head><title>About us</title>
    <meta name="right-bar-item" content="type=share,onclick=rightBar()"></head><body></body></html>
    """

  let workshop: SmallWorkshop
  let events = Monitor<[(event: SMWebEvent, controller: SMWebController)]>([])
  let views = Monitor<[FakeView]>([])

  init(_ files: [String: String] = ["index.html": index]) throws {
    workshop = try SmallWorkshop()
    try workshop.shipAssets(Self.about, files: files)
    try workshop.manifest(SmallWorkshop.list(SmallWorkshop.entry("about", "web")))
  }

  /// A launcher whose views are not real.
  func launcher(
    _ change: (inout SMWebBundleLauncher.Configuration) -> Void = { _ in }
  ) -> SMWebBundleLauncher {
    var configuration = SMWebBundleLauncher.Configuration { [views] controller in
      let view = FakeView(controller)
      views.withLock { $0.append(view) }
      return view
    }
    configuration.onEvent = { [events] event, controller in events.withLock { $0.append((event, controller)) } }
    change(&configuration)
    return SMWebBundleLauncher(configuration)
  }

  /// An application that is set up, with a page below all others.
  func small(
    _ host: PluginHost? = nil, _ change: (inout SMWebBundleLauncher.Configuration) -> Void = { _ in }
  ) async throws -> Small {
    let small = try workshop.small(host, launchers: [SMAppBundleLauncher(), launcher(change)])
    try await small.setUp()
    small.host.switchboard.presenter.push("home")
    return small
  }

  /// Opens a page and says that its document is there.
  func open(
    _ small: Small, _ uri: String = "about", from controller: (any Sendable)? = nil
  ) async throws -> (controller: SMWebController, view: FakeView, page: Page.ID) {
    let page = try #require(try await small.openUri(uri, fromController: controller).page)
    let controller = try #require(page.object as? SMWebController)
    let view = try #require(controller.view as? FakeView)
    controller.didStartLoad()
    controller.didFinishLoad()
    return (controller, view, page.id)
  }

  /// The events that have this code.
  func refusals() -> [PluginError.Code] {
    events.withLock { events in
      events.compactMap { if case .refused(let error) = $0.event { error.code } else { nil } }
    }
  }

  /// What pages have led to, once there is so much.
  func opened(_ count: Int) async -> [(url: String, result: Result<SMOutcome, PluginError>)] {
    await until { [events] in
      let opened = events.withLock { $0 }.compactMap {
        event -> (url: String, result: Result<SMOutcome, PluginError>)? in
        if case .opened(let url, let result) = event.event { (url, result) } else { nil }
      }
      return opened.count >= count ? opened : nil
    }
  }
}

/// A view that draws nothing and runs no script.
final class FakeView: SMWebView {
  private struct State {
    var loads: [String] = []
    var scripts: [String] = []
    /// What a script is answered with: the first text that it has.
    var answers: [(script: String, value: String?)] = []
    /// Scripts that get no answer.
    var isSilent = false
  }

  weak let controller: SMWebController?
  private let state = Monitor(State())

  init(_ controller: SMWebController) { self.controller = controller }

  var loads: [String] { state.withLock { $0.loads } }
  var scripts: [String] { state.withLock { $0.scripts } }
  func scripts(_ count: Int) async -> [String] { await until { scripts.count >= count ? scripts : nil } }
  func answer(_ script: String, _ value: String?) { state.withLock { $0.answers.insert((script, value), at: 0) } }
  func fallSilent() { state.withLock { $0.isSilent = true } }

  func load(_ url: String) { state.withLock { $0.loads.append(url) } }

  func evaluate(_ script: String, completion: @escaping @Sendable (String?) -> Void) {
    let (isSilent, value) = state.withLock { state in
      state.scripts.append(script)
      return (state.isSilent, state.answers.first { script.contains($0.script) }?.value)
    }
    if !isSilent { completion(value) }
  }

  /// What the page's script posts.
  func post(_ text: String, from origin: String = WebWorkshop.origin, isMainFrame: Bool = true) {
    controller?.receive(text, from: origin, isMainFrame: isMainFrame)
  }
}

/// A controller that opens pages, and hears of them.
final class Opener: SMWebControllerDelegate {
  let results = Monitor<[String?]>([])
  let links = Monitor<[String]>([])
  private let forbidden: Set<String>
  private let onPop: @Sendable () -> Void

  init(forbidding forbidden: Set<String> = [], onPop: @escaping @Sendable () -> Void = {}) {
    self.forbidden = forbidden
    self.onPop = onPop
  }

  func webViewControllerShouldLoad(_ url: String) -> Bool {
    links.withLock { $0.append(url) }
    return !forbidden.contains(url)
  }

  func webViewControllerDidPop(withWebResult result: String?) {
    onPop()
    results.withLock { $0.append(result) }
  }
}

/// Waits without keeping a thread until there is a value.
func until<Value>(_ value: () -> Value?) async -> Value {
  while true {
    if let found = value() { return found }
    try? await Task.sleep(for: .milliseconds(2))
  }
}

/// The next answer of a bridge.
func answer(
  _ bridge: SMWebBridge, _ method: String, _ parameters: [String: SMWebValue] = [:]
) async -> SMWebAnswer {
  await withCheckedContinuation { continuation in
    bridge.invoke(method, parameters) { continuation.resume(returning: $0) }
  }
}

/// Expects a failure with this code.
func expectFailure(
  _ answer: SMWebAnswer, _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation
) {
  switch answer {
  case .success(let value): Issue.record("it answered \(value)", sourceLocation: sourceLocation)
  case .failure(let error): #expect(error.code == code, sourceLocation: sourceLocation)
  }
}

extension SMWebAnswer {
  /// The value; nil if the call failed.
  var value: SMWebValue? { if case .success(let value) = self { value } else { nil } }
}
