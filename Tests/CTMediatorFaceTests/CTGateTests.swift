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

@testable import PluginHostTests

/// The gate, seen through CTMediator's names: what is refused is reached by none of them.
@Suite(
  "CTMediator's gate", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct CTGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.desk"

  /// A module in C with the targets `Desk` and `Shop.Target_Desk`.
  ///
  /// - Parameter more: further statements of its principal.
  private static func desk(_ identifier: String = name, more: String = "") -> Workshop.Module {
    let source = """
      #include "signet_plugin.h"
      static const signet_host *kept;
      static void show(void *user, const signet_request *request, signet_reply reply) {
        signet_value value = {SIGNET_TEXT, 0, {0}};
        value.as.text = signet_text_of("the desk");
        kept->reply(kept->context, reply, &value);
      }

      """
    let body = """
      kept = host;
      const signet_host *h = host;
      int32_t status = h->register_action(h->context, signet_text_of("Desk"), signet_text_of("show"), 0, show, 0, 0);
      if (!status) status = h->register_action(
        h->context, signet_text_of("Desk"), signet_text_of("nativeShow"), 1, show, 0, 0);
      if (!status) status = h->register_action(
        h->context, signet_text_of("Shop.Target_Desk"), signet_text_of("show"), 0, show, 0, 0);
      \(more)
      return status;
      """
    return Workshop.Module(
      identifier: identifier,
      main: .init(
        source: Workshop.constructor(identifier) + source + Workshop.principal(body: body)),
      members:
        #", "targets": {"Desk": ["show", {"name": "nativeShow", "local": true}], "Shop.Target_Desk": ["show"]}"#)
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
    try await workshop.host().install(workshop.offer(Self.desk()))
    let other = try PrivateKey.generate(.ed25519)
    let host = try workshop.host(workshop.policy([other.publicKey]))
    // Whoever is trusted may declare the same names: they are not theirs meanwhile.
    try await host.install(workshop.offer(Self.desk("com.example.heir"), keys: [other]))
    await host.start()
    #expect(host.status(of: try identifier(Self.name)) == .refused)
    #expect(host.reason(of: try identifier(Self.name))?.code == .signerUntrusted)
    try await expectClosed(host, .targetModuleRefused)
    // The host has no way around it either.
    expectCode(.targetConflict) { try TargetBusinessC.register(in: CT(host.switchboard), "Desk") }
    expectCode(.targetConflict) { try TargetBusinessC.register(in: CT(host.switchboard), "Desk", module: "Shop") }
    #expect(host.status(of: try identifier("com.example.heir")) == .loadFailed)
    #expect(workshop.marks == ["com.example.heir"])
  }

  @Test("G6: nothing of a module that was tampered with is called, in its archive or where it is installed")
  func tampered() async throws {
    let workshop = try Workshop()
    let offer = try workshop.offer(Self.desk())
    let whole = try Data(contentsOf: URL(filePath: offer))
    try flip(offer) { $0 / 2 }
    let first = try workshop.host()
    do {
      try await first.install(offer)
      Issue.record("it was installed")
    } catch { #expect(error.code == .digestMismatch) }
    try await expectClosed(first, .targetNotFound)
    try whole.write(to: URL(filePath: offer))
    try await first.install(offer)
    let folder = workshop.path + "/modules/" + Self.name
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    try flip("\(folder)/\(release)/files/lib/com_example_desk.so") { $0 / 2 }
    let host = try workshop.host()
    await host.start()
    #expect(host.status(of: try identifier(Self.name)) == .refused)
    #expect(host.reason(of: try identifier(Self.name))?.code == .storeDamaged)
    try await expectClosed(host, .targetModuleRefused)
    #expect(workshop.marks.isEmpty)
  }

  @Test("G6: a module that wants a target or an action that it does not declare has none at all")
  func undeclared() async throws {
    for statement in [
      #"if (!status) status = h->register_action(h->context, signet_text_of("Bank"), signet_text_of("show"), 0, show, 0, 0);"#,
      #"if (!status) status = h->register_action(h->context, signet_text_of("Desk"), signet_text_of("pay"), 0, show, 0, 0);"#,
    ] {
      let workshop = try Workshop()
      let host = try workshop.host()
      try await host.install(workshop.offer(Self.desk(more: statement)))
      await host.start()
      let module = try identifier(Self.name)
      #expect(host.status(of: module) == .loadFailed)
      let cause = (host.reason(of: module)?.cause as? SignetError)?.cause as? PluginError
      #expect(cause?.code == .targetUndeclared, "\(String(describing: host.reason(of: module)))")
      #expect(!CT(host.switchboard).check("Bank"))
      try await expectClosed(host, .targetModuleRefused)
    }
  }
}
