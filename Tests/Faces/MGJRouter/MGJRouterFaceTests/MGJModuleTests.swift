import MGJRouterFace
import PluginKit
import Synchronization
import Testing

/// The gate, seen through MGJRouter's calls: a module registers what it declares, and nothing of a refused one is reached.
@Suite("MGJRouter's calls of modules") struct MGJModuleTests {
  private let switchboard = Switchboard(defaultScheme: "mgj")

  private var host: MGJRouter { MGJRouter(switchboard) }

  @Test("G6: a module registers what its description declares, in the original's spelling, and nothing else")
  func declared() throws {
    let module = MGJRouter(
      try context(
        switchboard, "shop",
        [
          "mgj://shop", "mgj://shop/*", "mgj://item/:id", "mgj://list/*+", "mgj://u/:name/x", "mgj://only",
          "mgj://all/*",
        ]))
    let calls = Calls()
    try module.registerURLPattern("mgj://shop") { calls.add("shop", $0) }
    try module.registerURLPattern("item/:other", allowsFallback: false) { calls.add("item", $0) }
    try module.registerURLPattern("mgj://list/~") { calls.add("list", $0) }
    try module.registerURLPattern("mgj://all/~") { calls.add("all", $0) }
    try module.registerURLPattern("mgj://u/:user-id/x", allowsFallback: false) { calls.add("user", $0) }
    for url in ["mgj://shop/a/b", "mgj://item/1", "mgj://list/1", "mgj://all/1", "mgj://u/1/x"] {
      #expect(host.openURL(url) == nil, "\(url)")
    }
    #expect(calls.names == ["shop", "item", "list", "all", "user"])
    #expect(calls.last?.path == ["user-id": "1"])
    let undeclared = [
      "mgj://", "mgj://~", "mgj://shopping", "mgj://shop/:id/x", "mgj://item/7", "mgj://list", "mgj://u/:a/y",
      "other://shop",
    ]
    for pattern in undeclared {
      expectPluginError(.routeUndeclared) { try module.registerURLPattern(pattern) { calls.add("x", $0) } }
      expectPluginError(.routeUndeclared) { try module.registerURLPattern(pattern, toObjectHandler: { _ in 1 }) }
      expectPluginError(.routeUndeclared) { try module.registerURLPatternOnMain(pattern, toHandler: { _ in }) }
      expectPluginError(.routeUndeclared) {
        try module.registerURLPatternOnMain(pattern, toObjectHandler: { _ in 1 })
      }
    }
    // What is below a pattern has to be declared, too, if the handler is to serve it.
    expectPluginError(.routeUndeclared) { try module.registerURLPattern("mgj://only") { calls.add("only", $0) } }
    try module.registerURLPattern("mgj://only", allowsFallback: false) { calls.add("only", $0) }
    #expect(host.canOpenURL("mgj://only") && !host.canOpenURL("mgj://only/x"))
    #expect(switchboard.table.map(\.owner) == Array(repeating: "com.example.shop", count: 6))
  }

  @Test("G6: the URLs of a refused module are refused; no handler above and no other module serves them")
  func refused() async throws {
    let calls = Calls()
    let above: MGJRouterHandler = { calls.add("above", $0) }
    try host.registerURLPattern("mgj://", toHandler: above)
    try host.registerURLPattern("mgj://", allowsFallback: true, toHandler: above)
    let heir = MGJRouter(try context(switchboard, "heir", ["mgj://bank", "mgj://bank/*", "mgj://bank/:id"]))
    try heir.registerURLPattern("mgj://bank") { calls.add("heir", $0) }
    try heir.registerURLPattern("mgj://bank/:id", allowsFallback: false) { calls.add("heir", $0) }
    try heir.registerURLPattern("mgj://bank/:id", allowsFallback: false, toObjectHandler: { _ in "heir" })
    switchboard.router.refuse(
      [try RoutePattern("mgj://bank"), try RoutePattern("mgj://bank/*")], of: .module("com.example.bank"),
      because: "digest.mismatch")
    let other = MGJRouter(try context(switchboard, "other", []))
    for router in [host, other, heir] {
      for url in ["mgj://bank", "mgj://bank/7", "mgj://bank/7/8", "bank", "MGJ://b%61nk"] {
        let error = await router.openURL(url) { _ in calls.add("completion", calls.last!) }
        #expect(error?.code == .routeModuleRefused && error?.found == "digest.mismatch", "\(url)")
        #expect(!router.canOpenURL(url) && !router.canOpenURL(url, matchExactly: true), "\(url)")
        #expect(await router.object(forURL: url) == nil, "\(url)")
        let onMain = await MainActor.run {
          (router.openURLOnMain(url)?.code, router.objectOnMain(forURL: url) == nil)
        }
        #expect(onMain == (.routeModuleRefused, true), "\(url)")
      }
    }
    #expect(calls.count == 0)
    // What is not the refused module's goes on.
    #expect(host.openURL(for: "mgj://else") == nil && calls.names == ["above"])
    switchboard.router.refuse([], of: .module("com.example.bank"), because: "")
    #expect(host.openURL(for: "mgj://bank") == nil && calls.names == ["above", "heir"])
  }

  @Test("G6: what a module has goes with it, and its router registers nothing more and takes nothing away")
  func removed() throws {
    let routes = ["mgj://shop", "mgj://shop/*", "mgj://object"]
    let shop = try context(switchboard, "shop", routes)
    let module = MGJRouter(shop)
    try module.registerURLPattern("mgj://shop") { _ in }
    try module.registerURLPattern("mgj://object", allowsFallback: false, toObjectHandler: { _ in 1 })
    #expect(host.openURL("mgj://shop/x") == nil && host.object(forURL: "mgj://object") as? Int == 1)
    switchboard.removeAll(ownedBy: shop.owner)
    #expect(switchboard.table.isEmpty)
    #expect(host.openURL("mgj://shop")?.code == .routeNotFound && host.object(forURL: "mgj://object") == nil)
    expectPluginError(.moduleRemoved) { try module.registerURLPattern("mgj://shop") { _ in } }
    #expect(!module.deregisterURLPattern("mgj://shop"))
    // The next release of it registers by a context of its own, which the old router does not disturb.
    switchboard.readmit(module: "com.example.shop")
    let next = MGJRouter(try context(switchboard, "shop", routes))
    try next.registerURLPattern("mgj://shop") { _ in }
    #expect(!module.deregisterURLPattern("mgj://shop"))
    #expect(host.openURL("mgj://shop") == nil)
    expectPluginError(.moduleRemoved) { try module.registerURLPattern("mgj://shop") { _ in } }
  }

  @Test("a pattern belongs to the owner who registered it first: no other replaces or removes it")
  func owners() throws {
    let calls = Calls()
    let one = MGJRouter(try context(switchboard, "one", ["mgj://x/:a", "mgj://y"]))
    let other = MGJRouter(try context(switchboard, "other", ["mgj://x/:a", "mgj://y"]))
    try one.registerURLPattern("mgj://x/:a", allowsFallback: false) { calls.add("one", $0) }
    for router in [other, host] {
      expectPluginError(.routeConflict) {
        try router.registerURLPattern("mgj://x/:a", allowsFallback: false) { calls.add("other", $0) }
      }
      #expect(!router.deregisterURLPattern("mgj://x/:a"))
    }
    try one.registerURLPattern("mgj://x/:a", allowsFallback: false) { calls.add("one again", $0) }
    #expect(other.openURL("mgj://x/1") == nil && calls.names == ["one again"])
    #expect(one.deregisterURLPattern("mgj://x/:b"))
    try other.registerURLPattern("mgj://x/:a", allowsFallback: false) { calls.add("other", $0) }
    #expect(one.openURL("mgj://x/1") == nil && calls.names == ["one again", "other"])
  }

  @Test("a handler learns who has opened its URL, and no module passes for the host or for another")
  func sender() async throws {
    let calls = Calls()
    try host.registerURLPattern("mgj://who") { calls.add("\($0.request.sender)", $0) }
    try host.registerURLPattern("mgj://who/object", toObjectHandler: { "\($0.request.sender)" })
    let module = MGJRouter(try context(switchboard, "one", []))
    await module.openURL("mgj://who", withUserInfo: ["signet.sender": "host"])
    #expect(calls.last?.userInfo == nil)
    await host.openURL("mgj://who", withUserInfo: ["signet.sender": "com.example.other", "k": 1])
    #expect(calls.last?.userInfo?.keys.sorted() == ["k"])
    await MainActor.run { _ = module.openURLOnMain("mgj://who") }
    #expect(calls.names == ["com.example.one", "host", "com.example.one"])
    #expect(await module.object(forURL: "mgj://who/object") as? String == "com.example.one")
    #expect(await host.object(forURL: "mgj://who/object") as? String == "host")
  }

  @Test("a module opens, asks and generates like a host, on the main actor, too")
  func calls() async throws {
    let shop = MGJRouter(try context(switchboard, "shop", ["mgj://view", "mgj://push", "mgj://id/:id"]))
    try shop.registerURLPatternOnMain(
      "mgj://view", allowsFallback: false, toObjectHandler: { _ in [1, 2] as [UInt8] })
    try shop.registerURLPatternOnMain("mgj://push", allowsFallback: false, toHandler: { $0.completion?("done") })
    try shop.registerURLPattern("mgj://id/:id", allowsFallback: false, toObjectHandler: { $0["id"] })
    let other = MGJRouter(try context(switchboard, "other", []))
    let limit = Duration.seconds(3600)
    #expect(await other.object(forURL: "mgj://view", limit: limit) as? [UInt8] == [1, 2])
    let url = try other.generateURL(withPattern: "mgj://id/:id", parameters: ["a b"])
    #expect(await other.object(forURL: url) as? String == "a b")
    let results = Mutex<[String]>([])
    #expect(
      await other.openURL("mgj://push", limit: limit) { result in results.withLock { $0 += ["\(result ?? "")"] } }
        == nil)
    let onMain = await Task { @MainActor in
      var done = ""
      let error = await other.openURLOnMain("mgj://push", limit: limit) { done = "\($0 ?? "")" }
      let object = await other.objectOnMain(forURL: "mgj://view", limit: limit) as? [UInt8]
      return error == nil && object == [1, 2] ? done : "failed"
    }.value
    #expect(results.withLock { $0 } == ["done"] && onMain == "done")
  }
}

extension MGJRouter {
  /// The form for threads, where the compiler would take the one for tasks.
  fileprivate func openURL(for url: String) -> PluginError? { openURL(url) }
}
