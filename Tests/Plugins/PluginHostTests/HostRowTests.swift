import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetELF
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// Rows of the runtime that is taken over: statuses, loading, candidates, lists.
@Suite(
  "the host", .timeLimit(.minutes(60)), .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct HostRowTests {
  private typealias Workshop = ModuleWorkshop

  /// The statuses that a stream tells of until one of them is there.
  private func statuses(_ events: AsyncStream<HostEvent>, until last: ModuleStatus) async -> [ModuleStatus] {
    var found: [ModuleStatus] = []
    for await event in events {
      guard case .status(_, let status, _) = event else { continue }
      found.append(status)
      if status == last { break }
    }
    return found
  }

  @Test("statuses have an order, and only some can follow each other")
  func transitions() {
    let way: [ModuleStatus] = [
      .none, .downloading, .downloaded, .verifying, .installing, .installed, .loading, .loaded,
    ]
    #expect(way == way.sorted())
    for (one, next) in zip(way, way.dropFirst()) { #expect(one.canBecome(next), "\(one) \(next)") }
    for status in ModuleStatus.allCases {
      #expect(!status.canBecome(status))
      // Nothing is loaded that was not being loaded, and nothing is installed unverified.
      #expect(status.canBecome(.loaded) == (status == .loading))
      #expect(status.canBecome(.installing) == (status == .verifying))
    }
    #expect(!ModuleStatus.loaded.canBecome(.loading))
    #expect(!ModuleStatus.none.canBecome(.loading))
    #expect(ModuleStatus.loadFailed.canBecome(.loading))
  }

  @Test("PA5 D15: a module is installed, loaded once, and then it is there")
  func statuses() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let events = host.events
    let module = try await host.install(
      workshop.offer(Workshop.page("com.example.status", route: "ui://status", answer: "x"))
    ).module
    let first = try await host.load(module)
    let second = try await host.load(module)
    #expect(first.images == second.images)
    #expect(workshop.marks == ["com.example.status-1"])
    #expect(
      await statuses(events, until: .loaded) == [.verifying, .installing, .installed, .loading, .loaded])
    #expect(host.loaded(module)?.sequence == 1)
  }

  @Test("D15: what is not there is not loaded")
  func missing() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    expectError(.storeNotInstalled) { try host.load(identifier("com.example.absent")) }
    #expect(try host.status(of: identifier("com.example.absent")) != .loaded)
  }

  /// The statuses of all modules, each time that somebody was told.
  private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var statuses: [[ModuleStatus]] = []

    var all: [[ModuleStatus]] { lock.withLock { statuses } }
    func add(_ now: [ModuleStatus]) { lock.withLock { statuses.append(now) } }
  }

  @Test("PA5: the module is told once, after it is loaded, and while it registers it counts as loaded")
  func hook() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let events = host.events
    let told = Told()
    let heard = try host.switchboard.notifications.observe("hook", owner: .host) { _ in
      told.add(host.modules.values.map { $0 })
    }
    let body = """
      signet_named_value none[1]; (void)none;
      return host->post(host->context, signet_text_of("hook"), NULL, 0);
      """
    let module = try await host.install(
      workshop.offer(.init(identifier: "com.example.hook", main: .init(source: Workshop.principal(body: body))))
    ).module
    try await host.load(module)
    try await host.load(module)
    #expect(await statuses(events, until: .loaded).last == .loaded)
    #expect(told.all == [[.loaded]])
    heard.cancel()
  }

  @Test("PA5 PA6 D7: what fails right after it was loaded has failed for good, and nothing of it is reached")
  func fails() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let source =
      Workshop.constructor("fails")
      + Workshop.principal(
        body: """
          host->register_route(host->context, signet_text_of("ui://fails"), 0, 0, 0, 0, 0);
          return SIGNET_ERROR_FAILED;
          """)
    let module = try host.install(
      workshop.offer(
        .init(
          identifier: "com.example.fails-late", main: .init(source: source), members: ", \"routes\": [\"ui://fails\"]"
        ))
    ).module
    for _ in 0..<2 {
      expectError(.loaderFinal) { try host.load(module) }
      #expect(host.status(of: module) == .loadFailed)
    }
    #expect(workshop.marks == ["fails"])
    #expect(host.switchboard.table.isEmpty)
    expectRoute(.routeModuleRefused, "ui://fails", of: host)
  }

  @Test("PA8 D4 D16: a good archive is installed; one that is damaged or signed by another leaves that as it is")
  func badUpdate() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.bad", route: "ui://bad", answer: "one"))
    ).module
    #expect(host.status(of: module) == .installed)
    let page = Workshop.page("com.example.bad", 2, route: "ui://bad", answer: "two")
    let update = try workshop.offer(page)
    try flip(update) { $0 / 2 }
    expectError(.digestMismatch) { try host.install(update, module: module) }
    #expect(host.status(of: module) == .installed)
    try FileManager.default.removeItem(atPath: update)
    let foreign = try workshop.offer(page, keys: [PrivateKey.generate(.ed25519)])
    expectError(.signerUntrusted) { try host.install(foreign, module: module) }
    #expect(host.status(of: module) == .installed)
    try host.load(module)
    #expect(try host.open("ui://bad") as? String == "one")
  }

  @Test("a bad archive leaves a module that is refused, or has failed, as it is, with its reason")
  func badOffer() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let absent =
      ", \"requires\": {\"modules\": [{\"identifier\": \"com.example.absent\", \"versions\": \">=1.0.0\"}]}"
    let needy = Workshop.page("com.example.needy", route: "ui://needy", answer: "x", members: absent)
    let failing = Workshop.Module(
      identifier: "com.example.failing",
      main: .init(source: Workshop.principal(body: "return SIGNET_ERROR_FAILED;")))
    for (module, status, code) in [
      (needy, ModuleStatus.refused, SignetError.Code.hostRequirement), (failing, .loadFailed, .loaderFinal),
    ] {
      let offer = try workshop.offer(module)
      let identifier = try host.install(offer).module
      expectError(code) { try host.load(identifier) }
      try FileManager.default.removeItem(atPath: offer + ".sigstore.jsonl")
      expectError(.signatureMissing) { try host.install(offer, module: identifier) }
      #expect(host.status(of: identifier) == status)
      #expect(host.reason(of: identifier)?.code == code)
    }
  }

  @Test("PA6: a module without a principal, or whose principal is none, is not loaded, and the reason is told")
  func principal() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let source = Workshop.constructor("principal") + Workshop.principal("other")
    let missing = try host.install(
      workshop.offer(Workshop.Module(identifier: "com.example.missing", main: .init(source: source)).unchecked)
    ).module
    expectError(.elfPrincipal) { try host.load(missing) }
    #expect(host.status(of: missing) == .loadFailed)
    #expect(host.reason(of: missing)?.code == .elfPrincipal)
    #expect(workshop.marks.isEmpty)
    let bad = try host.install(
      workshop.offer(
        .init(
          identifier: "com.example.nonconforming",
          main: .init(
            source: """
              #include "signet_plugin.h"
              __attribute__((visibility("default"))) int32_t m_main(const signet_host *host, signet_plugin *plugin) {
                plugin->version = SIGNET_PLUGIN_VERSION + 1;
                return SIGNET_OK;
              }

              """)))
    ).module
    let error = expectError(.loaderFinal) { try host.load(bad) }
    #expect((error?.cause as? SignetError)?.code == .loaderEntryFailed)
    #expect(host.status(of: bad) == .loadFailed)
    #expect(host.switchboard.table.isEmpty)
  }

  @Test("registrations can be taken away, and the code is not entered again")
  func unregister() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.unregister", route: "ui://unregister", answer: "x"))
    ).module
    #expect(!host.unregister(module))
    try host.load(module)
    #expect(host.unregister(module))
    #expect(host.switchboard.table.isEmpty)
    #expect(host.status(of: module) == .installed)
    expectError(.loaderFinal) { try host.load(module) }
    #expect(!host.images.isEmpty)
  }

  @Test("what is loaded can be taken away, whatever is offered as its update meanwhile")
  func unregisterDuringOffer() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.offered", route: "ui://offered", answer: "x"))
    ).module
    // As another thread does that installs.
    for status in [ModuleStatus.verifying, .installing] { #expect(host.context.records.note(module, status)) }
    try host.load(module)
    #expect(host.status(of: module) == .loaded)
    for status in [ModuleStatus.none, .refused] { #expect(!host.context.records.note(module, status)) }
    #expect(host.unregister(module))
    #expect(host.loaded(module) == nil)
    #expect(host.switchboard.table.isEmpty)
  }

  @Test("registrations that are taken away while the module still registers stay away")
  func unregisterDuringLoad() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let body = "host->post(host->context, signet_text_of(\"early\"), NULL, 0); return SIGNET_OK;"
    let module = try host.install(
      workshop.offer(.init(identifier: "com.example.early", main: .init(source: Workshop.principal(body: body))))
    ).module
    let heard = try host.switchboard.notifications.observe("early", owner: .host) { _ in
      #expect(host.unregister(module))
    }
    for _ in 0..<2 { expectError(.loaderFinal) { try host.load(module) } }
    heard.cancel()
    #expect(host.loaded(module) == nil)
    #expect(!host.unregister(module))
  }
}
