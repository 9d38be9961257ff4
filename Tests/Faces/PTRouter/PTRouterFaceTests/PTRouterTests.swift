import Dispatch
import Foundation
import PTRouterFace
import PluginKit
import TestSupport
import Testing

@testable import PTTestSupport

@Suite("PTRouter") struct PTRouterTests {
  private static let browse = "InnerJump://setting/browse"

  @Test("PT1 D18: a URL works as soon as it is registered; a later registration replaces it; then it is removed")
  func registering() throws {
    let switchboard = Switchboard()
    let heard = Heard()
    for router in [
      PTRouter(switchboard), PTRouter(try context(switchboard, routes: [Self.browse])),
    ] {
      #expect(!router.openURL(Self.browse))
      for name in ["first", "second"] {
        // The query is no part of the key.
        try router.registerURL(Self.browse + "?ignored=\(name)") { url, callback in
          heard.add("\(name) \(url.urlWithoutParms)")
          callback(true)
        }
        #expect(router.openURL(Self.browse + "?userID=007#top", limit: patience))
      }
      #expect(heard.all == ["first \(Self.browse)", "second \(Self.browse)"])
      #expect(switchboard.router.routes.count == 1)
      // What is above, below or beside it is not registered. Case counts in all but the scheme.
      for other in ["InnerJump://setting", Self.browse + "/x", "InnerJump://setting/Browse", "jump://setting/browse"]
      {
        #expect(!router.openURL(other, limit: patience), "\(other)")
      }
      #expect(router.openURL("innerjump://setting/browse/", limit: patience))
      #expect(try router.unRegisterURL(Self.browse + "?x=1"))
      #expect(!router.openURL(Self.browse))
      #expect(try !router.unRegisterURL(Self.browse))
      heard.clear()
      expectPluginError(.urlMalformed) { try router.registerURL("setting/browse") { _, callback in callback(true) } }
      expectPluginError(.urlMalformed) { try router.unRegisterURL("wx1234567") }
      expectPluginError(.urlEmptySegment) { try router.registerURL("a://b//c", onMain: { _ in true }) }
      #expect(switchboard.router.routes.isEmpty)
    }
  }

  @Test("PT1: no character of a URL has a meaning of its own")
  func literals() throws {
    let router = PTRouter(Switchboard())
    let urls = [
      "a://:id", "a://b/:id", "a://b/*", "a://b/(c)", "a://b/:id.html", "a://h:80/x", "a://b/100%", "a://b/%2F",
      "a://b/盲僧", "a://b/a%3Ab",
    ]
    let heard = Heard()
    for url in urls {
      try router.registerURL(url) { _, callback in
        heard.add(url)
        callback(true)
      }
    }
    for url in urls { #expect(router.openURL(url, limit: patience), "\(url)") }
    #expect(heard.all == urls)
    for url in ["a://x", "a://b/x", "a://b", "a://b/c", "a://b/x.html", "a://b/x/y"] {
      #expect(!router.openURL(url, limit: patience), "\(url)")
    }
    #expect(router.openURL("a://b/%E7%9B%B2%E5%83%A7", limit: patience))
    #expect(heard.all.last == "a://b/盲僧")
  }

  @Test(
    "PT2 D18: a scheme alone gets each of its URLs that nothing else is registered for, and none of other schemes")
  func schemes() throws {
    let switchboard = Switchboard()
    let host = PTRouter(switchboard)
    let module = PTRouter(try context(switchboard, routes: ["wx1234567://*"]))
    let heard = Heard()
    #expect(!host.openURL("wx1234567://oauth?code=1", limit: patience))
    try module.registerURL("wx1234567://") { url, callback in
      heard.add("scheme \(url.host)\(url.path) \(url.params["code"] ?? "-")")
      callback(true)
    }
    #expect(host.openURL("wx1234567://oauth?code=1", limit: patience))
    #expect(host.openURL("WX1234567://", limit: patience))
    #expect(module.openURL("wx1234567://oauth/deep/er", limit: patience))
    try host.registerURL("wx1234567://oauth") { url, callback in
      heard.add("exact \(url.params["code"] ?? "-")")
      callback(true)
    }
    #expect(host.openURL("wx1234567://oauth?code=2", limit: patience))
    #expect(host.openURL("wx1234567://pay", limit: patience))
    #expect(!host.openURL("wx7654321://oauth?code=1", limit: patience))
    #expect(!host.openURL("oauth?code=1", limit: patience))
    #expect(
      heard.all == ["scheme oauth 1", "scheme  -", "scheme oauth/deep/er -", "exact 2", "scheme pay -"])
    #expect(try module.unRegisterURL("wx1234567://"))
    #expect(!host.openURL("wx1234567://pay", limit: patience))
    #expect(host.openURL("wx1234567://oauth", limit: patience))
  }

  @Test("PT3: a handler answers on another thread after a while; only its first answer counts")
  func waiting() async throws {
    let router = PTRouter(Switchboard())
    try router.registerURL("a://later") { _, callback in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { callback(true) }
    }
    try router.registerURL("a://twice") { url, callback in
      let first = url.params["first"] as? String == "true"
      callback(first)
      callback(!first)
    }
    #expect(Self.open(router, "a://later"))
    #expect(await router.openURL("a://later", limit: patience))
    for first in [true, false] {
      #expect(Self.open(router, "a://twice?first=\(first)") == first)
      #expect(await router.openURL("a://twice?first=\(first)", limit: patience) == first)
      let answers = Heard()
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        router.openURL("a://twice?first=\(first)", limit: patience) { result in
          answers.add("\(result)")
          done.resume()
        }
      }
      #expect(answers.all == ["\(first)"])
    }
  }

  /// The form that blocks.
  private static func open(_ router: PTRouter, _ url: String) -> Bool { router.openURL(url, limit: patience) }

  @Test("PT3 D18: without a handler the answer is no at once; a handler that never answers ends with the limit")
  func noAnswer() async throws {
    let router = PTRouter(Switchboard())
    let kept = Kept()
    try router.registerURL("a://never") { _, callback in kept.keep(callback) }
    try router.registerURL("a://forgets") { _, _ in }
    #expect(!Self.open(router, "a://nobody"))
    #expect(await !router.openURL("a://nobody", limit: patience))
    #expect(await Self.callback(router, "a://nobody") == false)
    // There is no wait for a closure that nobody has.
    #expect(!Self.open(router, "a://forgets"))
    #expect(Self.code(router, "a://forgets", patience) == .routeNoAnswer)
    #expect(!router.openURLSync("a://never", limit: .milliseconds(20)))
    #expect(Self.code(router, "a://never", .milliseconds(20)) == .routeTimeout)
    #expect(await !router.openURL("a://never", limit: .milliseconds(20)))
    #expect(await Self.callback(router, "a://never", .milliseconds(20)) == false)
    #expect(Self.code(router, "a://nobody", patience) == .routeNotFound)
    #expect(Self.code(router, "a:nobody", patience) == .urlMalformed)
    // An answer that comes too late does nothing.
    kept.call()
    // Nobody need want to know.
    router.openURL("a://forgets", callback: nil)
    router.openURL("a://nobody", callback: nil)
  }

  private static func code(_ router: PTRouter, _ url: String, _ limit: Duration) -> PluginError.Code? {
    do throws(PluginError) {
      _ = try router.open(url, limit: limit)
      return nil
    } catch { return error.code }
  }

  private static func callback(_ router: PTRouter, _ url: String, _ limit: Duration = patience) async -> Bool {
    await withCheckedContinuation { done in router.openURL(url, limit: limit) { done.resume(returning: $0) } }
  }

  #if os(Linux)
    @Test("PT3: on the main thread, a handler that hops to it answers while it waits, in each form")
    func mainThread() async throws {
      let program =
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        + "/MainThreadProgram"
      let result = try await FixtureBuilds.run(program, ["ptrouter"])
      #expect(
        result.output.split(separator: "\n").map(String.init) == [
          "queue: true, main", "actor: true, main", "main: true, main", "own: true, main", "never: false",
          "callback: true", "page: true, main",
        ])
      #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    }
  #endif

  @Test("PT4 D19: the caller's dictionary counts before the query, and keeps its values as they are")
  func parameters() async throws {
    let router = PTRouter(Switchboard())
    let object = Anything()
    try router.registerURL(Self.browse) { url, callback in
      callback(
        url.params["userID"] as? Int == 8 && url.params["obj"] as? Anything === object
          && url.params["from"] as? String == "home" && url.params.count == 3
          && url.absoluteString == Self.browse + "?userID=007&from=home")
    }
    let url = Self.browse + "?userID=007&from=home"
    let param: [String: any Sendable] = ["userID": 8, "obj": object]
    #expect(await router.openURL(url, param: param, limit: patience))
    #expect(router.openURLSync(url, param: param, limit: patience))
    let answer = await withCheckedContinuation { done in
      router.openURL(url, param: param, limit: patience) { done.resume(returning: $0) }
    }
    #expect(answer)
    #expect(try await !router.open(url, param: ["userID": 8], limit: patience))
  }

  @Test("PT4: on the main actor, parameters and handlers need not be Sendable")
  @MainActor func mainParameters() throws {
    final class View {
      let name: String
      init(_ name: String) { self.name = name }
    }
    let router = PTRouter(Switchboard())
    var shown: [String] = []
    try router.registerURL(
      "a://show",
      onMain: { url in
        guard let view = url.mainParams["view"] as? View else { return false }
        shown.append("\(view.name) \(url.mainParams["id"] ?? "") \(url.params["id"] ?? "")")
        return true
      })
    #expect(Self.openOnMain(router, ["view": View("hero"), "id": 9]))
    #expect(!Self.openOnMain(router, [:]))
    #expect(shown == ["hero 9 7"])
  }

  @MainActor private static func openOnMain(_ router: PTRouter, _ param: [String: Any]) -> Bool {
    router.openURLOnMain("a://show?id=7", param: param, limit: patience)
  }

  @Test("PT5: the first equals sign separates name and value, and both are decoded once")
  func query() throws {
    func params(_ query: String) throws -> [String: String] {
      try PTRouterURL("a://b?" + query).params.mapValues { try #require($0 as? String) }
    }
    #expect(try params("a=b=c") == ["a": "b=c"])
    #expect(try params("userID=007") == ["userID": "007"])
    #expect(try params("n=%E7%9B%B2&a%3Db=%2526&p=1+2&q=%2B") == ["n": "盲", "a=b": "%26", "p": "1 2", "q": "+"])
    #expect(try params("a=1&a=2&b&c=&=d&&e=100%") == ["a": "2", "c": "", "": "d", "e": "100%"])
    #expect(try params("u=y://admin/delete?x=1") == ["u": "y://admin/delete?x=1"])
    let url = try PTRouterURL("InnerJump://setting/browse/%E7%9B%B2?a=1#part", params: ["a": 2, "b": true])
    #expect(url.params["a"] as? Int == 2 && url.params["b"] as? Bool == true)
    #expect(url.urlWithoutParms == "InnerJump://setting/browse/%E7%9B%B2" && url.scheme == "innerjump")
    #expect(url.host == "setting" && url.path == "/browse/盲" && url.sender == .host)
    #expect("\(url)" == "InnerJump://setting/browse/%E7%9B%B2?a=1#part")
    #expect(try PTRouterURL("a://b/c%2Fd/e").path == "/c%2Fd/e")
  }

  @Test("D20: an incoming URL is opened as a whole, and so matches")
  func incoming() throws {
    let router = PTRouter(Switchboard())
    try router.registerURL(Self.browse) { _, callback in callback(true) }
    let url = try #require(URL(string: Self.browse + "?userID=007"))
    #expect(router.openURL(url.absoluteString, limit: patience))
    #expect(!router.openURL(url.path, limit: patience))
  }

  @Test("a handler of another system answers, too, and a module is known to the handler that it asks")
  func others() async throws {
    let switchboard = Switchboard()
    let module = PTRouter(try context(switchboard, routes: ["a://mine"]))
    for (name, value) in [("text", "x"), ("no", false), ("nothing", nil)] as [(String, (any Sendable)?)] {
      try switchboard.router.register(RoutePattern("a://\(name)"), owner: .host) { _ in value }
      #expect(await module.openURL("a://\(name)", limit: patience) == (name != "no"))
    }
    try switchboard.router.register(RoutePattern("a://fails"), owner: .host) { _ in throw CancellationError() }
    #expect(await !module.openURL("a://fails", limit: patience))
    try PTRouter(switchboard).registerURL("a://who") { url, callback in
      callback(url.sender == .module("com.example.a"))
    }
    #expect(await module.openURL("a://who", limit: patience))
    #expect(await !PTRouter(switchboard).openURL("a://who", limit: patience))
  }
}

extension PTRouter {
  /// The form that blocks, from a task of a test.
  func openURLSync(_ url: String, param: [String: any Sendable]? = nil, limit: Duration) -> Bool {
    openURL(url, param: param, limit: limit)
  }
}

/// Callbacks that are kept and called later.
private final class Kept: @unchecked Sendable {
  private let queue = DispatchQueue(label: "kept")
  private var callbacks: [@Sendable (Bool) -> Void] = []

  func keep(_ callback: @escaping @Sendable (Bool) -> Void) { queue.sync { callbacks.append(callback) } }
  func call() { for callback in queue.sync(execute: { callbacks }) { callback(true) } }
}
