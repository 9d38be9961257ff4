import PluginKit
import Testing

@Suite("looking targets up") struct TargetLookupTests {
  @Test("a target has an action if a call would reach one, and that of a refused or removed module has none")
  func actions() throws {
    let switchboard = Switchboard()
    let module = switchboard.context(
      for: try ModuleDeclaration(
        identifier: "com.example.a", targets: ["Player": ["play": true], "All": ["x": false]]))
    try module.register(target: "Player", make: { true }) { $0.add("play", isLocal: true) { _, _ in nil } }
    try module.register(target: "All", make: { true }) { $0.notFound { _, name, _ in name } }
    func has(_ action: String, _ target: String) -> Bool {
      let has = switchboard.targets.hasAction(action, on: target)
      #expect(module.hasAction(action, on: target) == has)
      return has
    }
    #expect(has("play", "Player") && has("x", "All") && has("anything", "All"))
    #expect(!has("stop", "Player") && !has("play", "Nobody") && !has("", ""))
    switchboard.removeAll(ownedBy: .module("com.example.a"))
    #expect(!has("play", "Player") && !has("x", "All"))
    switchboard.refuse(targets: ["Player"], of: .module("com.example.a"), because: "its signer is not trusted")
    #expect(!has("play", "Player"))
  }
}
