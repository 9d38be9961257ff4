import Foundation
import PTRouterFace
import PluginKit
import Testing

@testable import PTTestSupport

@Suite("PTInvocationHelper") struct PTInvocationTests {
  /// A class whose methods are called by their names.
  private final class Calculator: PTInvocable {
    static var methods: PTMethods<Calculator> {
      PTMethods {
        $0.add("number") { _ in 7 }
        $0.add("fraction") { _ in 1.5 }
        $0.add("flag") { _ in true }
        $0.add("text") { _ in "seven" }
        $0.add("nothing") { $0.doNothing() }
        $0.add("none") { _ in nil }
        $0.add("add:") { ($1["number"] as? Int ?? 0) + 1 }
        $0.add("fails") { _ in throw CancellationError() }
        $0.add("calls") { _ in throw PluginError(.targetNotFound, "Other", "is not a target") }
        $0.addOnMain("main") { _ in MainActor.assumeIsolated { "main" } }
        $0.addOnMain("main:") { "main\($1.count)" }
      }
    }

    func doNothing() {}
  }

  /// A class of the main actor.
  @MainActor private final class Counter: PTInvocable {
    private var count = 0

    nonisolated static var methods: PTMethods<Counter> {
      PTMethods {
        $0.addOnMain("add:") { $0.add($1["number"] as? Int ?? 0) }
        $0.addOnMain("count") { $0.count }
      }
    }

    func add(_ number: Int) { count += number }
  }

  @Test("PT9: an object of the main actor keeps what its methods do")
  @MainActor func counter() async throws {
    let (switchboard, helper) = try helper()
    let counter = Counter()
    for number in 1...3 { try helper.performInstance(counter, selector: "add:", params: ["number": number]) }
    #expect(try helper.performInstance(counter, selector: "count") as? Int == 6)
    // A class makes a new object for each call.
    let host = PTInvocationHelper(switchboard)
    try host.registerClass("Counter", makeOnMain: { Counter() }, methods: Counter.methods)
    try await host.performClass("Counter", selector: "add:", params: ["number": 1], limit: patience)
    #expect(try await host.performClass("Counter", selector: "count", limit: patience) as? Int == 0)
  }

  private static let actions = [
    "number", "fraction", "flag", "text", "nothing", "none", "add_", "fails", "calls", "main", "main_",
  ]

  private func helper() throws -> (Switchboard, PTInvocationHelper) {
    let switchboard = Switchboard()
    let helper = PTInvocationHelper(try context(switchboard, targets: ["Calculator": Self.actions]))
    try helper.registerClass("Calculator", make: { Calculator() }, methods: Calculator.methods)
    return (switchboard, helper)
  }

  @Test("PT9: an unknown class, an unknown method and a wrong number of parameters have an error each")
  func errors() throws {
    let (switchboard, module) = try helper()
    #expect(PTInvocationError.domain == "com.TLInvocationHelper.performClass")
    for helper in [module, PTInvocationHelper(switchboard)] {
      func code(_ name: String, _ selector: String, _ params: [String: any Sendable]? = nil) -> Int? {
        invocationError { () throws(PTInvocationError) in
          try helper.performClass(name, selector: selector, params: params, limit: patience)
        }?.code.rawValue
      }
      #expect(code("Nobody", "number") == 0)
      #expect(code("", "number") == 0 && code("盲僧", "number") == 0)
      #expect(code("Calculator", "unknown") == 1)
      // `add` and `add:` are two methods.
      #expect(code("Calculator", "add") == 1 && code("Calculator", "number:", [:]) == 1)
      #expect(code("Calculator", "") == 1 && code("Calculator", "a b") == 1)
      #expect(code("Calculator", "number", [:]) == 2)
      #expect(code("Calculator", "add:") == 2)
      // The class is looked for first, then the method, as in the original.
      #expect(code("Nobody", "add:") == 0 && code("Calculator", "unknown:") == 1)
      #expect(code("Calculator", "a:b:", [:]) == 1)
      #expect(code("Calculator", "fails") == 3)
      // An error about another class that the method calls is the method's.
      #expect(code("Calculator", "calls") == 3)
    }
    let failed = invocationError { () throws(PTInvocationError) in
      try module.performClass("Calculator", selector: "fails", limit: patience)
    }
    #expect(failed?.cause?.code == .actionFailed && failed?.cause?.cause is CancellationError)
    #expect(failed?.className == "Calculator" && failed?.selector == "fails")
    switchboard.targets.removeAll(ownedBy: .module("com.example.a"))
    switchboard.refuse(targets: ["Calculator"], of: .module("com.example.a"), because: "its signer is not trusted")
    let refused = invocationError { () throws(PTInvocationError) in
      try PTInvocationHelper(switchboard).performClass("Calculator", selector: "number")
    }
    #expect(refused?.code == .noClass && refused?.cause?.code == .targetModuleRefused)
  }

  @Test("PT9: numbers, Booleans, texts and nothing come back as they are, in each form")
  func values() async throws {
    let (switchboard, module) = try helper()
    for helper in [module, PTInvocationHelper(switchboard)] {
      func call(_ selector: String, _ params: [String: any Sendable]? = nil) async throws -> (any Sendable)? {
        let value = try await helper.performClass("Calculator", selector: selector, params: params, limit: patience)
        let blocking = try Self.perform(helper, selector, params)
        #expect(String(describing: value) == String(describing: blocking))
        let object = try await helper.performInstance(Calculator(), selector: selector, params: params)
        #expect(String(describing: value) == String(describing: object))
        return value
      }
      #expect(try await call("number") as? Int == 7)
      #expect(try await call("fraction") as? Double == 1.5)
      #expect(try await call("flag") as? Bool == true)
      #expect(try await call("text") as? String == "seven")
      #expect(try await call("nothing") == nil)
      #expect(try await call("none") == nil)
      #expect(try await call("add:", ["number": 41]) as? Int == 42)
      #expect(try await call("add:", [:]) as? Int == 1)
      #expect(try await call("main") as? String == "main")
      #expect(try await call("main:", ["a": 1]) as? String == "main1")
    }
  }

  private static func perform(
    _ helper: PTInvocationHelper, _ selector: String, _ params: [String: any Sendable]?
  ) throws -> (any Sendable)? {
    try helper.performClass("Calculator", selector: selector, params: params, limit: patience)
  }

  @Test("PT9: an object has the same errors")
  @MainActor func instances() throws {
    let (_, helper) = try helper()
    func code(
      _ object: (any Sendable)?, _ selector: String, _ params: [String: any Sendable]? = nil
    ) -> PTInvocationError.Code? {
      invocationError { () throws(PTInvocationError) in
        try helper.performInstance(object, selector: selector, params: params)
      }?.code
    }
    #expect(code(nil, "number") == .noClass)
    #expect(code("a text", "number") == .noSelector)
    #expect(code(Calculator(), "unknown") == .noSelector)
    #expect(code(Calculator(), "number", [:]) == .paramUnmatch)
    #expect(code(Calculator(), "add:") == .paramUnmatch)
    #expect(code(Calculator(), "fails") == .failed && code(Calculator(), "calls") == .failed)
  }

  @Test("a module registers only classes and methods that its description declares, and no URL calls them")
  func declared() async throws {
    let switchboard = Switchboard()
    let helper = PTInvocationHelper(try context(switchboard, targets: ["Calculator": ["number"]]))
    expectPluginError(.targetUndeclared) {
      try helper.registerClass("Calculator", make: { Calculator() }, methods: Calculator.methods)
    }
    expectPluginError(.targetUndeclared) {
      try helper.registerClass("Other", make: { true }, methods: PTMethods { $0.add("number") { _ in 1 } })
    }
    #expect(switchboard.table.isEmpty)
    let number = PTMethods<Bool> { $0.add("number") { _ in 1 } }
    try helper.registerClass("Calculator", make: { true }, methods: number)
    expectPluginError(.targetConflict) {
      try PTInvocationHelper(switchboard).registerClass("Calculator", make: { true }, methods: number)
    }
    do throws(PluginError) {
      _ = try await switchboard.targets.perform("app://Calculator/number")
      Issue.record("a URL called it")
    } catch { #expect(error.code == .actionLocal) }
    switchboard.removeAll(ownedBy: .module("com.example.a"))
    #expect(switchboard.table.isEmpty)
    expectPluginError(.moduleRemoved) { try helper.registerClass("Calculator", make: { true }, methods: number) }
  }
}
