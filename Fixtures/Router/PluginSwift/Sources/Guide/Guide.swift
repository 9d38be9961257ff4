import CSignetPlugin
import Greeting
import PluginKit

/// A plugin in Swift: page C-2, which answers, and page A-1, which asks another module.
final class Guide: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    let greeter = YearGreeter()
    try answer(context, greeter)
    try ask(context)
    try cast(context, greeter)
    // Nobody can be asked for the host's journal by a plugin that has another Greeting.
    try context.observe(.didBecomeActive) { [weak context] values in
      context?.resolve((any Journal).self)?.note("guide heard didBecomeActive: \(values["reason"] ?? "no reason")")
    }
  }

  /// C-2 in all four schemes.
  private func answer(_ context: ModuleContext, _ greeter: YearGreeter) throws {
    try context.register(route: "demo://guide/c2/:name") { request in
      guard let visitor = Visitor(request.text("name"), request.text("age").flatMap { Int($0) }) else { return nil }
      let greeting = greeter.greet(visitor)
      (request["done"] as? @Sendable (String) -> Void)?(greeting)
      return greeting
    }
    try context.register(target: "guide", make: { greeter }) { actions in
      actions.add("greet") { greeter, input in
        Visitor(input.text("name"), input.value("age")).map { greeter.greet($0) }
      }
      actions.add("visit", taking: Visitor.self) { greeter, visitor in greeter.greet(visitor) }
    }
    try context.provide((any Greeter).self) { greeter }
    try context.observe(notification: "guide.ask") { [weak context] notification in
      let values = ActionInput(notification.userInfo)
      guard let visitor = Visitor(values.text("name"), values.value("age")) else { return }
      try? context?.post("guide.answer", userInfo: ["text": greeter.greet(visitor)])
    }
  }

  /// A-1, which asks the desk.
  private func ask(_ context: ModuleContext) throws {
    try context.register(route: "demo://guide/a1/:scheme") { [weak context] request in
      guard let context else { return nil }
      switch request.text("scheme") {
      case "url": return try context.open("demo://desk/c2/BJHL?age=5")
      case "target": return try context.perform("greet", on: "desk", with: ["name": "BJHL", "age": 5])
      case "notification":
        return try context.answer(to: "desk.ask", by: "desk.answer", ["name": "BJHL", "age": 5])
      default: return nil
      }
    }
  }

  /// What crosses as an object, and is cast on the other side.
  private func cast(_ context: ModuleContext, _ greeter: YearGreeter) throws {
    try context.register(route: "demo://guide/greeter") { _ in greeter }
    try context.register(route: "demo://guide/cast") { request in
      guard let journal = request["journal"] as? any Journal else { return "is no journal" }
      journal.note("guide has cast the host's object")
      return "is a journal"
    }
  }
}

/// Known to nobody but this image: others have its protocol.
final class YearGreeter: Greeter {
  func greet(_ visitor: Visitor) -> String { "\(visitor.name)\(visitor.age)岁啦" }
}

extension Visitor {
  init?(_ name: String?, _ age: Int?) {
    guard let name, let age else { return nil }
    self.init(name: name, age: age)
  }
}

/// The principal.
@c(guide_main) public func guideMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Guide(), host, plugin) }
