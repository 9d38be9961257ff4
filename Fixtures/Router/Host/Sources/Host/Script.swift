import Dispatch
import Greeting
import PluginKit
import Synchronization

/// What this host does with its modules, line by line.
struct Script {
  let board: Switchboard

  /// A-1 of the host, which asks the modules and lets them ask each other.
  func ask() {
    title("the host asks guide, in Swift")
    line("url") { try board.router.open("demo://guide/c2/BJHL?age=5") }
    let told = Heard()
    let done: @Sendable (String) -> Void = { told.set($0) }
    line("block") {
      try board.router.open("demo://guide/c2/BJHL?age=5", userInfo: ["done": done])
      return told.text
    }
    line("target") {
      try board.targets.perform("greet", on: "guide", with: ["name": "BJHL", "age": 5])
    }
    line("target, one value") {
      try board.targets.perform("visit", on: "guide", value: Visitor(name: "BJHL", age: 5))
    }
    line("service") { try board.services.instance(of: (any Greeter).self)?.greet(Visitor(name: "BJHL", age: 5)) }
    line("notification") { try answer("guide") }
    title("the host asks desk, in C")
    line("url") { try board.router.open("demo://desk/c2/BJHL?age=5") }
    line("target") {
      try board.targets.perform("greet", on: "desk", with: ["name": "BJHL", "age": 5])
    }
    line("notification") { try answer("desk") }
    title("guide asks desk")
    for scheme in ["url", "target", "notification"] {
      line(scheme) { try board.router.open("demo://guide/a1/\(scheme)") }
    }
    title("asker, in C, asks guide")
    for scheme in ["url", "target", "notification"] {
      line(scheme) { try board.router.open("demo://asker/a1/guide/\(scheme)") }
    }
    title("asker asks desk")
    for scheme in ["url", "target", "service", "notification"] {
      line(scheme) { try board.router.open("demo://asker/a1/desk/\(scheme)") }
    }
  }

  /// Objects whose types one side alone knows.
  func cast() {
    title("casts")
    line("the host casts the plugin's object") {
      (board.router.object(for: "demo://guide/greeter") as? any Greeter)?.greet(Visitor(name: "BJHL", age: 5))
    }
    line("the plugin casts the host's object") {
      try board.router.open("demo://guide/cast", userInfo: ["journal": PrintedJournal()])
    }
  }

  /// An event of the application's life, heard by a plugin of each kind.
  func tell() throws {
    title("events")
    try board.services.provide((any Journal).self, owner: .host) { PrintedJournal() }
    let token = try board.notifications.observe("desk.active", owner: .host) { _ in
      print("desk heard didBecomeActive")
    }
    board.events.start()
    try board.notifications.post("didBecomeActive", userInfo: ["reason": "a test"])
    token.cancel()
  }

  /// Answers as C can give them.
  func reply() throws {
    title("replies of desk")
    let isTold = DispatchSemaphore(value: 0)
    let token = try board.notifications.observe("desk.twice", owner: .host) { notification in
      let counts = ActionInput(notification.userInfo)
      print("first counts: \(counts["first"] ?? "?"), second counts: \(counts["second"] ?? "?")")
      isTold.signal()
    }
    let answer = Result { try board.router.open("demo://desk/twice") }
    // The handler goes on once it has answered: it is on a thread of its own.
    isTold.wait()
    line("twice") { try answer.get() }
    token.cancel()
    line("later") { try board.router.open("demo://desk/later") }
    line("never") { try board.router.open("demo://desk/never", limit: .milliseconds(50)) }
    line("without an age") { try board.router.open("demo://desk/c2/BJHL") }
  }

  /// Takes a module away, and asks it once more.
  func remove(_ name: String) {
    title("\(name) is removed")
    board.removeAll(ownedBy: .module("com.example.\(name)"))
    line("table") {
      let left = table("com.example.\(name)")
      return left.isEmpty ? nil : left.joined(separator: ", ")
    }
    line("url") { try board.router.open("demo://\(name)/c2/BJHL?age=5") }
    line("target") { try board.targets.perform("greet", on: name, with: ["name": "BJHL", "age": 5]) }
    line("service") { board.services.resolve((any Greeter).self).map { _ in "is still there" } }
    line("notification") { try answer(name) }
    line("asker, by url") { try board.router.open("demo://asker/a1/\(name)/url") }
  }

  /// What a module has registered.
  func table(_ owner: String) -> [String] {
    board.table.filter { $0.owner == owner }.map { "\($0.kind) \($0.pattern)" }
  }

  private func answer(_ module: String) throws -> String? {
    let heard = Heard()
    let token = try board.notifications.observe("\(module).answer", owner: .host) {
      heard.set($0.userInfo["text"] as? String)
    }
    try board.notifications.post("\(module).ask", userInfo: ["name": "BJHL", "age": 5])
    token.cancel()
    return heard.text
  }

  func title(_ text: String) { print("\n== \(text)") }

  func line(_ name: String, _ body: () throws -> (any Sendable)?) {
    do { print("\(name): \(try body().map { "\($0)" } ?? "nothing")") } catch { print("\(name): \(error)") }
  }
}

/// The host's journal, a type that no plugin knows.
final class PrintedJournal: Journal {
  func note(_ line: String) { print(line) }
}

/// A text that somebody says.
final class Heard: Sendable {
  private let storage = Mutex<String?>(nil)
  var text: String? { storage.withLock { $0 } }

  func set(_ text: String?) { storage.withLock { $0 = text } }
}
