import CTMediatorFace
import CTMediatorHostFace
import PluginKit
import Testing

@Suite("CTMediator's rows: local calls") struct CTMediatorTests {
  /// A mediator over a host with a module that has `Target_BusinessC`.
  private func mediator() throws -> CTMediator {
    let switchboard = Switchboard()
    try TargetBusinessC.register(in: CT(switchboard.context(for: TargetBusinessC.declaration())))
    return CT(switchboard)
  }

  @Test("CT1 CS2: a target and an action are called by name, and the block that went along is called")
  func names() throws {
    let heard = Heard()
    let touchBlock: @Sendable (String) -> Void = { heard.add($0) }
    let result = try mediator().performTarget(
      "BusinessC", action: "getViewControllerC_2", params: ["name": "BJHL", "age": 5, "touchBlock": touchBlock],
      shouldCacheTarget: false)
    let controller = try #require(result as? ControllerC2)
    #expect(controller.text == "BJHL5岁啦")
    #expect(heard.all == [])
    controller.touch()
    #expect(heard.all == ["BJHL5岁啦"])
  }

  @Test("CT1: a class of a Swift module is reached by the module's name in the parameters, and only so")
  func swiftModule() throws {
    let switchboard = Switchboard()
    let mediator = CT(switchboard)
    let context = try switchboard.context(for: TargetBusinessC.declaration(target: "Shop.Target_BusinessC"))
    try TargetBusinessC.register(in: CT(context), module: "Shop")
    let key = kCTMediatorParamsKeySwiftTargetModuleName
    #expect(key == "kCTMediatorParamsKeySwiftTargetModuleName")
    #expect(
      mediator.performTarget("BusinessC", action: "echo", params: [key: "Shop"]) as? [String: String] == [key: "Shop"]
    )
    for (target, params) in [
      ("BusinessC", [:]), ("BusinessC", [key: "Other"]), ("BusinessC", [key: ""]), ("Shop.Target_BusinessC", [:]),
      ("Target_BusinessC", [key: "Shop"]), ("BusinessC", [key: 7]),
    ] as [(String, CTParams)] {
      #expect(code(mediator.outcome(target: target, action: "echo", params: params)) == .targetNotFound, "\(target)")
    }
    // A target without a module has a place of its own.
    try mediator.register("BusinessC", make: { 0 }) { $0.add("Action_echo:") { _, _ in "plain" } }
    #expect(mediator.performTarget("BusinessC", action: "echo", params: [key: ""]) as? String == "plain")
    #expect(mediator.performTarget("BusinessC", action: "echo", params: [key: "Shop"]) is CTParams)
  }

  @Test(
    "CT1: a method that is not named as an action's cannot be registered",
    arguments: ["show", "Action_show", "show:"])
  func methods(_ name: String) throws {
    expectCode(.targetName) {
      try CT(Switchboard()).register("A", make: { 0 }) { $0.add(name) { _, _ in nil } }
    }
    expectCode(.targetName) {
      try CT(Switchboard()).register("A", make: { 0 }) { $0.add("Action_:") { _, _ in nil } }
    }
  }

  @Test("CT2: without a target or an action there is no answer")
  func nilNames() throws {
    let mediator = try mediator()
    let calls: [(String?, String?)] = [
      (nil, "echo"), ("BusinessC", nil), (nil, nil), ("", "echo"), ("BusinessC", ""), ("a b", "echo"),
      ("BusinessC", "a:b"),
    ]
    for (target, action) in calls {
      #expect(mediator.performTarget(target, action: action, params: [:], shouldCacheTarget: true) == nil)
      #expect(code(mediator.outcome(target: target, action: action)) == .targetName, "\(target ?? "nil")")
    }
  }

  @Test("CT3: an instance is cached on request, and used until it is released by its full name")
  func cache() throws {
    let mediator = try mediator()
    func instance(caches: Bool) -> TargetBusinessC? {
      mediator.performTarget("BusinessC", action: "self", shouldCacheTarget: caches) as? TargetBusinessC
    }
    let fresh = try #require(instance(caches: false))
    #expect(instance(caches: false) !== fresh)
    let cached = try #require(instance(caches: true))
    #expect(cached !== fresh)
    #expect(instance(caches: true) === cached)
    // What is cached is used by a call that does not cache, too.
    #expect(instance(caches: false) === cached)
    for name in [
      "A", "BusinessC", "target_BusinessC", "Target_", "Target_Business", "Shop.Target_BusinessC", "", nil,
    ] {
      mediator.releaseCachedTarget(withFullTargetName: name)
      #expect(instance(caches: false) === cached, "\(name ?? "nil")")
    }
    mediator.releaseCachedTarget(withFullTargetName: "Target_BusinessC")
    let next = try #require(instance(caches: true))
    #expect(next !== cached)
    #expect(instance(caches: true) === next)
  }

  @Test("CT3: a target of a Swift module is released by its full name with the module")
  func cacheOfModule() throws {
    let mediator = CT(Switchboard())
    try TargetBusinessC.register(in: mediator, module: "Shop")
    try TargetBusinessC.register(in: mediator)
    func instance(_ module: String?) -> TargetBusinessC? {
      var params: CTParams = [:]
      params[kCTMediatorParamsKeySwiftTargetModuleName] = module
      return mediator.performTarget("BusinessC", action: "self", params: params, shouldCacheTarget: true)
        as? TargetBusinessC
    }
    let (plain, qualified) = (try #require(instance(nil)), try #require(instance("Shop")))
    #expect(plain !== qualified)
    mediator.releaseCachedTarget(withFullTargetName: "Target_BusinessC")
    #expect(instance(nil) !== plain)
    #expect(instance("Shop") === qualified)
    mediator.releaseCachedTarget(withFullTargetName: "Shop.Target_BusinessC")
    #expect(instance("Shop") !== qualified)
  }

  @Test("CT4: notFound: answers with the parameters for actions that the target lacks, and the instance stays cached")
  func notFound() throws {
    let mediator = CT(Switchboard())
    let heard = Heard()
    try mediator.onNoTarget { _ in heard.add("no target") }
    try mediator.register("T", make: { TargetBusinessC() }) { actions in
      actions.add("Action_self:", TargetBusinessC.itself)
      actions.notFound(TargetBusinessC.notFound)
    }
    let cached = mediator.performTarget("T", action: "self", shouldCacheTarget: true) as? TargetBusinessC
    let answer = mediator.performTarget("T", action: "other", params: ["k": "v"], shouldCacheTarget: true)
    #expect(answer as? String == "v is answered")
    #expect(heard.all == [])
    #expect(mediator.performTarget("T", action: "self") as? TargetBusinessC === cached)
    // It also caches by itself.
    mediator.releaseCachedTarget(withFullTargetName: "Target_T")
    mediator.performTarget("T", action: "other", shouldCacheTarget: true)
    let kept = mediator.performTarget("T", action: "self") as? TargetBusinessC
    #expect(mediator.performTarget("T", action: "self") as? TargetBusinessC === kept)
  }

  @Test("CT5 D23: a missing target or action is told with three keys, gives nil, and evicts nothing")
  func noTarget() throws {
    let mediator = try mediator()
    let cached = mediator.performTarget("BusinessC", action: "self", shouldCacheTarget: true) as? TargetBusinessC
    // Nobody hears it: nothing happens.
    #expect(mediator.performTarget("Nope", action: "x", params: ["k": 1]) == nil)
    let heard = Heard()
    try mediator.onNoTarget { info in
      #expect(Set(info.keys) == ["originParams", "targetString", "selectorString"])
      heard.add("\(info["targetString"] ?? "") \(info["selectorString"] ?? "") \(info["originParams"] ?? "")")
    }
    #expect(mediator.performTarget("Nope", action: "x", params: ["k": 1]) == nil)
    #expect(code(mediator.outcome(target: "Nope", action: "x")) == .targetNotFound)
    let key = kCTMediatorParamsKeySwiftTargetModuleName
    #expect(mediator.performTarget("Nope", action: "x", params: [key: "Shop"]) == nil)
    #expect(mediator.performTarget("Shop.Nope", action: "x") == nil)
    #expect(mediator.performTarget("BusinessC", action: "x", shouldCacheTarget: true) == nil)
    #expect(code(mediator.outcome(target: "BusinessC", action: "x")) == .actionNotFound)
    #expect(
      heard.all == [
        "Target_Nope Action_x: [\"k\": 1]", "Target_Nope Action_x: [:]",
        "Shop.Target_Nope Action_x: [\"\(key)\": \"Shop\"]", "Target_Shop.Nope Action_x: [:]",
        "Target_BusinessC Action_x: [:]", "Target_BusinessC Action_x: [:]",
      ])
    // The original dropped it here.
    #expect(mediator.performTarget("BusinessC", action: "self") as? TargetBusinessC === cached)
    try mediator.onNoTarget(nil)
    #expect(mediator.performTarget("Nope", action: "x") == nil)
    #expect(heard.all.count == 6)
  }

  @Test("CT5: a module hears of its own calls, and the host of all")
  func noTargetOfModule() throws {
    let switchboard = Switchboard()
    let context = try switchboard.context(for: ModuleDeclaration(identifier: "com.example.m"))
    let (host, module) = (Heard(), Heard())
    try CT(switchboard).onNoTarget { host.add("\($0["targetString"] ?? "")") }
    try CT(context).onNoTarget { module.add("\($0["targetString"] ?? "")") }
    CT(context).performTarget("ByModule", action: "x")
    CT(switchboard).performTarget("ByHost", action: "x")
    #expect(host.all == ["Target_ByModule", "Target_ByHost"])
    #expect(module.all == ["Target_ByModule"])
    switchboard.removeAll(ownedBy: context.owner)
    CT(context).performTarget("Late", action: "x")
    #expect(module.all == ["Target_ByModule"])
    expectCode(.moduleRemoved) { try CT(context).onNoTarget { _ in } }
  }

  struct Size: Sendable, Equatable { var width = 1.0 }

  @Test("CT6: a result is of any type, and a method without a result gives none")
  func results() throws {
    final class Target: Sendable {
      func int(_ params: CTParams) -> Int { -7 }
      func bool(_ params: CTParams) -> Bool { true }
      func double(_ params: CTParams) -> Double { 1.5 }
      func uint(_ params: CTParams) -> UInt { .max }
      func text(_ params: CTParams) -> String { "text" }
      func size(_ params: CTParams) -> Size { Size() }
      func nothing(_ params: CTParams) { _ = params.count }
      func none(_ params: CTParams) -> String? { nil }
      func some(_ params: CTParams) -> String? { "some" }
      func fails(_ params: CTParams) throws -> Int { throw CancellationError() }
    }
    let mediator = CT(Switchboard())
    try mediator.register("T", make: { Target() }) { actions in
      actions.add("Action_int:", Target.int)
      actions.add("Action_bool:", Target.bool)
      actions.add("Action_double:", Target.double)
      actions.add("Action_uint:", Target.uint)
      actions.add("Action_text:", Target.text)
      actions.add("Action_size:", Target.size)
      actions.add("Action_nothing:", Target.nothing)
      actions.add("Action_none:", Target.none)
      actions.add("Action_some:", Target.some)
      actions.add("Action_fails:", Target.fails)
      actions.add("Action_block:") { target, params in target.nothing(params) }
    }
    func result(_ action: String) -> (any Sendable)? { mediator.performTarget("T", action: action) }
    #expect(result("int") as? Int == -7)
    #expect(result("bool") as? Bool == true)
    #expect(result("double") as? Double == 1.5)
    #expect(result("uint") as? UInt == .max)
    #expect(result("text") as? String == "text")
    #expect(result("size") as? Size == Size())
    #expect(result("some") as? String == "some")
    for action in ["nothing", "none", "block", "fails"] { #expect(result(action) == nil, "\(action)") }
    for action in ["nothing", "none", "block"] {
      #expect(code(mediator.outcome(target: "T", action: action)) == nil, "\(action)")
    }
    #expect(code(mediator.outcome(target: "T", action: "fails")) == .actionFailed)
  }

  @Test("CT9: check says whether a target is there: that of a refused, missing or removed module is not")
  func check() throws {
    let switchboard = Switchboard()
    let mediator = CT(switchboard)
    #expect(!mediator.check("BusinessC"))
    let context = try switchboard.context(for: TargetBusinessC.declaration())
    try TargetBusinessC.register(in: CT(context))
    #expect(mediator.check("BusinessC"))
    #expect(mediator.check("BusinessC", moduleName: ""))
    #expect(!mediator.check("BusinessC", moduleName: "Shop"))
    #expect(!mediator.check("Target_BusinessC"))
    #expect(!mediator.check(nil))
    #expect(!mediator.check(nil, moduleName: "Shop"))
    try TargetBusinessC.register(in: mediator, module: "Shop")
    #expect(mediator.check("BusinessC", moduleName: "Shop"))
    switchboard.removeAll(ownedBy: context.owner)
    #expect(!mediator.check("BusinessC"))
    switchboard.refuse(targets: ["BusinessC"], of: context.owner, because: "was changed")
    #expect(!mediator.check("BusinessC"))
    #expect(code(mediator.outcome(target: "BusinessC", action: "echo")) == .targetModuleRefused)
  }

  @Test("CT10: each mediator of your own has a cache of its own, which ends with it")
  func apart() throws {
    let switchboard = Switchboard()
    try TargetBusinessC.register(in: CT(switchboard))
    func instance(_ mediator: CTMediator, caches: Bool = true) -> TargetBusinessC? {
      mediator.performTarget("BusinessC", action: "self", shouldCacheTarget: caches) as? TargetBusinessC
    }
    let (one, other) = (CTMediator(switchboard), CTMediator(switchboard))
    let ofOne = try #require(instance(one))
    let ofOther = try #require(instance(other))
    #expect(ofOne !== ofOther)
    #expect(instance(one, caches: false) === ofOne)
    #expect(instance(other, caches: false) === ofOther)
    // The shared one has another, which all that are shared use.
    let shared = try #require(instance(CT(switchboard)))
    #expect(shared !== ofOne && shared !== ofOther)
    #expect(instance(CT(switchboard), caches: false) === shared)
    one.releaseCachedTarget(withFullTargetName: "Target_BusinessC")
    #expect(instance(one) !== ofOne)
    #expect(instance(other) === ofOther)
    #expect(instance(CT(switchboard)) === shared)
    CT(switchboard).releaseCachedTarget(withFullTargetName: "Target_BusinessC")
    #expect(instance(other) === ofOther)
    weak var last: TargetBusinessC?
    do {
      let passing = CTMediator(switchboard)
      last = instance(passing)
      #expect(last != nil)
    }
    #expect(last == nil)
  }

  @Test("CT10: modules share the host's cache by CT, and keep instances for themselves in mediators of their own")
  func modules() throws {
    let switchboard = Switchboard()
    try TargetBusinessC.register(in: CT(switchboard))
    let context = try switchboard.context(for: ModuleDeclaration(identifier: "com.example.m"))
    func instance(_ mediator: CTMediator, caches: Bool = true) -> TargetBusinessC? {
      mediator.performTarget("BusinessC", action: "self", shouldCacheTarget: caches) as? TargetBusinessC
    }
    let shared = try #require(instance(CT(switchboard)))
    #expect(instance(CT(context)) === shared)
    let own = CTMediator(context)
    weak let kept = instance(own)
    #expect(kept != nil && kept !== shared)
    #expect(instance(own, caches: false) === kept)
    // What a module keeps goes with it, and it keeps nothing more.
    switchboard.removeAll(ownedBy: context.owner)
    #expect(kept == nil)
    #expect(instance(own) !== instance(own))
    #expect(instance(CT(switchboard)) === shared)
  }

  @Test("a call says whose it is: the host's, or the module's by whatever mediator it has")
  func sender() throws {
    let switchboard = Switchboard()
    try switchboard.targets.register("T", owner: .host, make: { 0 }) { actions in
      actions.add("who") { _, input in "\(input.sender)" }
    }
    let context = try switchboard.context(for: ModuleDeclaration(identifier: "com.example.m"))
    #expect(CT(switchboard).performTarget("T", action: "who") as? String == "host")
    for mediator in [CT(context), CTMediator(context)] {
      #expect(mediator.performTarget("T", action: "who") as? String == "com.example.m")
      #expect(mediator.performAction(withUrl: "aaa://T/who") as? String == "com.example.m")
    }
  }
}
