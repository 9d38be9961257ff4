import Foundation
import PTLaunchFace
import PluginKit
import Testing

@testable import PTTestSupport

/// The protocol of the sample's container.
protocol TLUserModuleProtocol: AnyObject, Sendable {
  var userID: String { get }
}

private final class TLUserModule: TLUserModuleProtocol { let userID = "testUserID" }

@Suite("PTRouter's containers") struct PTContainerTests {
  private typealias Container = PTModuleContainer<any TLUserModuleProtocol>
  private static let name = "TLUserModuleContainer"

  private static func module(_ container: Container) -> (any TLUserModuleProtocol)? { container.module() }

  @Test(
    "PT12: the container of F8 gives one instance of its class, and nothing that does not conform",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func container(_ format: PropertyListSerialization.PropertyListFormat) async throws {
    let switchboard = Switchboard()
    let user = try context(switchboard, "com.example.user", services: ["TLUserModule"])
    let asking = try context(switchboard, "com.example.hero")
    let host = Container(Self.name, (any TLUserModuleProtocol).self, switchboard)
    let module = Container(Self.name, (any TLUserModuleProtocol).self, asking)
    #expect(Self.module(host) == nil)
    let helper = PTAppLaunchHelper(switchboard, try Sample.files([:], format))
    #expect(try helper.autoRegistDataModules().failures.isEmpty)
    // The file names it, but no module provides it yet.
    #expect(Self.module(host) == nil)
    #expect(await module.module() == nil)
    try user.provide(named: "TLUserModule") { TLUserModule() }
    #expect(Self.module(host)?.userID == "testUserID")
    let first = try #require(Self.module(host))
    #expect(Self.module(module) === first)
    #expect(await host.module() === first)
    #expect(await module.module() === first)
    switchboard.removeAll(ownedBy: .module("com.example.user"))
    #expect(Self.module(host) == nil && Self.module(module) == nil)
    // Another class does not conform.
    let other = try context(switchboard, "com.example.other", services: ["TLUserModule"])
    try other.provide(named: "TLUserModule") { Anything() }
    #expect(Self.module(host) == nil)
    #expect(await module.module() == nil)
    expectPluginError(.serviceNotConforming) {
      try switchboard.services.instance(named: Self.name, as: (any TLUserModuleProtocol).self)
    }
  }

  @Test("PT12 G6: a container leads to no class of a refused module, and to none that its module does not declare")
  func refused() throws {
    let switchboard = Switchboard()
    let helper = PTAppLaunchHelper(switchboard, try Sample.files())
    try helper.autoRegistDataModules()
    let host = Container(Self.name, (any TLUserModuleProtocol).self, switchboard)
    switchboard.refuse(services: ["TLUserModule"], of: .module("com.example.user"), because: "unsigned")
    let other = try context(switchboard, "com.example.other", services: ["TLUserModule"])
    expectPluginError(.serviceConflict) { try other.provide(named: "TLUserModule") { TLUserModule() } }
    expectPluginError(.serviceUndeclared) {
      try context(switchboard, "com.example.third").provide(named: "TLUserModule") { TLUserModule() }
    }
    #expect(Self.module(host) == nil)
    expectPluginError(.launchNotLoaded) {
      try switchboard.services.instance(named: Self.name, as: (any TLUserModuleProtocol).self)
    }
  }

  @Test("entries that mean nothing are told, containers of modules stay theirs, and a second file replaces the first")
  func entries() throws {
    let switchboard = Switchboard()
    let user = try context(switchboard, "com.example.user", services: ["TLUserModule", "Taken", "Next"])
    try user.provide(named: "TLUserModule") { TLUserModule() }
    try user.provide(named: "Taken") { TLUserModule() }
    try user.provide(named: "Next") { TLUserModule() }
    func regist(_ list: [String: Any]) throws -> PTLaunchReport {
      try PTAppLaunchHelper(switchboard, Sample.files(["DataModules.plist": list])).autoRegistDataModules()
    }
    let report = try regist([
      Self.name: "TLUserModule", "Taken": "TLUserModule", "Number": 1, "Itself": "Itself", "List": ["TLUserModule"],
    ])
    #expect(
      report.entries.map { "\($0.name) \($0.error?.code.rawValue ?? "")" } == [
        "Itself ", "List launch.entry", "Number launch.entry", "\(Self.name) ", "Taken service.conflict",
      ])
    let container = Container(Self.name, (any TLUserModuleProtocol).self, switchboard)
    let first = try #require(Self.module(container))
    // A container that leads to itself ends.
    #expect(Self.module(Container("Itself", (any TLUserModuleProtocol).self, switchboard)) == nil)
    #expect(try regist([Self.name: "Next"]).failures.isEmpty)
    let next = try #require(Self.module(container))
    #expect(next !== first)
    expectPluginError(.launchFile) {
      try PTAppLaunchHelper(switchboard, .inProgram(["DataModules.plist": [1, 2]])).autoRegistDataModules()
    }
    #expect(try PTAppLaunchHelper(switchboard, .inProgram([:])).autoRegistDataModules().entries.isEmpty)
  }

  @Test("a container is there all the time while a second file replaces it")
  func replaced() throws {
    let switchboard = Switchboard()
    let user = try context(switchboard, "com.example.user", services: ["TLUserModule"])
    try user.provide(named: "TLUserModule") { TLUserModule() }
    let files = try Sample.files()
    try PTAppLaunchHelper(switchboard, files).autoRegistDataModules()
    let container = Container(Self.name, (any TLUserModuleProtocol).self, switchboard)
    let first = try #require(Self.module(container))
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      for _ in 0..<1000 { _ = try? PTAppLaunchHelper(switchboard, files).autoRegistDataModules() }
      done.signal()
    }
    var missing = 0
    repeat { if Self.module(container) !== first { missing += 1 } } while done.wait(timeout: .now()) == .timedOut
    #expect(missing == 0)
  }
}
