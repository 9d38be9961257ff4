import CSignetPlugin
import Testing

@testable import PluginKit

@Suite("refused modules' URLs") struct RefusalTests {
  private func owner(_ number: Int) -> ModuleOwner { .module("com.example.m\(number)") }

  private func refuse(_ router: Router, _ number: Int, _ patterns: [String], because reason: String) throws {
    try router.refuse(patterns.map { try RoutePattern($0) }, of: owner(number), because: reason)
  }

  private func reason(_ router: Router, _ url: String) -> String? {
    do {
      _ = try router.match(url)
      return nil
    } catch { return error.code == .routeModuleRefused ? error.found : "\(error.code)" }
  }

  @Test("of several that are refused for one place the first is told, then the next, until all are accepted")
  func order() throws {
    let router = Router()
    for number in 0..<4 { try refuse(router, number, ["ui://x(/:a)"], because: "reason \(number)") }
    #expect(reason(router, "ui://x/1") == "reason 0")
    // Whoever is refused again stands behind the others.
    try refuse(router, 0, ["ui://x", "ui://y"], because: "again")
    #expect(reason(router, "ui://x/1") == "reason 1")
    #expect(reason(router, "ui://y") == "again")
    router.refuse([], of: owner(2), because: "")
    router.removeAll(ownedBy: owner(1))
    #expect(reason(router, "ui://x/1") == "reason 3")
    router.refuse([], of: owner(3), because: "")
    #expect(reason(router, "ui://x/1") == "route.not-found")
    #expect(reason(router, "ui://x") == "again")
    router.refuse([], of: owner(0), because: "")
    #expect(reason(router, "ui://x") == "route.not-found")
  }

  @Test("a plugin in C hears that what a refused module has is not found, as what nobody has")
  func statuses() throws {
    let (router, targets) = (Router(), Targets())
    try refuse(router, 0, ["ui://x"], because: "reason")
    targets.refuse(["Player"], of: owner(0), because: "reason")
    func status(_ call: () throws(PluginError) -> Void) -> Int32? {
      do { try call() } catch { return EntryContext.status(of: error) }
      return nil
    }
    for url in ["ui://x", "ui://y"] {
      #expect(status { () throws(PluginError) in try router.open(url) } == Int32(SIGNET_ERROR_NOT_FOUND))
    }
    for target in ["Player", "Other"] {
      let found = status { () throws(PluginError) in try targets.perform("play", on: target) }
      #expect(found == Int32(SIGNET_ERROR_NOT_FOUND))
    }
  }

  @Test("a target that two refused modules have is refused until both are accepted")
  func targets() throws {
    let targets = Targets()
    for number in 0..<2 { targets.refuse(["Player"], of: owner(number), because: "reason \(number)") }
    func found() -> String? {
      do { return try targets.perform("play", on: "Player") as? String } catch {
        return error.code == .targetModuleRefused ? error.found : "\(error.code)"
      }
    }
    #expect(found() == "reason 0")
    targets.refuse([], of: owner(0), because: "")
    #expect(found() == "reason 1")
    expectPluginError(.targetConflict) { try targets.register("Player", owner: owner(0), make: { true }) { _ in } }
    targets.removeAll(ownedBy: owner(1))
    #expect(found() == "target.not-found")
  }

  @Test("a target that came before that of a refused module stays, as it would if the module were accepted")
  func earlierTarget() throws {
    for isRefused in [false, true] {
      let targets = Targets()
      try targets.register("Player", owner: owner(1), make: { true }) { actions in
        actions.add("play") { _, _ in "the earlier one" }
      }
      if isRefused {
        targets.refuse(["Player"], of: owner(0), because: "reason")
      } else {
        expectPluginError(.targetConflict) {
          try targets.register("Player", owner: owner(0), make: { true }) { _ in }
        }
      }
      #expect(try targets.perform("play", on: "Player") as? String == "the earlier one")
      targets.removeAll(ownedBy: owner(1))
      expectPluginError(isRefused ? .targetModuleRefused : .targetNotFound) {
        try targets.perform("play", on: "Player")
      }
    }
  }

  @Test("refusing all modules again looks at what changes, not at all that is refused")
  func work() throws {
    var places = RefusedPlaces()
    let patterns = try (0..<10).map { try RoutePattern("ui://shared/\($0)") }
    let modules = 500
    var current: [ModuleOwner: Int] = [:]
    var number = 0
    var looks = 0
    for round in 0..<3 {
      for module in 0..<modules {
        let owner = owner(module)
        if round > 0 {
          current[owner] = nil
          for pattern in patterns {
            places.remove(pattern) { claim in
              looks += 1
              return current[claim.owner] == claim.number
            }
          }
        }
        number += 1
        current[owner] = number
        for pattern in patterns { places.add(pattern, Claims.Claim(owner: owner, number: number)) }
      }
    }
    // Two rounds of removals: each claim is looked at some times, and never once for each of the others.
    #expect(looks <= 2 * modules * patterns.count * 4, "\(looks) looks")
    #expect(places.match(try PluginURL("ui://shared/3"))?.claim.owner == owner(0))
  }

  @Test("a tree has nodes only where patterns part, and none is left of what is gone")
  func nodes() throws {
    var level = RouteLevel(priority: 0)
    let texts = (0..<1000).map { "ui://shop\($0 % 7)/section\($0)/:kind/detail/:page" }
    let shapes = try texts.flatMap { try RoutePattern($0).shapes }
    for (number, shape) in shapes.enumerated() {
      level.insert(RouteSlot(shape: shape, entry: Int32(number), allowsFallback: false))
    }
    // The scheme, and the seven shops.
    #expect(level.nodeCount == 8)
    for (number, shape) in shapes.enumerated() { #expect(level.slot(of: shape)?.entry == Int32(number)) }
    for shape in shapes.dropLast() { level.remove(shape) }
    #expect(level.nodeCount == 0)
    #expect(level.find(RouteKey(scheme: "ui"), ["shop5", "section999", "a", "detail", "b"])?.entry == 999)
    #expect(level.find(RouteKey(scheme: "ui"), ["shop5", "section999", "a", "detail"]) == nil)
    level.remove(try RoutePattern("ui://shop5").shapes[0])
    level.remove(shapes[998])
    #expect(!level.isEmpty)
    level.remove(shapes[999])
    #expect(level.isEmpty)
  }
}
