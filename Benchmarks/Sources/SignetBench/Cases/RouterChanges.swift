internal import Dispatch
internal import PluginKit

/// Refusing modules that are refused already, as a host does that looks at what is installed once more.
enum RefusalCase {
  private static let routes = 100
  private static let counts = (few: 100, many: 200)
  /// Twice as many modules take twice as long; the rest is for the machine.
  private static let budget = 2.5

  static func comparison() throws -> Comparison {
    let (few, many) = (try Crowd(counts.few), try Crowd(counts.many))
    return Comparison(
      "refuse \(counts.many) modules with \(routes) routes again", Contender("Router.refuse", calls: 1, many.refuse),
      against: Contender("the same with \(counts.few)", calls: 1, few.refuse), budget: budget)
  }

  private final class Crowd {
    private let router = PluginKit.Router()
    private var patterns: [[RoutePattern]] = []

    init(_ count: Int) throws {
      for module in 0..<count {
        patterns.append(try (0..<routes).map { try RoutePattern("ui://module\(module)/page\($0)/*") })
      }
      refuse()
    }

    func refuse() {
      for (module, patterns) in patterns.enumerated() {
        router.refuse(patterns, declared: patterns, of: .module("com.example.m\(module)"), because: "x")
      }
    }
  }
}

/// Tasks that open a route whose handler is a task, more than there are threads for tasks.
enum OpeningCase {
  private static let tasks = 8
  private static let calls = 100

  static func comparison() throws -> Comparison {
    let router = PluginKit.Router()
    try router.register(RoutePattern("ui://task"), owner: .host, task: { _ in 1 })
    return Comparison(
      "open a route whose handler is a task, in \(tasks) tasks at once",
      Contender("Router.open in tasks", calls: calls) { try together(router) },
      against: Contender("Router.open, one after the other", calls: calls) {
        for _ in 0..<tasks {
          guard try router.open("ui://task") as? Int == 1 else { throw BenchFailure(message: "no answer") }
        }
      }, budget: nil)
  }

  private static func together(_ router: PluginKit.Router) throws {
    let done = DispatchGroup()
    for _ in 0..<tasks {
      done.enter()
      Task {
        if (try? await router.open("ui://task")) as? Int == 1 { done.leave() }
      }
    }
    guard done.wait(timeout: .now() + 60) == .success else { throw BenchFailure(message: "a task had no answer") }
  }
}
