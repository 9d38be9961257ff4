import Foundation
import HSLinkFace
import ModuleStore
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport

/// The gate, seen through HSLinkClass's names: what is refused is reached by none of them.
@Suite(
  "HSLinkClass's gate", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct HSGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.desk"

  /// A module in C with the class `Desk`.
  private static func desk(
    _ identifier: String = name, undeclared: [Workshop.Action] = []
  ) -> Workshop.Module {
    Workshop.module(
      identifier,
      actions: [
        .init(target: "Desk", name: "show"), .init(target: "Desk", name: "nativeShow", isLocal: true),
        .init(target: "Desk", name: "class.show", answer: "the desk of the class"),
      ], undeclared: undeclared)
  }

  /// Makes sure that nothing of the module is reached, by whatever name.
  private func expectClosed(
    _ host: PluginHost, _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let link = HSLinkClass(host.switchboard)
    for method in ["show", "show:", "nativeShow", "other"] {
      let object = await link.callObject(class: "Desk", method: method, param: 1)
      #expect(!object.performSuccess && !object.classIsLoad, sourceLocation: sourceLocation)
      #expect(object.value == nil && object.error?.code == code, sourceLocation: sourceLocation)
      let ofClass = await link.callClass(class: "Desk", method: method)
      #expect(!ofClass.performSuccess && !ofClass.classIsLoad, sourceLocation: sourceLocation)
      #expect(ofClass.value == nil && ofClass.error?.code == code, sourceLocation: sourceLocation)
    }
    #expect(!host.switchboard.table.contains { $0.owner == Self.name }, sourceLocation: sourceLocation)
  }

  @Test("G6 HS5: a class of a module that is verified and loaded is called, and once it is removed it is not")
  func loaded() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let link = HSLinkClass(host.switchboard)
    let module = try await host.install(workshop.offer(Self.desk())).module
    // It is installed, and not yet loaded.
    try await expectClosed(host, .targetNotFound)
    try await host.load(module)
    for method in ["show", "show:", "nativeShow"] {
      let answer = await link.callObject(class: "Desk", method: method, param: ["a": 1])
      #expect(answer.value as? String == "the desk")
      #expect(answer.performSuccess && answer.classIsLoad)
    }
    // C takes any value.
    #expect(await link.callObject(class: "Desk", method: "show:", param: 7).value as? String == "the desk")
    #expect(await link.callClass(class: "Desk", method: "show").value as? String == "the desk of the class")
    let missing = await link.callClass(class: "Desk", method: "nativeShow")
    #expect(!missing.performSuccess && missing.classIsLoad)
    #expect(host.unregister(module))
    try await expectClosed(host, .targetNotFound)
  }

  @Test("G6 G4: nothing of a module that is refused is called, and its names are nobody else's")
  func refused() async throws {
    let workshop = try Workshop()
    let host = try await workshop.hostRefusing(Self.desk(), heir: Self.desk("com.example.heir"))
    try await expectClosed(host, .targetModuleRefused)
    // The host has no way around it either.
    do {
      try HSLinkClass(host.switchboard).supply("Desk", make: { 0 }) { _ in }
      Issue.record("it was supplied")
    } catch { #expect(error.code == .targetConflict) }
    #expect(host.status(of: try identifier("com.example.heir")) == .loadFailed)
    #expect(workshop.marks == ["com.example.heir"])
  }

  @Test("G6: nothing of a module that was tampered with is called, in its archive or where it is installed")
  func tampered() async throws {
    let hosts = try await Workshop().hostsFindingChange(in: Self.desk())
    try await expectClosed(hosts.inArchive, .targetNotFound)
    try await expectClosed(hosts.inStore, .targetModuleRefused)
  }

  @Test("G6: a module that wants a target or an action that it does not declare has none at all")
  func undeclared() async throws {
    for action in [Workshop.Action(target: "Bank", name: "show"), Workshop.Action(target: "Desk", name: "pay")] {
      let host = try await Workshop().hostFailing(Self.desk(undeclared: [action]), with: .targetUndeclared)
      #expect(await !HSLinkClass(host.switchboard).callObject(class: "Bank", method: "show").classIsLoad)
      try await expectClosed(host, .targetModuleRefused)
    }
  }
}
