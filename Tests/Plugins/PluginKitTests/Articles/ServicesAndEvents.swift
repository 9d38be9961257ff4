import PluginKit
import Testing

private protocol Greeter: Sendable {
  func greet(_ name: String) -> String
}

private struct EnglishGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)" }
}

@Suite("The article on services and events") struct ServicesArticleTests {
  @Test("services, actions and events do what the article says")
  func all() throws {
    let switchboard = Switchboard()
    let context = try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.player", targets: ["Player": ["count": false]], services: ["Greeter"]))
    try context.provide((any Greeter).self) { EnglishGreeter() }
    let greeting = context.resolve((any Greeter).self)?.greet("Ada")
    #expect(greeting == "Hello, Ada")
    try context.register(target: "Player", make: { 3 }) { $0.add("count") { number, _ in number } }
    let count = try context.perform("count", on: "Player")
    let same = try context.perform("app://Player/count")
    #expect(count as? Int == 3 && same as? Int == 3)
    let heard = Heard()
    let show: @Sendable ((any Sendable)?) -> Void = { heard.add("\($0 ?? "")") }
    let pause: @Sendable () -> Void = { heard.add("pause") }
    try context.observe(notification: "trackChanged") { note in show(note.userInfo["title"]) }
    try context.observe(.didEnterBackground) { _ in pause() }
    try context.post("trackChanged", userInfo: ["title": "Blue"])
    switchboard.events.start()
    try switchboard.notifications.post("didEnterBackground")
    #expect(heard.all == ["Blue", "pause"])
  }
}
