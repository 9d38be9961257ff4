import Foundation
import ModuleStore
import PARuntimeFace
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport

/// The gate, seen through PACore's names: what is refused is reached by none of them.
@Suite(
  "PACore's gate", .timeLimit(.minutes(60)), .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct PAGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.wechat"

  /// Makes sure that nothing of the module is reached, by whatever name.
  private func expectClosed(
    _ manager: PABundleManager, _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let bus = PABusAccessor()
    bus.use(manager)
    let bundle = PABundle(try identifier(Self.name), of: manager.host)
    for text in ["ui://wechat", "ui://wechat/pay?x=1"] {
      let uri = try #require(PAURI(text))
      #expect(manager.bundleDelegate(for: uri) == nil, sourceLocation: sourceLocation)
      #expect(await bus.resource(uri) == nil, sourceLocation: sourceLocation)
      do {
        _ = try await bundle.resource(uri)
        Issue.record("\(uri) was opened", sourceLocation: sourceLocation)
      } catch { #expect((error as? PluginError)?.code == code, sourceLocation: sourceLocation) }
    }
    #expect(bundle.resources.isEmpty, sourceLocation: sourceLocation)
    #expect(!manager.loaded.contains(bundle), sourceLocation: sourceLocation)
    #expect(!manager.host.switchboard.table.contains { $0.owner == Self.name }, sourceLocation: sourceLocation)
  }

  @Test("G6 G4: nothing of a module that is refused is reached, not its name either, and nobody else serves it")
  func refused() async throws {
    let workshop = try Workshop()
    let manager = PABundleManager(
      try await workshop.hostRefusing(
        Workshop.bundle(Self.name), heir: Workshop.bundle("com.example.heir", names: ["wechat"])))
    #expect(manager.bundle(Self.name)?.status == .refused)
    #expect(manager.bundle(Self.name)?.reason?.code == .signerUntrusted)
    #expect(await !manager.load(Self.name))
    #expect(!manager.isInstalled(Self.name))
    #expect(manager.installed.map(\.identifier) == ["com.example.heir"])
    try await expectClosed(manager, .routeModuleRefused)
    #expect(workshop.marks == ["com.example.heir-1"])
  }

  @Test("G6: nothing of a module that was tampered with is reached, in its archive or where it is installed")
  func tampered() async throws {
    let workshop = try Workshop()
    let place = try TemporaryFolder()
    try workshop.offer(Workshop.bundle(Self.name), as: "wechat.zip", in: place)
    try flip(place.file("wechat.zip")) { $0 / 2 }
    let first = try workshop.manager()
    #expect(try await !first.unzip(item(), from: place.path))
    #expect(first.host.refusals.last?.reason.code == .digestMismatch)
    #expect(await !first.load(Self.name))
    try await expectClosed(first, .routeNotFound)
    // It is installed, and one byte of its code changes.
    try await first.host.install(workshop.offer(Workshop.bundle(Self.name)))
    try workshop.changeBinary(of: Self.name)
    let manager = try workshop.manager()
    await manager.host.start()
    #expect(manager.bundle(Self.name)?.status == .refused)
    #expect(manager.bundle(Self.name)?.reason?.code == .storeDamaged)
    #expect(await !manager.load(Self.name))
    try await expectClosed(manager, .routeModuleRefused)
    #expect(workshop.marks.isEmpty)
    #expect(manager.host.images.isEmpty)
  }

  @Test("G6: a name that a module's description does not declare is not served, and the module fails that wants it")
  func undeclared() async throws {
    var module = Workshop.bundle(Self.name, names: ["wechat", "bank"])
    module.members = ", \"routes\": [\"ui://wechat\", \"ui://wechat/*\"]"
    let manager = PABundleManager(try await Workshop().hostFailing(module, with: .routeUndeclared))
    #expect(manager.bundle(Self.name)?.status == .loadFailed)
    #expect(manager.bundle(for: try #require(PAURI("ui://bank"))) == nil)
    try await expectClosed(manager, .routeModuleRefused)
  }

  @Test("G6: a module whose registrations are removed is reached no more, and is not entered again")
  func removed() async throws {
    let workshop = try Workshop()
    let manager = try workshop.manager()
    try await manager.host.install(workshop.offer(Workshop.bundle(Self.name)))
    #expect(await manager.load(Self.name))
    let uri = try #require(PAURI("ui://wechat"))
    let delegate = try #require(manager.bundleDelegate(for: uri))
    #expect(manager.host.unregister(try identifier(Self.name)))
    // A delegate that somebody kept reaches nothing more.
    do {
      _ = try await delegate.resource(uri)
      Issue.record("it was opened")
    } catch { #expect((error as? PluginError)?.code == .routeNotFound) }
    #expect(manager.bundleDelegate(for: uri) == nil)
    #expect(await !manager.load(Self.name))
    expectError(.loaderFinal) { try manager.host.load(identifier(Self.name)) }
    #expect(manager.host.switchboard.table.isEmpty)
  }
}
