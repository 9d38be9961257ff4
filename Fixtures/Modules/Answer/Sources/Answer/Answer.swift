import CSignetPlugin
import CTMediatorFace
import HSLinkFace
import JLRoutesFace
import MGJRouterFace
import PACoreFace
import PTRouterFace
import PluginKit
import SmallFace

/// Page C-2. A-1 asks it with a name and an age, in whatever system A-1 was written for.
struct C2: PABundleDelegate {
  /// Answers values of a URL, which are texts, as well as those of code.
  static func answer(_ values: [String: any Sendable]) -> String {
    "\(values["name"] ?? "nobody")\(values["age"] ?? "")岁啦"
  }

  /// Answers by a closure of the caller.
  static func tell(_ values: [String: any Sendable]) -> Bool {
    guard let done = values["done"] as? @Sendable (String) -> Void else { return false }
    done(answer(values))
    return true
  }

  /// The method of HSLinkClass, which takes one value.
  func supply(_ param: (any Sendable)?) -> String { Self.answer(param as? [String: any Sendable] ?? [:]) }

  func resource(_ uri: PAURI) -> (any Sendable)? { Self.answer(uri.params ?? [:]) }
}

/// The page of Small, whose title is the answer.
final class C2Controller: SMController {
  let title: String

  init(parameters: [String: String]) { title = C2.answer(parameters) }
}

/// One module with the calls of every system.
final class Answer: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try byURL(context)
    try byTarget(context)
    try SMAppPlugin(principal: C2Controller.self).moduleDidLoad(context)
    // A protocol of PTRouter's data modules, and a notification.
    let service: @Sendable (String, Int) -> String = { C2.answer(["name": $0, "age": $1]) }
    try context.provide(named: "C2Module") { service }
    try context.observe(notification: "C2Ask") { notification in _ = C2.tell(notification.userInfo) }
  }

  private func byURL(_ context: ModuleContext) throws {
    try JLRouter(context).routes(forScheme: "jl").addRoute("/c2/answer") { parameters in C2.tell(parameters) }
    try MGJRouter(context).registerURLPattern("mgj://c2/answer", allowsFallback: false) { parameters in
      parameters.completion?(C2.answer(parameters.dictionary))
    }
    try PTRouter(context).registerURL("InnerJump://c2/answer") { url, callback in callback(C2.tell(url.params)) }
    try context.register(route: "ui://c2") { request in C2().resource(PAURI(request.url)) }
  }

  private func byTarget(_ context: ModuleContext) throws {
    try CT(context).register("C2", make: { C2() }) { actions in
      actions.add("Action_answer:") { _, params in C2.answer(params) }
    }
    try HSLinkClass(context).supply("C2Supply", make: { C2() }) { methods in
      methods.add("answer:", C2.supply)
    }
  }
}

/// The principal.
@c(answer_main) public func answerMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Answer(), host, plugin) }
