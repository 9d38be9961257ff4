import Dispatch
import Foundation
import PTRouterFace
import PluginKit

/// PTRouter's calls on a main thread that waits. Each line is one answer.
@MainActor enum PTRouterProgram {
  static func run() throws {
    let switchboard = Switchboard()
    let router = PTRouter(switchboard)
    try router.registerURL("a://queue") { _, callback in DispatchQueue.main.async { callback(Thread.isMainThread) } }
    try router.registerURL("a://actor") { _, callback in Task { @MainActor in callback(Thread.isMainThread) } }
    try router.registerURL("a://main", onMain: { _ in Thread.isMainThread })
    try router.registerURL("a://own", onMain: { _ in router.openURL("a://queue", limit: patience) })
    let kept = DispatchQueue(label: "kept")
    nonisolated(unsafe) var callbacks: [@Sendable (Bool) -> Void] = []
    try router.registerURL("a://never") { _, callback in kept.sync { callbacks.append(callback) } }
    for name in ["queue", "actor", "main", "own"] {
      print("\(name): \(router.openURL("a://\(name)", limit: patience)), \(place())")
    }
    print("never: \(router.openURL("a://never", limit: .milliseconds(20)))")
    let (stream, answers) = AsyncStream.makeStream(of: Bool.self)
    router.openURL("a://queue", limit: patience) { answers.yield($0) }
    try router.registerURL("a://callback") { _, callback in
      Task { for await answer in stream { return callback(answer) } }
    }
    print("callback: \(router.openURL("a://callback", limit: patience))")
    // A page is made on the main actor, wherever its URL is opened.
    try PTInvocationHelper(switchboard).registerClass("PageViewController", initWithParam: { _ in MainPage() })
    try router.registerURL("a://page") { _, callback in
      DispatchQueue.global().async {
        let helper = PTInvocationHelper(switchboard)
        callback(
          (try? helper.performClass(
            "PageViewController", selector: "initWithParam:", params: [:], limit: patience)) is MainPage)
      }
    }
    print("page: \(router.openURL("a://page", limit: patience)), \(place())")
  }
}

@MainActor private final class MainPage: PTRouterVCProtocol {}
