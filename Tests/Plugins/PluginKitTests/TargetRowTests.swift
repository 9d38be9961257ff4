import Dispatch
import PluginKit
import Testing

/// An object that can be told from another of its kind.
private final class Page: Sendable {
  func text(_ input: ActionInput) -> String { "\(input.text("name") ?? "")\(input["age"] ?? "")岁啦" }
}

@Suite("Rows of CTMediator") struct TargetRowTests {
  private func targets() throws -> Targets {
    let targets = Targets()
    try targets.register("BusinessC", owner: .host, make: { Page() }) { actions in
      actions.add("show") { page, input in page.text(input) }
      actions.add("self") { page, _ in page }
      actions.add("echo") { _, input in input.values.mapValues { "\($0)" } }
      actions.add("secret", isLocal: true) { _, _ in "secret" }
      actions.add("nativePresentImage") { _, _ in "shown" }
      actions.add("double", taking: Int.self) { _, number in number * 2 }
      actions.add("fail") { _, _ in throw CancellationError() }
    }
    return targets
  }

  @Test("CS2: the example of the four schemes by target and action")
  func example() throws {
    #expect(
      try targets().perform("show", on: "BusinessC", with: ["name": "BJHL", "age": 5]) as? String
        == "BJHL5岁啦")
  }

  @Test(
    "CT2: names that are none are refused",
    arguments: ["", "a b", "1", "a/b", "ü", String(repeating: "x", count: 129)])
  func names(_ name: String) throws {
    expectPluginError(.targetName) { try targets().perform("show", on: name) }
    expectPluginError(.targetName) { try targets().perform(name, on: "BusinessC") }
    expectPluginError(.targetName) { try Targets().register(name, owner: .host, make: { 1 }) { _ in } }
    expectPluginError(.targetName) {
      try Targets().register("T", owner: .host, make: { 1 }) { $0.add(name) { _, _ in nil } }
    }
  }

  @Test("CT3: an instance is kept when it is asked for, until its target is released by its whole name")
  func keeping() throws {
    let targets = try targets()
    func page(keeps: Bool) throws -> Page? {
      try targets.perform("self", on: "BusinessC", keepsTarget: keeps) as? Page
    }
    let fresh = try page(keeps: false)
    let kept = try page(keeps: true)
    #expect(fresh !== kept)
    #expect(try page(keeps: true) === kept)
    #expect(try page(keeps: false) === kept)
    targets.release("Business")
    #expect(try page(keeps: true) === kept)
    targets.release("BusinessC")
    #expect(try page(keeps: false) !== kept)
  }

  @Test("CT4: a target can answer for actions that it does not have, and stays kept")
  func notFound() throws {
    let targets = Targets()
    try targets.register("T", owner: .host, make: { Page() }) { actions in
      actions.add("self") { page, _ in page }
      actions.notFound { page, name, input in "\(name) \(input.text("k") ?? "")" }
    }
    let kept = try targets.perform("self", on: "T", keepsTarget: true) as? Page
    #expect(try targets.perform("other", on: "T", with: ["k": "v"]) as? String == "other v")
    #expect(try targets.perform("self", on: "T") as? Page === kept)
    #expect(try targets.perform("x://T/more?k=w") as? String == "more w")
  }

  @Test("CT5, D23: what is missing is told to the global fallback, and evicts nothing")
  func missing() throws {
    let targets = try targets()
    let kept = try targets.perform("self", on: "BusinessC", keepsTarget: true) as? Page
    expectPluginError(.targetNotFound) { try targets.perform("x", on: "Nope", with: ["k": 1]) }
    let heard = Heard()
    targets.onMissing { missing in
      heard.add("\(missing.target).\(missing.action) \((missing.input as? ActionInput)?["k"] ?? "")")
    }
    expectPluginError(.targetNotFound) { try targets.perform("x", on: "Nope", with: ["k": 1]) }
    expectPluginError(.actionNotFound) { try targets.perform("x", on: "BusinessC") }
    expectPluginError(.actionFailed) { try targets.perform("fail", on: "BusinessC") }
    #expect(heard.all == ["Nope.x 1", "BusinessC.x "])
    #expect(try targets.perform("self", on: "BusinessC") as? Page === kept)
  }

  @Test("CT6: results are of whatever type")
  func types() throws {
    struct Point: Sendable, Equatable { var x = 1 }
    let targets = Targets()
    try targets.register("T", owner: .host, make: { 0 }) { actions in
      actions.add("int") { _, _ in 7 }
      actions.add("bool") { _, _ in true }
      actions.add("double") { _, _ in 1.5 }
      actions.add("uint") { _, _ in UInt(8) }
      actions.add("text") { _, _ in "t" }
      actions.add("struct") { _, _ in Point() }
      actions.add("void") { _, _ in nil }
    }
    #expect(try targets.perform("int", on: "T", as: Int.self) == 7)
    #expect(try targets.perform("bool", on: "T", as: Bool.self))
    #expect(try targets.perform("double", on: "T", as: Double.self) == 1.5)
    #expect(try targets.perform("uint", on: "T", as: UInt.self) == 8)
    #expect(try targets.perform("text", on: "T", as: String.self) == "t")
    #expect(try targets.perform("struct", on: "T", as: Point.self) == Point())
    #expect(try targets.perform("void", on: "T") == nil)
    expectPluginError(.actionType) { try targets.perform("int", on: "T", as: String.self) }
    expectPluginError(.actionType) { try targets.perform("void", on: "T", as: String.self) }
  }

  @Test("an action that takes one value takes it of its type")
  func typedInput() throws {
    let targets = try targets()
    #expect(try targets.perform("double", on: "BusinessC", value: 21) as? Int == 42)
    expectPluginError(.actionType) { try targets.perform("double", on: "BusinessC", value: "21") }
    expectPluginError(.actionType) { try targets.perform("show", on: "BusinessC", value: 21) }
    expectPluginError(.actionLocal) { try targets.perform("x://BusinessC/double?value=21") }
  }

  @Test("CT7: a URL calls by target, action and values")
  func url() throws {
    let targets = try targets()
    func echo(_ query: String) throws -> [String: String]? {
      try targets.perform("aaa://BusinessC/echo\(query)") as? [String: String]
    }
    #expect(try echo("?id=1234") == ["id": "1234"])
    #expect(try echo("?k&e=") == ["e": ""])
    #expect(try echo("?p=a%20b") == ["p": "a b"])
    #expect(try echo("?d=1&d=2") == ["d": "2"])
    #expect(try echo("") == [:])
    var answers: [[String: String]?] = []
    targets.perform("aaa://BusinessC/echo?id=1") { answers.append((try? $0.get()) as? [String: String]) }
    #expect(answers == [["id": "1"]])
  }

  @Test(
    "CT7, D23: a URL names one target and one action",
    arguments: [
      "x://BusinessC", "x://BusinessC/", "x://BusinessC/show/more", "x:///show", "x://", "x:///BusinessC/show",
    ])
  func oneComponent(_ url: String) throws { expectPluginError(.actionURL) { try targets().perform(url) } }

  @Test(
    "CT8: what only code may call is refused to URLs, in whatever encoding",
    arguments: [
      ("x://BusinessC/nativePresentImage", .actionLocal), ("x://BusinessC/%6EativePresentImage", .actionLocal),
      ("x://BusinessC/NativeAnything", .actionLocal), ("x://Nope/nativeX", .actionLocal),
      ("x://BusinessC/na/tiveX", .actionURL), ("x://BusinessC/secret", .actionLocal),
      ("x://BusinessC/%73ecret", .actionLocal), ("x://BusinessC/na%2FtiveX", .targetName),
    ] as [(String, PluginError.Code)])
  func local(_ url: String, _ code: PluginError.Code) throws {
    let targets = try targets()
    expectPluginError(code) { try targets.perform(url) }
    var answers: [PluginError.Code?] = []
    targets.perform(url) { answer in
      if case .failure(let error) = answer { answers.append(error.code) } else { answers.append(nil) }
    }
    #expect(answers == [code])
    #expect(try targets.perform("nativePresentImage", on: "BusinessC") as? String == "shown")
    #expect(try targets.perform("secret", on: "BusinessC") as? String == "secret")
  }

  @Test("CT8: a target that takes another's place while a URL calls is not called when its action is local")
  func replaced() throws {
    let targets = Targets()
    let isOver = Flag()
    @Sendable func register(isLocal: Bool) throws {
      try targets.register("T", owner: .host, make: { 0 }) {
        $0.add("x", isLocal: isLocal) { _, input in input.url == nil || !isLocal ? "open" : "secret" }
      }
    }
    DispatchQueue.global().async {
      while !isOver.isSet {
        try? register(isLocal: false)
        targets.removeAll(ownedBy: .host)
        try? register(isLocal: true)
        targets.removeAll(ownedBy: .host)
      }
      isOver.end()
    }
    for _ in 0..<20_000 {
      do { #expect(try targets.perform("a://T/x") as? String == "open") } catch {
        #expect([.actionLocal, .targetNotFound].contains(error.code), "\(error)")
      }
    }
    isOver.set()
  }

  @Test(
    "D23: a URL has no parameters that mean something else, and its answer is told once",
    arguments: ["kCTMediatorParamsKeySwiftTargetModuleName=Other", "signet.owner=host", "kCTMediator%50arams=1"])
  func reserved(_ query: String) throws {
    let url = "x://BusinessC/show?\(query)"
    expectPluginError(.actionReservedKey) { try targets().perform(url) }
    var codes: [PluginError.Code?] = []
    try targets().perform(url) { answer in
      if case .failure(let error) = answer { codes.append(error.code) } else { codes.append(nil) }
    }
    #expect(codes == [.actionReservedKey])
  }

  @Test("CT9: whether there is a target")
  func check() throws {
    let targets = try targets()
    #expect(targets.hasTarget("BusinessC"))
    #expect(!targets.hasTarget("Nope"))
    targets.removeAll(ownedBy: .host)
    #expect(!targets.hasTarget("BusinessC"))
  }

  @Test("CT10: two tables do not share")
  func apart() throws {
    let (one, other) = (try targets(), try targets())
    let kept = try one.perform("self", on: "BusinessC", keepsTarget: true) as? Page
    #expect(try other.perform("self", on: "BusinessC", keepsTarget: true) as? Page !== kept)
  }

  @Test("a second target of a name is refused, and both owners are named")
  func conflict() throws {
    let targets = try targets()
    do {
      try targets.register("BusinessC", owner: .module("com.example.m"), make: { 1 }) { _ in }
      Issue.record("was taken")
    } catch {
      #expect(error.code == .targetConflict)
      #expect("\(error)".contains("host") && "\(error)".contains("com.example.m"))
    }
  }

  @Test("an action, and what makes a target, may call, register, release and remove")
  func reentrance() throws {
    let targets = try targets()
    try targets.register("T", owner: .host, make: { targets.hasTarget("T") }) { actions in
      actions.add("x") { isThere, _ in
        try targets.register("U", owner: .module("com.example.m"), make: { 0 }) { $0.add("x") { _, _ in "inner" } }
        defer { targets.removeAll(ownedBy: .module("com.example.m")) }
        targets.release("T")
        return "\(isThere) \(try targets.perform("x", on: "U", as: String.self))"
      }
    }
    #expect(try targets.perform("x", on: "T", keepsTarget: true) as? String == "true inner")
    #expect(!targets.hasTarget("U"))
  }

  @Test("CT3: an instance that is made while its target is replaced is not kept for the next one")
  func replacedWhileMade() throws {
    let targets = Targets()
    try targets.register(
      "T", owner: .host,
      make: { () throws -> String in
        targets.removeAll(ownedBy: .host)
        try targets.register("T", owner: .host, make: { 7 }) { $0.add("x") { number, _ in number } }
        return "last"
      }, actions: { $0.add("x") { text, _ in text } })
    #expect(try targets.perform("x", on: "T", keepsTarget: true) as? String == "last")
    #expect(try targets.perform("x", on: "T", keepsTarget: true) as? Int == 7)
  }

  @Test("a target that cannot be made says so")
  func making() throws {
    let targets = Targets()
    try targets.register("T", owner: .host, make: { () throws -> Int in throw CancellationError() }) {
      $0.add("x") { _, _ in nil }
    }
    expectPluginError(.targetFailed) { try targets.perform("x", on: "T") }
  }
}
