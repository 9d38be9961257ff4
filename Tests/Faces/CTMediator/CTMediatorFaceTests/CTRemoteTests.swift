import CTMediatorFace
import PluginKit
import Testing

@Suite("CTMediator's rows: calls by URL") struct CTRemoteTests {
  private func mediator() throws -> CTMediator {
    let mediator = CT(Switchboard())
    for name in ["targetA", "A"] {
      try mediator.register(name, make: { TargetBusinessC() }) { actions in
        actions.add("Action_actionB:") { _, params in ["targetA.actionB", params] as [any Sendable] }
        actions.add("Action_echo:", TargetBusinessC.echo)
        actions.add("Action_self:", TargetBusinessC.itself)
        actions.add("Action_nothing:") { _, _ in nil }
        actions.add("Action_nativePresentImage:", TargetBusinessC.nativePresentImage)
        actions.add("Action_nativeX:", TargetBusinessC.nativePresentImage)
        actions.add("Action_secret:", isLocal: true) { _, _ in "secret" }
        actions.add("Action_showAlert:") { _, _ in "alert" }
      }
    }
    return mediator
  }

  @Test("CT7: a URL names the target, the action and the parameters")
  func url() throws {
    let mediator = try mediator()
    let result = mediator.performAction(withUrl: "aaa://targetA/actionB?id=1234") as? [any Sendable]
    #expect(result?.first as? String == "targetA.actionB")
    #expect(result?.last as? [String: String] == ["id": "1234"])
    #expect(mediator.performAction(withUrl: "aaa://targetB/actionB?id=1234") == nil)
    #expect(mediator.performAction(withUrl: "aaa://targetA/actionC?id=1234") == nil)
  }

  @Test(
    "CT7: a parameter without a value is skipped, the last of a name counts, and each part is decoded once",
    arguments: [
      ("?k", [:]), ("?k=", ["k": ""]), ("?p=a%20b", ["p": "a b"]), ("?d=1&d=2", ["d": "2"]), ("", [:]), ("?", [:]),
      ("?a=1&k&b=2", ["a": "1", "b": "2"]), ("?p=%2541", ["p": "%41"]), ("?u=a%3Fb%3Dc%26d", ["u": "a?b=c&d"]),
      ("?a=b=c", ["a": "b=c"]), ("#?a=1", ["a": "1"]), ("?a=1#b", ["a": "1"]), ("?名=%E5%B2%81", ["名": "岁"]),
    ] as [(String, [String: String])])
  func parameters(_ query: String, _ expected: [String: String]) throws {
    #expect(try mediator().performAction(withUrl: "aaa://A/echo" + query) as? [String: String] == expected)
  }

  /// What a completion gets, and how often.
  private func completion(_ url: String?) throws -> [CTParams?] {
    var got: [CTParams?] = []
    try mediator().performAction(withUrl: url) { got.append($0) }
    return got
  }

  @Test("CT7 D23: a completion is called exactly once, with the result or with nil")
  func completions() throws {
    let done = try completion("aaa://A/echo?id=1")
    #expect(done.count == 1)
    #expect(done.first??.keys.map { $0 } == ["result"])
    #expect(done.first??["result"] as? [String: String] == ["id": "1"])
    // What gives nothing, what is missing, and what is no URL; the original forgot the last.
    for url in ["aaa://A/nothing", "aaa://A/nope", "aaa://Nope/x", "no url", "", nil] {
      let got = try completion(url)
      #expect(got.count == 1, "\(url ?? "nil")")
      #expect(got.first! == nil, "\(url ?? "nil")")
    }
    #expect(code(try mediator().outcome(of: String?.none)) == .urlMalformed)
    #expect(code(try mediator().outcome(of: "no url")) == .urlMalformed)
  }

  @Test(
    "CT8 D23: a URL calls nothing that only code may call, the result is false, and the completion is called",
    arguments: [
      ("aaa://A/nativePresentImage", .actionLocal), ("aaa://A/%6EativeX", .actionLocal),
      ("aaa://A/na/tiveX", .actionURL), ("aaa://A/NativeX", .actionLocal), ("aaa://Nope/nativeX", .actionLocal),
      ("aaa://A/na%2FtiveX", .targetName), ("aaa://A/secret", .actionLocal), ("aaa://A/%73ecret", .actionLocal),
      ("aaa://A/nativePresentImage/", .actionLocal), ("aaa://A/native%50resentImage?x=1", .actionLocal),
    ] as [(String, PluginError.Code)])
  func native(_ url: String, _ expected: PluginError.Code) throws {
    let mediator = try mediator()
    #expect(code(mediator.outcome(of: url)) == expected)
    #expect(mediator.performAction(withUrl: url) as? Bool == false)
    let got = try completion(url)
    #expect(got.count == 1)
    #expect(got.first??["result"] as? Bool == false)
  }

  @Test("CT8: code may call what URLs may not")
  func local() throws {
    let mediator = try mediator()
    #expect(mediator.performTarget("A", action: "nativePresentImage") as? String == "presented")
    #expect(mediator.performTarget("A", action: "nativeX") as? String == "presented")
    #expect(mediator.performTarget("A", action: "secret") as? String == "secret")
  }

  @Test(
    "D23: a URL has exactly one part for the action: no slash vanishes",
    arguments: ["aaa://A/show/Alert", "aaa://A//showAlert", "aaa://A", "aaa://A/", "aaa:///showAlert", "aaa://"])
  func onePart(_ url: String) throws {
    let mediator = try mediator()
    let codes: [PluginError.Code] = [.actionURL, .urlEmptySegment]
    #expect(codes.contains(try #require(code(mediator.outcome(of: url)))), "\(url)")
    #expect(mediator.performAction(withUrl: url) as? String == nil)
    #expect(mediator.performAction(withUrl: "aaa://A/showAlert") as? String == "alert")
  }

  @Test("D23: no URL names a target of a Swift module, by a parameter, an encoding or a dot")
  func swiftModule() throws {
    let mediator = try mediator()
    try TargetBusinessC.register(in: mediator, "A", module: "Shop")
    let key = kCTMediatorParamsKeySwiftTargetModuleName
    for (url, expected) in [
      ("aaa://A/echo?\(key)=Shop", .actionReservedKey), ("aaa://A/echo?a=1&\(key)=Shop", .actionReservedKey),
      ("aaa://A/echo?\(key)", .actionReservedKey),
      ("aaa://A/echo?kCTMediator%50aramsKeySwiftTargetModuleName=Shop", .actionReservedKey),
      ("aaa://Shop.Target_A/echo", .actionLocal), ("aaa://Shop%2ETarget_A/echo", .actionLocal),
      ("aaa://Target_Shop.Target_A/echo", .actionLocal),
    ] as [(String, PluginError.Code)] {
      #expect(code(mediator.outcome(of: url)) == expected, "\(url)")
      #expect(mediator.performAction(withUrl: url) as? Bool == false, "\(url)")
      let got = try completion(url)
      #expect(got.count == 1)
    }
    #expect(mediator.performTarget("A", action: "echo", params: [key: "Shop"]) is CTParams)
  }

  @Test("D23: a URL for a missing action evicts no instance")
  func noEviction() throws {
    let mediator = try mediator()
    let cached = mediator.performTarget("A", action: "self", shouldCacheTarget: true) as? TargetBusinessC
    #expect(cached != nil)
    #expect(mediator.performAction(withUrl: "aaa://A/nope") == nil)
    #expect(mediator.performAction(withUrl: "aaa://A/self") as? TargetBusinessC === cached)
  }

  @Test("a task gets the same answers, and an action can run as a task")
  func tasks() async throws {
    let mediator = CT(Switchboard())
    try mediator.register("A", make: { 0 }) { actions in
      actions.add("Action_later:", task: { _, params in "later \(params["id"] ?? "")" })
      actions.add("Action_now:") { _, _ in "now" }
      actions.addOnMain("Action_main:") { _, _ in "main" }
    }
    #expect(await mediator.performTarget("A", action: "later", params: ["id": 1]) as? String == "later 1")
    #expect(await mediator.performAction(withUrl: "aaa://A/later?id=2") as? String == "later 2")
    #expect(await mediator.performTarget("A", action: "main") as? String == "main")
    #expect(await mediator.performAction(withUrl: "aaa://A/nativeX") as? Bool == false)
    #expect(await code(mediator.outcome(target: "A", action: "nope")) == .actionNotFound)
    #expect(await code(mediator.outcome(target: nil, action: "now")) == .targetName)
    #expect(await code(mediator.outcome(of: "aaa://A.B/now")) == .actionLocal)
  }

  @Test("values that never leave the main actor are of any type") @MainActor func onMain() throws {
    final class Label { var text = "" }
    let mediator = CT(Switchboard())
    try mediator.register("A", makeOnMain: { 0 }) { actions in
      actions.addMainOnly("Action_nativeFill:") { _, params in
        (params["label"] as? Label)?.text = "filled"
        return params["label"]
      }
    }
    let label = Label()
    let result = mediator.performTargetOnMain("A", action: "nativeFill", params: ["label": label])
    #expect(result as? Label === label)
    #expect(label.text == "filled")
    #expect(mediator.performTargetOnMain("A", action: "nope", params: ["label": label]) == nil)
    #expect(mediator.performTargetOnMain(nil, action: "nativeFill") == nil)
  }
}
