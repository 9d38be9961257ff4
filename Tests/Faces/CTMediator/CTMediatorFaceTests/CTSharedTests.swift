import CTMediatorHostFace
import PluginKit
import Testing

/// The mediator of the process. Tests that set it run one after another.
@Suite("CTMediator's shared instance", .serialized) struct CTSharedTests {
  @Test("CT10: CT() is the shared instance, which finds what the host has, and nothing before")
  func shared() throws {
    #expect(CT() === CTMediator.sharedInstance())
    #expect(CT().performTarget("BusinessC", action: "echo") == nil)
    #expect(code(CT().outcome(target: "BusinessC", action: "echo")) == .targetNotFound)
    #expect(!CT().check("BusinessC"))
    #expect(CT().topViewController() == nil)
    expectCode(.targetNotFound) { try CT().onNoTarget { _ in } }
    let switchboard = Switchboard()
    CTMediator.use(switchboard)
    defer { CTMediator.use(nil) }
    try TargetBusinessC.register(in: CT())
    #expect(switchboard.targets.hasTarget("BusinessC"))
    let cached = CT().performTarget("BusinessC", action: "self", shouldCacheTarget: true) as? TargetBusinessC
    #expect(cached != nil)
    #expect(CTMediator.sharedInstance().performTarget("BusinessC", action: "self") as? TargetBusinessC === cached)
    #expect(CTMediator(switchboard).performTarget("BusinessC", action: "self") as? TargetBusinessC !== cached)
  }

  @Test("CT11: a wrapper hides the names, and gives a placeholder if the module is absent or gives another type")
  func category() throws {
    let switchboard = Switchboard()
    CTMediator.use(switchboard)
    defer { CTMediator.use(nil) }
    #expect(CT().businessCController(name: "BJHL", age: 5).text == "placeholder")
    let context = try switchboard.context(for: TargetBusinessC.declaration())
    try TargetBusinessC.register(in: CT(context))
    #expect(CT().businessCController(name: "BJHL", age: 5).text == "BJHL5岁啦")
    switchboard.removeAll(ownedBy: context.owner)
    #expect(CT().businessCController(name: "BJHL", age: 5).text == "placeholder")
    try CT().register("BusinessC", make: { 0 }) { $0.add("Action_getViewControllerC_2:") { _, _ in "a text" } }
    #expect(CT().businessCController(name: "BJHL", age: 5).text == "placeholder")
  }
}

/// What the team of BusinessC gives to its callers.
extension CTMediator {
  fileprivate func businessCController(name: String, age: Int) -> ControllerC2 {
    performTarget("BusinessC", action: "getViewControllerC_2", params: ["name": name, "age": age]) as? ControllerC2
      ?? ControllerC2("placeholder", nil)
  }
}
