import CTMediatorFace
import Foundation
import ModuleStore
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport

/// The gate, seen through CTMediator's names: what is refused is reached by none of them.
@Suite(
  "CTMediator's gate", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct CTGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.desk"

  /// A module in C with the targets `Desk` and `Shop.Target_Desk`.
  private static func desk(
    _ identifier: String = name, undeclared: [Workshop.Action] = []
  ) -> Workshop.Module {
    Workshop.module(
      identifier,
      actions: [
        .init(target: "Desk", name: "show"), .init(target: "Desk", name: "nativeShow", isLocal: true),
        .init(target: "Shop.Target_Desk", name: "show"),
      ], undeclared: undeclared)
  }

  /// Makes sure that nothing of the module is reached, by whatever name.
  private func expectClosed(
    _ host: PluginHost, _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let mediators = [CT(host.switchboard), CTMediator(host.switchboard)]
    let key = kCTMediatorParamsKeySwiftTargetModuleName
    for mediator in mediators {
      for module in [nil, "Shop"] {
        var params: CTParams = [:]
        params[key] = module
        #expect(!mediator.check("Desk", moduleName: module), sourceLocation: sourceLocation)
        for action in ["show", "nativeShow", "other"] {
          let answer = await mediator.outcome(target: "Desk", action: action, params: params, shouldCacheTarget: true)
          #expect(CTMediatorFaceTests.code(answer) == code, sourceLocation: sourceLocation)
          #expect(
            await mediator.performTarget("Desk", action: action, params: params) == nil,
            sourceLocation: sourceLocation)
        }
      }
      #expect(
        await CTMediatorFaceTests.code(mediator.outcome(of: "aaa://Desk/show")) == code,
        sourceLocation: sourceLocation)
      #expect(await mediator.performAction(withUrl: "aaa://Desk/show") == nil, sourceLocation: sourceLocation)
    }
    #expect(!host.switchboard.table.contains { $0.owner == Self.name }, sourceLocation: sourceLocation)
  }

  @Test("G6 CT9: a module that is verified and loaded is called, and once it is removed it is not")
  func loaded() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let mediator = CT(host.switchboard)
    let module = try await host.install(workshop.offer(Self.desk())).module
    // It is installed, and not yet loaded.
    #expect(!mediator.check("Desk"))
    try await expectClosed(host, .targetNotFound)
    try await host.load(module)
    #expect(mediator.check("Desk"))
    #expect(mediator.check("Desk", moduleName: "Shop"))
    #expect(await mediator.performTarget("Desk", action: "show") as? String == "the desk")
    #expect(await mediator.performTarget("Desk", action: "nativeShow") as? String == "the desk")
    let params = [kCTMediatorParamsKeySwiftTargetModuleName: "Shop"]
    #expect(await mediator.performTarget("Desk", action: "show", params: params) as? String == "the desk")
    #expect(await mediator.performAction(withUrl: "aaa://Desk/show") as? String == "the desk")
    #expect(await mediator.performAction(withUrl: "aaa://Desk/nativeShow") as? Bool == false)
    #expect(host.unregister(module))
    try await expectClosed(host, .targetNotFound)
    expectCode(.moduleRemoved) {
      try host.switchboard.targets.register("Desk", owner: .module(Self.name), make: { 0 }) { _ in }
    }
  }

  @Test("G6 G4: nothing of a module that is refused is called, and its names are nobody else's")
  func refused() async throws {
    let workshop = try Workshop()
    let host = try await workshop.hostRefusing(Self.desk(), heir: Self.desk("com.example.heir"))
    try await expectClosed(host, .targetModuleRefused)
    // The host has no way around it either.
    expectCode(.targetConflict) { try TargetBusinessC.register(in: CT(host.switchboard), "Desk") }
    expectCode(.targetConflict) { try TargetBusinessC.register(in: CT(host.switchboard), "Desk", module: "Shop") }
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
      #expect(!CT(host.switchboard).check("Bank"))
      try await expectClosed(host, .targetModuleRefused)
    }
  }
}
