import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetArchive
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

/// Rows of the runtime that is taken over: statuses, loading, candidates, lists.
@Suite("the host", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct HostRowTests {
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

  @Test("PA4: statuses have an order, and only some can follow each other")
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

  @Test("PA4 PA5 D15: a module is installed, loaded once, and then it is there")
  func statuses() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let events = host.events
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.status", route: "ui://status", answer: "x"))
    ).module
    let first = try host.load(module)
    let second = try host.load(module)
    #expect(first.images == second.images)
    #expect(workshop.marks == ["com.example.status-1"])
    #expect(
      await statuses(events, until: .loaded) == [.verifying, .installing, .installed, .loading, .loaded])
    #expect(host.loaded(module)?.sequence == 1)
  }

  @Test("PA4 D15: what is not there is not loaded")
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
    let module = try host.install(
      workshop.offer(.init(identifier: "com.example.hook", main: .init(source: Workshop.principal(body: body))))
    ).module
    try host.load(module)
    try host.load(module)
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

  private func expectRoute(
    _ code: PluginError.Code, _ url: String, of host: PluginHost, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do throws(PluginError) {
      try host.open(url)
      Issue.record("\(url) was opened", sourceLocation: sourceLocation)
    } catch { #expect(error.code == code, sourceLocation: sourceLocation) }
  }

  @Test("PA8 D4 D16: a bad archive leaves the release that is installed as it is")
  func badUpdate() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.bad", route: "ui://bad", answer: "one"))
    ).module
    let update = try workshop.offer(Workshop.page("com.example.bad", 2, route: "ui://bad", answer: "two"))
    try flip(update) { $0 / 2 }
    expectError(.digestMismatch) { try host.install(update, module: module) }
    #expect(host.status(of: module) == .installed)
    try host.load(module)
    #expect(try host.open("ui://bad") as? String == "one")
  }

  @Test("PA8: a bad archive leaves a module that is refused, or has failed, as it is, with its reason")
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

  @Test("PA9 PA15: what is installed is there at the next start, and nothing is loaded by itself")
  func nextStart() throws {
    let workshop = try Workshop()
    let module = try workshop.host().install(
      workshop.offer(Workshop.page("com.example.next", route: "ui://next", answer: "x"))
    ).module
    let host = try workshop.host()
    host.takeStock()
    #expect(host.modules == [module: .installed])
    #expect(host.images.isEmpty)
    #expect(workshop.marks.isEmpty)
    #expect(host.start().map(\.module.identifier) == [module])
    #expect(try host.open("ui://next") as? String == "x")
  }

  @Test("PA9 D38: a state that was edited to call a release another one loads nothing")
  func editedState() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.edited", route: "ui://edited", answer: "x"))
    ).module
    let folder = workshop.path + "/modules/\(module)"
    let place = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    try #require(place.hasPrefix("1-"))
    let later = "2-" + place.dropFirst(2)
    try FileManager.default.moveItem(atPath: "\(folder)/\(place)", toPath: "\(folder)/\(later)")
    let state = URL(filePath: workshop.path + "/state.json")
    let text = try String(contentsOf: state, encoding: .utf8)
    let edited = text.replacing("\"active\":1", with: "\"active\":2").replacing(
      "\"sequence\":1", with: "\"sequence\":2")
    try #require(edited.contains("\"active\":2") && edited.contains("\"sequence\":2"))
    try Data(edited.utf8).write(to: state)
    let next = try workshop.host()
    #expect(next.start().isEmpty)
    #expect(next.reason(of: module)?.code == .storeDamaged)
    #expect(workshop.marks.isEmpty)
  }

  @Test("PA9 D38: another release's files in its place load nothing")
  func otherFiles() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.edited", route: "ui://edited", answer: "x"))
    ).module
    let other = try host.install(
      workshop.offer(Workshop.page("com.example.other", route: "ui://other", answer: "y"))
    ).module
    let modules = workshop.path + "/modules"
    let place = try #require(FileManager.default.contentsOfDirectory(atPath: "\(modules)/\(module)").first)
    let otherPlace = try #require(FileManager.default.contentsOfDirectory(atPath: "\(modules)/\(other)").first)
    try FileManager.default.removeItem(atPath: "\(modules)/\(module)/\(place)")
    try FileManager.default.copyItem(
      atPath: "\(modules)/\(other)/\(otherPlace)", toPath: "\(modules)/\(module)/\(place)")
    let later = try workshop.host()
    #expect(later.start().map(\.module.identifier) == [other])
    #expect(later.status(of: module) == .refused)
    #expect(workshop.marks == ["com.example.other-1"])
    // What the files in its place declare is not the refused module's: it withholds nothing from whose it is.
    #expect(try later.open("ui://other") as? String == "y")
  }

  @Test("PA10 D17: an upgrade is there at the next start, with its own routes and none of the old ones")
  func upgrade() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(Workshop.page("com.example.upgrade", route: "ui://old", answer: "one"))
    ).module
    host.start()
    try host.install(workshop.offer(Workshop.page("com.example.upgrade", 2, route: "ui://new", answer: "two")))
    #expect(host.status(of: module) == .loaded)
    #expect(try host.load(module).sequence == 1)
    #expect(try host.open("ui://old") as? String == "one")
    // Another process; its code is another file, so this one will do.
    let later = try workshop.host()
    later.start()
    #expect(try later.open("ui://new") as? String == "two")
    expectRoute(.routeNotFound, "ui://old", of: later)
  }

  @Test("PA12 G5: the highest of what ships with the host and what was fetched is taken, and older offers lose")
  func candidates() throws {
    let workshop = try Workshop()
    func page(_ sequence: Int) throws -> String {
      try workshop.offer(
        Workshop.page("com.example.candidate", sequence, route: "ui://candidate", answer: "\(sequence)"))
    }
    let embedded = try TemporaryFolder()
    func ship(_ path: String) throws {
      for path in [path, path + ".sigstore.jsonl"] {
        try FileManager.default.copyItem(
          atPath: path, toPath: embedded.file(URL(filePath: path).lastPathComponent))
      }
    }
    try ship(page(3))
    func host() throws -> PluginHost { try workshop.host { $0.embedded = embedded.path } }
    let first = try host()
    first.takeStock()
    expectError(.policyRollback) { try first.install(page(2)) }
    #expect(try first.load(identifier("com.example.candidate")).sequence == 3)
    try first.install(page(4))
    // The same sequence, fetched and shipped, is the same release.
    let second = try host()
    second.start()
    #expect(try second.open("ui://candidate") as? String == "4")
    // Once 4 has run, nothing older is taken, whatever ships with the host.
    try FileManager.default.removeItem(atPath: embedded.file("com.example.candidate-3.zip"))
    try ship(page(1))
    let third = try host()
    expectError(.policyRollback) { try third.install(workshop.folder.file("com.example.candidate-3.zip")) }
    #expect(third.start().map(\.sequence) == [4])
    // What ships with the host is no offer: that it is older is nobody's fault.
    #expect(third.refusals.map(\.reason.code) == [.policyRollback])
    #expect(second.refusals.isEmpty)
  }

  @Test(
    "PA12 G5: of two releases with one sequence the one that ships with the host is taken, and it mends what is damaged"
  )
  func equal() throws {
    let workshop = try Workshop()
    let embedded = try TemporaryFolder()
    func page(_ answer: String) throws -> String {
      try workshop.offer(Workshop.page("com.example.equal", 3, route: "ui://equal", answer: answer))
    }
    let shipped = try page("shipped")
    for path in [shipped, shipped + ".sigstore.jsonl"] {
      try FileManager.default.moveItem(atPath: path, toPath: embedded.file(URL(filePath: path).lastPathComponent))
    }
    let module = try workshop.host().install(page("fetched")).module
    func answer() throws -> String? {
      let host = try workshop.host { $0.embedded = embedded.path }
      host.start()
      #expect(host.refusals.map(\.reason.code).isEmpty)
      return try host.open("ui://equal") as? String
    }
    #expect(try answer() == "shipped")
    let folder = workshop.path + "/modules/\(module)"
    let releases = try FileManager.default.contentsOfDirectory(atPath: folder)
    try #require(releases.count == 1)
    try flip("\(folder)/\(releases[0])/files/lib/com_example_equal.so") { $0 / 2 }
    #expect(try answer() == "shipped")
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
    for status in [ModuleStatus.verifying, .installing] { #expect(host.records.note(module, status)) }
    try host.load(module)
    #expect(host.status(of: module) == .loaded)
    for status in [ModuleStatus.none, .refused] { #expect(!host.records.note(module, status)) }
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
