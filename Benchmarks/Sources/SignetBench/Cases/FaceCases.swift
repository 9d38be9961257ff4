internal import CTMediatorFace
internal import HSLinkFace
internal import JLRoutesFace
internal import MGJRouterFace
internal import PACoreFace
internal import PTRouterFace
internal import PluginHost
internal import PluginKit
internal import SmallRuntimeFace

/// A call with the names of another system, beside the same call with PluginKit's own names.
///
/// Both sides ask a handler of their own for the same two values, which come with the call or in its URL.
enum FaceCases {
  /// How many times as long a call may take with the names of another system.
  private static let budget = 1.5
  private static let calls = 20_000
  private static let pairs = 5

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let board = Switchboard()
    let faces = [try jlRoutes(board), try mgjRouter(board), try ptRouter(board), try paCore(board)]
    let targets = [try ctMediator(board), try ctMediatorByURL(board), try hsLink(board)]
    return try (faces + targets + small(workshop)).map {
      try $0.run(rounds: options.rounds, of: pairs, patience: options.patience)
    }
  }

  private static func comparison(
    _ call: String, _ face: @escaping () throws -> Bool, core: String, _ own: @escaping () throws -> Bool
  ) throws -> Comparison {
    func checked(_ name: String, _ body: @escaping () throws -> Bool) -> Contender {
      Contender(name, calls: calls) {
        guard try body() else { throw BenchFailure(message: "\(name) was not answered") }
      }
    }
    return Comparison(
      "a call with the names of another system", checked(call, face), against: checked(core, own), budget: budget,
      note: "\(calls) calls a run")
  }

  // MARK: By URL

  private static func jlRoutes(_ board: Switchboard) throws -> Comparison {
    let router = JLRouter(board)
    try router.routes(forScheme: "jl").addRoute("/shop/item/:id") { parameters in
      parameters["id"] as? String == "7" && parameters["from"] as? String == "home"
    }
    return try comparison(
      "JLRoutes.routeURL", { router.routeURL("jl://shop/item/7?from=home") }, core: "Router.open",
      try open(board, "jlcore://shop/item/:id", "jlcore://shop/item/7?from=home"))
  }

  private static func mgjRouter(_ board: Switchboard) throws -> Comparison {
    let router = MGJRouter(board)
    try router.registerURLPattern("mgj://shop/item/:id") { parameters in
      guard parameters["id"] as? String == "7", parameters["from"] as? String == "home" else {
        throw BenchFailure(message: "a wrong value")
      }
    }
    return try comparison(
      "MGJRouter.openURL", { router.openURL("mgj://shop/item/7?from=home") == nil }, core: "Router.open",
      try open(board, "mgjcore://shop/item/:id", "mgjcore://shop/item/7?from=home"))
  }

  private static func ptRouter(_ board: Switchboard) throws -> Comparison {
    let router = PTRouter(board)
    try router.registerURL("pt://shop/item") { url, callback in
      callback(url.params["id"] as? String == "7" && url.params["from"] as? String == "home")
    }
    try board.router.register(RoutePattern("ptcore://shop/item"), owner: .host) { request, reply in
      reply.answer(request["id"] as? String == "7" && request["from"] as? String == "home")
    }
    return try comparison(
      "PTRouter.openURL", { router.openURL("pt://shop/item?id=7&from=home") }, core: "Router.open",
      { try board.router.open("ptcore://shop/item?id=7&from=home") as? Bool == true })
  }

  private static func paCore(_ board: Switchboard) throws -> Comparison {
    let bus = PABusAccessor(Provider(board.router))
    try board.router.register(RoutePattern("ui://item"), owner: .host) { request in
      let uri = PAURI(request.url)
      return uri.params?["id"] == "7" && uri.params?["from"] == "home"
    }
    return try comparison(
      "PABusAccessor.resource", { bus.resource("ui://item?id=7&from=home") as? Bool == true }, core: "Router.open",
      try open(board, "uicore://item", "uicore://item?id=7&from=home"))
  }

  /// Opens what a bus is asked for with the router, as the manager of a host's modules does.
  private struct Provider: PABundleProvider {
    private let router: Router

    init(_ router: Router) { self.router = router }

    func bundleDelegate(for uri: PAURI) -> (any PABundleDelegate)? { nil }

    func resource(_ uri: PAURI) throws -> (any Sendable)? { try router.open(uri) }
  }

  /// An action. Small has a host of its own; no module is in it.
  private static func small(_ workshop: Workshop) throws -> [Comparison] {
    #if canImport(Glibc)
      guard let modules = try ModuleMaker(workshop.signet) else { return [] }
      try modules.install([], into: "small.store")
      let host = try PluginHost(policy: modules.policy, store: "small.store")
      let small = Small(host, Small.Configuration(main: "small.app", documents: "small.documents", version: "1.0"))
      try small.registerAction("share") { _, parameters in
        guard parameters?["id"] == "7", parameters?["from"] == "home" else {
          throw BenchFailure(message: "a wrong value")
        }
      }
      let url = "small://share?id=7&from=home"
      let call = {
        if case .action = try small.openUri(url) { return true }
        return false
      }
      // A URI of Small is relative to a base, whether it uses that or not.
      let router = host.switchboard.router
      _ = try open(host.switchboard, "smallcore://share", "")
      let own = {
        let url = try PluginURL.resolve("smallcore://share?id=7&from=home", against: "ui://")
        return try router.open(url) as? Bool == true
      }
      return [try comparison("Small.openUri", call, core: "PluginURL.resolve, Router.open", own)]
    #else
      return []
    #endif
  }

  /// Registers a route of the core's own, and opens it.
  private static func open(_ board: Switchboard, _ pattern: String, _ url: String) throws -> () throws -> Bool {
    try board.router.register(RoutePattern(pattern), owner: .host) { request in
      request["id"] as? String == "7" && request["from"] as? String == "home"
    }
    return { try board.router.open(url) as? Bool == true }
  }

  // MARK: By the name of a target

  private struct Shop: Sendable {
    func price(_ values: [String: any Sendable]) -> Int? {
      values["name"] as? String == "tea" ? values["count"] as? Int : nil
    }
  }

  private static let values: [String: any Sendable] = ["name": "tea", "count": 7]

  private static func ctMediator(_ board: Switchboard) throws -> Comparison {
    try board.targets.register("Shop", owner: .host, make: { Shop() }) { actions in
      actions.add("price") { shop, input in shop.price(input.values) }
    }
    let mediator = CT(board)
    return try comparison(
      "CTMediator.performTarget", { mediator.performTarget("Shop", action: "price", params: values) as? Int == 7 },
      core: "Targets.perform",
      { try board.targets.perform("price", on: "Shop", with: ActionInput(values)) as? Int == 7 })
  }

  private static func ctMediatorByURL(_ board: Switchboard) throws -> Comparison {
    try board.targets.register("Stock", owner: .host, make: { Shop() }) { actions in
      actions.add("count") { _, input in Int(input.text("count") ?? "") }
    }
    let mediator = CT(board)
    let url = "aaa://Stock/count?name=tea&count=7"
    return try comparison(
      "CTMediator.performAction", { mediator.performAction(withUrl: url) as? Int == 7 },
      core: "Targets.perform, by URL", { try board.targets.perform(url) as? Int == 7 })
  }

  private static func hsLink(_ board: Switchboard) throws -> Comparison {
    try board.targets.register("Supply", owner: .host, make: { Shop() }) { actions in
      actions.add("price", taking: Int.self) { _, count in count }
    }
    let link = HSLinkClass(board)
    return try comparison(
      "HSLinkClass.callObject",
      { link.callObject(class: "Supply", method: "price:", param: 7).value as? Int == 7 },
      core: "Targets.perform, with one value",
      { try board.targets.perform("price", on: "Supply", value: 7) as? Int == 7 })
  }
}
