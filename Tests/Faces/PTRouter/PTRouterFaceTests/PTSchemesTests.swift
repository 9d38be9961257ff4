import PTLaunchFace
import PluginKit
import Testing

@testable import PTTestSupport

/// The use case of the four ways in which modules talk, with PTRouter's names: A-1 sends a name and an age, and C-2
/// answers.
@Suite("PTRouter's four ways") struct PTSchemesTests {
  private static func answer(_ values: [String: any Sendable]) -> String {
    "\(values["name"] ?? "")\(values["age"] ?? "")岁啦"
  }

  /// What C-2 offers by its protocol.
  private struct Service: Sendable {
    func answer(_ name: String, _ age: Int) -> String { PTSchemesTests.answer(["name": name, "age": age]) }
  }

  @Test(
    "CS1 CS2 CS3 CS4 CS5: C-2 answers A-1 by URL, by class, by container and by notification, until it is removed")
  func allFour() async throws {
    let switchboard = Switchboard()
    let asking = try context(switchboard, "com.example.a")
    let answering = try context(
      switchboard, "com.example.c", routes: ["InnerJump://c/answer"], targets: ["AnswerController": ["answer_"]],
      services: ["AnswerModule"])
    try PTRouter(answering).registerURL("InnerJump://c/answer") { url, callback in
      (url.params["block"] as? @Sendable (String) -> Void)?(Self.answer(url.params))
      callback(url.params["block"] != nil)
    }
    try PTInvocationHelper(answering).registerClass(
      "AnswerController", make: { true }, methods: PTMethods { $0.add("answer:") { Self.answer($1) } })
    try answering.provide(named: "AnswerModule") { Service() }
    try answering.observe(notification: "ask") { notification in
      (notification.userInfo["block"] as? @Sendable (String) -> Void)?(Self.answer(notification.userInfo))
    }
    try PTAppLaunchHelper(
      switchboard, .inProgram(["DataModules.plist": plist(["AnswerContainer": "AnswerModule"])])
    ).autoRegistDataModules()

    let heard = Heard()
    let block: @Sendable (String) -> Void = { heard.add($0) }
    let values: [String: any Sendable] = ["age": 5, "block": block]
    func ask() async throws -> [String] {
      heard.clear()
      await PTRouter(asking).openURL("InnerJump://c/answer?name=BJHL&age=4", param: values, limit: patience)
      let input: [String: any Sendable] = ["name": "BJHL", "age": 5]
      if let text = try? await PTInvocationHelper(asking).performClass(
        "AnswerController", selector: "answer:", params: input, limit: patience) as? String
      {
        heard.add(text)
      }
      if let module = await PTModuleContainer("AnswerContainer", Service.self, asking).module() {
        heard.add(module.answer("BJHL", 5))
      }
      try await asking.post("ask", userInfo: input.merging(["block": block]) { $1 })
      return heard.all
    }
    #expect(try await ask() == Array(repeating: "BJHL5岁啦", count: 4))
    switchboard.removeAll(ownedBy: .module("com.example.c"))
    #expect(try await ask().isEmpty)
    #expect(switchboard.table.allSatisfy { $0.owner == "host" && $0.kind == .service })
  }
}
