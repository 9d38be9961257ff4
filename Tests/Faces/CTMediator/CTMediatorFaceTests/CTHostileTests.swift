import CTMediatorFace
import PluginKit
import Testing

@Suite("CTMediator and hostile texts") struct CTHostileTests {
  private static let texts = [
    String(repeating: "A", count: 100_000), "A\u{0}", "A\n", "../A", "A/../B", "Target_", ".Target_A", "Shop.", "..",
    ".",
    "A:", ":", "A?x", "A#x", "%41", "\u{202e}A", "Å", "A\u{301}", "", " ", "_", "Target_Target_A", "notFound",
    "notFound:",
    "Action_show:", "class", "init", "dealloc", "0A", "-A",
  ]

  @Test("no text reaches what it does not name", arguments: texts)
  func reaches(_ text: String) throws {
    let mediator = CT(Switchboard())
    let heard = Heard()
    for module in [nil, "Shop"] {
      try mediator.register("A", in: module, make: { 0 }) { actions in
        actions.add("Action_show:") { _, _ in heard.add("shown") }
      }
    }
    let key = kCTMediatorParamsKeySwiftTargetModuleName
    var named = 0
    for (target, action, params) in [
      (text, "show", [:]), ("A", text, [:]), (text, text, [:]), (text, "show", [key: text]),
      (text, "show", [key: "Shop"]),
    ] as [(String, String, CTParams)] {
      let failure = code(mediator.outcome(target: target, action: action, params: params))
      #expect([.targetName, .targetNotFound, .actionNotFound].contains(failure), "\(text.prefix(20))")
      #expect(!mediator.check(target, moduleName: params[key] as? String) || target == "A", "\(text.prefix(20))")
    }
    for url in ["aaa://\(text)/show", "aaa://A/\(text)", "aaa://A/show/\(text)", "\(text)://A/shown", text] {
      // These two name the action by the rules of URLs: a part is decoded once, and one slash at the end is ignored.
      let isNamed = ["aaa://%41/show", "aaa://A/show/"].contains(url)
      #expect((code(mediator.outcome(of: url)) == nil) == isNamed, "\(url.prefix(30))")
      if isNamed { named += 1 }
    }
    mediator.releaseCachedTarget(withFullTargetName: text)
    #expect(heard.all.count == named)
    #expect(mediator.check("A") && mediator.check("A", moduleName: "Shop"))
  }

  @Test(
    "a name that the core cannot have cannot be registered",
    arguments: ["", "a b", "ü", "A:", String(repeating: "A", count: 129)])
  func registering(_ name: String) {
    expectCode(.targetName) { try CT(Switchboard()).register(name, make: { 0 }) { _ in } }
    expectCode(.targetName) {
      try CT(Switchboard()).register("A", make: { 0 }) { $0.add("Action_\(name):") { _, _ in nil } }
    }
    guard !name.isEmpty else { return }
    expectCode(.targetName) { try CT(Switchboard()).register("A", in: name, make: { 0 }) { _ in } }
  }

  @Test("calls that call each other end")
  func depth() throws {
    let mediator = CT(Switchboard())
    try mediator.register("A", make: { 0 }) { actions in
      actions.add("Action_again:") { _, _ in try mediator.outcome(target: "A", action: "again").get() }
    }
    #expect(code(mediator.outcome(target: "A", action: "again")) == .actionTooDeep)
  }
}
