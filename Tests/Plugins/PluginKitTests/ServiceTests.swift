import PluginKit
import Testing

protocol AgeGreeter: Sendable {
  func greet(_ name: String, _ age: Int) -> String
}

final class Greeting: AgeGreeter {
  func greet(_ name: String, _ age: Int) -> String { "\(name)\(age)岁啦" }
}

protocol First: Sendable {}
protocol Second: Sendable {}
struct Both: First, Second {}

@Suite("Services") struct ServiceTests {
  @Test("CS3: the example of the four schemes by protocol")
  func example() throws {
    let services = Services()
    try services.provide((any AgeGreeter).self, owner: .host) { Greeting() }
    #expect(services.resolve((any AgeGreeter).self)?.greet("BJHL", 5) == "BJHL5岁啦")
    #expect(Services.name(of: (any AgeGreeter).self) == "AgeGreeter")
  }

  @Test("CS3: a second provider is refused, and both are named")
  func second() throws {
    let services = Services()
    try services.provide((any AgeGreeter).self, owner: .host) { Greeting() }
    do {
      try services.provide((any AgeGreeter).self, owner: .module("com.example.m")) { Greeting() }
      Issue.record("was taken")
    } catch {
      #expect(error.code == .serviceConflict)
      #expect("\(error)".contains("host") && "\(error)".contains("com.example.m"))
    }
    #expect(!services.withdraw((any AgeGreeter).self, owner: .module("com.example.m")))
    #expect(services.withdraw((any AgeGreeter).self, owner: .host))
    try services.provide((any AgeGreeter).self, owner: .module("com.example.m")) { Greeting() }
  }

  @Test("CS3: one for all, or one for each call")
  func lifetimes() throws {
    let services = Services()
    func greeting() -> Greeting? { services.resolve((any AgeGreeter).self) as? Greeting }
    try services.provide((any AgeGreeter).self, owner: .host) { Greeting() }
    let first = greeting()
    #expect(first != nil)
    #expect(greeting() === first)
    services.removeAll(ownedBy: .host)
    try services.provide((any AgeGreeter).self, owner: .host, lifetime: .perCall) { Greeting() }
    #expect(greeting() !== greeting())
  }

  @Test("CS3, PT12: an object that does not conform is refused when it is registered")
  func conformance() throws {
    let services = Services()
    expectPluginError(.serviceNotConforming) {
      try services.provide((any AgeGreeter).self, owner: .host, object: "a text")
    }
    #expect(services.resolve((any AgeGreeter).self) == nil)
    try services.provide((any AgeGreeter).self, owner: .host, object: Greeting())
    #expect(services.resolve((any AgeGreeter).self) != nil)
  }

  @Test("CS3: a service of a refused module is nil, and no other module provides it")
  func refused() throws {
    let switchboard = Switchboard()
    func context(_ identifier: String) throws -> ModuleContext {
      try switchboard.context(for: ModuleDeclaration(identifier: identifier, services: ["AgeGreeter"]))
    }
    let module = try context("com.example.m")
    try module.provide((any AgeGreeter).self) { Greeting() }
    switchboard.removeAll(ownedBy: module.owner)
    switchboard.refuse(services: ["AgeGreeter"], of: module.owner, because: "unsigned")
    let heir = try context("com.example.heir")
    expectPluginError(.serviceConflict) { try heir.provide((any AgeGreeter).self) { Greeting() } }
    #expect(switchboard.services.resolve((any AgeGreeter).self) == nil)
    #expect(heir.resolve((any AgeGreeter).self) == nil)
  }

  @Test("CS3: what is gone is nil: the module, or an object that nobody keeps")
  func gone() throws {
    let switchboard = Switchboard()
    let module = try switchboard.context(
      for: ModuleDeclaration(identifier: "com.example.m", services: ["AgeGreeter"]))
    try module.provide((any AgeGreeter).self) { Greeting() }
    let kept = switchboard.services.resolve((any AgeGreeter).self)
    switchboard.removeAll(ownedBy: module.owner)
    #expect(switchboard.services.resolve((any AgeGreeter).self) == nil)
    #expect(kept?.greet("a", 1) == "a1岁啦")
    let services = Services()
    var object: Greeting? = Greeting()
    try services.provide((any AgeGreeter).self, owner: .host, weak: #require(object))
    #expect(services.resolve((any AgeGreeter).self) != nil)
    object = nil
    #expect(services.resolve((any AgeGreeter).self) == nil)
    #expect(object == nil)
    // Its place is free then.
    try services.provide((any AgeGreeter).self, owner: .module("com.example.m")) { Greeting() }
    #expect(services.resolve((any AgeGreeter).self) != nil)
  }

  @Test("what is made while its provider goes is nobody's, and least of all the next provider's")
  func replacedWhileMade() throws {
    let services = Services()
    let next = Greeting()
    try services.provide((any AgeGreeter).self, owner: .module("com.example.m")) {
      services.removeAll(ownedBy: .module("com.example.m"))
      try services.provide((any AgeGreeter).self, owner: .host) { next }
      return Greeting()
    }
    #expect(services.resolve((any AgeGreeter).self) == nil)
    #expect(services.resolve((any AgeGreeter).self) as? Greeting === next)
  }

  @Test("a service that needs itself says so, and one that fails why")
  func cycles() throws {
    let services = Services()
    try services.provide((any First).self, owner: .host) {
      _ = try services.instance(of: (any Second).self)
      return Both()
    }
    try services.provide((any Second).self, owner: .host) {
      _ = try services.instance(of: (any First).self)
      return Both()
    }
    expectPluginError(.serviceCycle) { try services.instance(of: (any First).self) }
    #expect(services.resolve((any First).self) == nil)
    services.removeAll(ownedBy: .host)
    try services.provide((any First).self, owner: .host) { throw CancellationError() }
    expectPluginError(.serviceFailed) { try services.instance(of: (any First).self) }
  }
}
