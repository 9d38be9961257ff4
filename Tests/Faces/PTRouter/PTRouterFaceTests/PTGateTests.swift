import Foundation
import ModuleStore
import PTLaunchFace
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PTTestSupport

/// The gate, seen through PTRouter's names: what is refused is reached by none of them.
@Suite(
  "PTRouter's gate", .timeLimit(.minutes(60)), .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct PTGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.hero"
  private static let url = "InnerJump://setting/browse"

  /// A module with a route, a scheme, two classes, a service and an observer. It posts what is called in it.
  private static func module(_ identifier: String = name, extra: String = "") -> Workshop.Module {
    let source = """
      #include "signet_plugin.h"
      static const signet_host *kept;
      static void called(void *user, const signet_request *request, signet_reply reply) {
        signet_value value = {SIGNET_BOOLEAN, 0, {1}};
        kept->post(kept->context, signet_text_of(user), NULL, 0);
        kept->reply(kept->context, reply, &value);
      }
      static void heard(void *user, signet_text name, const signet_named_value *values, size_t count) {
        kept->post(kept->context, signet_text_of(user), NULL, 0);
      }

      """
    let body = """
      int32_t status = SIGNET_OK;
      kept = host;
      #define TRY(call) if (status == SIGNET_OK) status = host->call
      TRY(register_route(host->context, signet_text_of("\(url)"), 0, 0, called, "route", 0));
      TRY(register_route(host->context, signet_text_of("wx1234567://*"), 0, 0, called, "scheme", 0));
      TRY(register_action(host->context, signet_text_of("TLUMShareConfigurator"),
        signet_text_of("initializeWhenLaunch"), 1, called, "launch", 0));
      TRY(register_action(host->context, signet_text_of("HeroViewController"),
        signet_text_of("initWithParam_"), 1, called, "page", 0));
      TRY(provide_service(host->context, signet_text_of("TLUserModule"), host));
      TRY(observe(host->context, signet_text_of("didBecomeActive"), 1, heard, "event", 0, NULL));
      \(extra)
      return status;
      """
    return Workshop.Module(
      identifier: identifier,
      main: .init(source: Workshop.constructor(identifier) + source + Workshop.principal(body: body)),
      members: #"""
        , "routes": ["\#(url)", "wx1234567://*"], "services": ["TLUserModule"],
        "targets": {"TLUMShareConfigurator": [{"name": "initializeWhenLaunch", "local": true}],
        "HeroViewController": [{"name": "initWithParam_", "local": true}]}
        """#)
  }

  /// What was called in modules.
  private func listen(_ host: PluginHost) throws -> Heard {
    let heard = Heard()
    _ = try host.switchboard.notifications.observe(owner: .host) { notification in
      if notification.name != "didBecomeActive" { heard.add(notification.name) }
    }
    try PTAppEventBus(host.switchboard).start()
    return heard
  }

  private func helper(_ host: PluginHost) throws -> PTAppLaunchHelper {
    PTAppLaunchHelper(
      host.switchboard,
      try Sample.files([
        "AutoInitialize.plist": ["classes": ["TLUMShareConfigurator"]], "AppConfigurator.plist": [String: Any](),
      ]))
  }

  private func code(_ router: PTRouter, _ url: String) async -> PluginError.Code? {
    do throws(PluginError) {
      _ = try await router.open(url, limit: patience)
      return nil
    } catch { return error.code }
  }

  /// Makes sure that nothing of the module is reached, by whatever name.
  private func expectClosed(
    _ host: PluginHost, _ route: PluginError.Code, _ heard: Heard, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let switchboard = host.switchboard
    let router = PTRouter(switchboard)
    for url in [Self.url, Self.url + "?userID=7", "wx1234567://oauth?code=1"] {
      #expect(await !router.openURL(url, limit: patience), sourceLocation: sourceLocation)
      #expect(await code(router, url) == route, "\(url)", sourceLocation: sourceLocation)
    }
    for (name, selector, params) in [
      ("TLUMShareConfigurator", "initializeWhenLaunch", nil), ("HeroViewController", "initWithParam:", [:]),
    ] as [(String, String, [String: any Sendable]?)] {
      do throws(PTInvocationError) {
        try await PTInvocationHelper(switchboard).performClass(name, selector: selector, params: params)
        Issue.record("\(name) was called", sourceLocation: sourceLocation)
      } catch { #expect(error.code == .noClass, sourceLocation: sourceLocation) }
    }
    let helper = try helper(host)
    let report = try await helper.autoInitModule()
    #expect(report.entries.map { $0.error?.code } == [.launchNotLoaded], sourceLocation: sourceLocation)
    #expect(try helper.autoRegistURL().failures.isEmpty, sourceLocation: sourceLocation)
    #expect(
      await code(router, "InnerJump://strategy/hero?heroID=1") == .launchNotLoaded, sourceLocation: sourceLocation)
    #expect(try helper.autoRegistDataModules().failures.isEmpty, sourceLocation: sourceLocation)
    let container = PTModuleContainer("TLUserModuleContainer", (any Sendable).self, switchboard)
    #expect(await container.module() == nil, sourceLocation: sourceLocation)
    try await switchboard.notifications.post("didBecomeActive")
    #expect(heard.all.isEmpty, sourceLocation: sourceLocation)
    #expect(!switchboard.table.contains { $0.owner == Self.name }, sourceLocation: sourceLocation)
  }

  @Test("G6: a module that is verified and loaded is reached by each name, until it is removed")
  func loaded() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try await host.install(workshop.offer(Self.module()))
    await host.start()
    let heard = try listen(host)
    let router = PTRouter(host.switchboard)
    #expect(await router.openURL(Self.url + "?userID=7", limit: patience))
    #expect(await router.openURL("wx1234567://oauth?code=1", limit: patience))
    let helper = try helper(host)
    #expect(try await helper.autoInitModule().failures.isEmpty)
    try helper.autoRegistURL()
    try helper.autoRegistDataModules()
    // A plugin in C gives no page, so it is not shown.
    #expect(await code(router, "InnerJump://strategy/hero?heroID=1") == nil)
    #expect(
      await PTModuleContainer("TLUserModuleContainer", (any Sendable).self, host.switchboard).module() != nil)
    try await host.switchboard.notifications.post("didBecomeActive")
    #expect(heard.all == ["route", "scheme", "launch", "page", "event"])
    #expect(host.unregister(try identifier(Self.name)))
    heard.clear()
    try await expectClosed(host, .routeNotFound, heard)
  }

  @Test("G6 G4: nothing of a module that is refused is reached, not its names either, and nobody else serves them")
  func refused() async throws {
    let workshop = try Workshop()
    let rival = try identifier("com.example.rival")
    let host = try await workshop.hostRefusing(Self.module(), heir: Self.module("\(rival)"))
    // It asked for them, and failed.
    #expect(host.status(of: rival) == .loadFailed && workshop.marks == ["\(rival)"])
    let heard = try listen(host)
    try await expectClosed(host, .routeModuleRefused, heard)
    #expect(!host.switchboard.table.contains { $0.owner == "\(rival)" })
  }

  @Test("G6: nothing of a module that was tampered with is reached")
  func tampered() async throws {
    let host = try await Workshop().hostsFindingChange(in: Self.module()).inStore
    let heard = try listen(host)
    try await expectClosed(host, .routeModuleRefused, heard)
  }

  @Test(
    "G6: a module fails that registers what its description does not declare, and then nothing of it is there",
    arguments: [
      (
        #"TRY(register_route(host->context, signet_text_of("InnerJump://bank"), 0, 0, called, "bank", 0));"#,
        PluginError.Code.routeUndeclared
      ),
      (
        #"TRY(register_action(host->context, signet_text_of("Bank"), signet_text_of("x"), 1, called, "bank", 0));"#,
        .targetUndeclared
      ), (#"TRY(provide_service(host->context, signet_text_of("Bank"), host));"#, .serviceUndeclared),
    ])
  func undeclared(_ extra: String, _ undeclared: PluginError.Code) async throws {
    let host = try await Workshop().hostFailing(Self.module(extra: extra), with: undeclared)
    #expect(!host.switchboard.targets.hasTarget("Bank"))
    let heard = try listen(host)
    #expect(await code(PTRouter(host.switchboard), "InnerJump://bank") == .routeNotFound)
    try await expectClosed(host, .routeModuleRefused, heard)
  }

  /// Writes a file, and signs it.
  private func write(
    _ bytes: [UInt8], _ name: String, as signed: String? = nil, in folder: TemporaryFolder, by key: PrivateKey
  ) throws {
    try folder.write(name, bytes)
    let bundle = try Signer(key).sign(
      .bytes(bytes), Signer.FileClaims(name: signed ?? name, signedAt: ModuleWorkshop.time))
    try folder.write(name + ".sigstore.json", bundle.canonicalBytes())
  }

  @Test("launch files that have to be signed are refused unless the policy trusts their signer for them")
  func signedFiles() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try await host.install(workshop.offer(Self.module()))
    await host.start()
    let heard = try listen(host)
    let folder = try TemporaryFolder()
    let helper = PTAppLaunchHelper(host.switchboard, .signed(in: folder.path, by: host))
    let name = "AutoInitialize.plist"
    // Each file may be missing, which is no refusal.
    #expect(try await helper.autoInitModule().entries.isEmpty)
    #expect(host.refusals.isEmpty)
    let list = try plist(["classes": ["TLUMShareConfigurator"]], .binary)
    try write(list, name, in: folder, by: workshop.key)
    #expect(try await helper.autoInitModule().failures.isEmpty)
    #expect(heard.all == ["launch"])
    let stranger = try PrivateKey.generate(.ed25519)
    for (code, change) in [
      (.digestMismatch, { try folder.write(name, plist(["classes": ["HeroViewController"]], .binary)) }),
      (.signatureMissing, { try FileManager.default.removeItem(atPath: folder.file(name + ".sigstore.json")) }),
      (.signerUntrusted, { try write(list, name, in: folder, by: stranger) }),
      (.subjectName, { try write(list, name, as: "AppConfigurator.plist", in: folder, by: workshop.key) }),
    ] as [(SignetError.Code, () throws -> Any)] {
      _ = try change()
      let error = await #expect(throws: PluginError.self) { try await helper.autoInitModule() }
      #expect(error?.code == .launchFile && (error?.cause as? SignetError)?.code == code, "\(code)")
      #expect(host.refusals.last?.reason.code == code)
    }
    // The settings have to be signed, too.
    try write(list, name, in: folder, by: workshop.key)
    try folder.write("AppConfigurator.plist", plist([String: String]()))
    let error = await #expect(throws: PluginError.self) { try await helper.autoInitModule() }
    #expect((error?.cause as? SignetError)?.code == .signatureMissing)
    #expect(heard.all == ["launch"])
  }
}
