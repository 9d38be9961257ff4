import Foundation
import PluginKit
import Signet
import SignetArchive
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// Many modules at once. Under the thread sanitizer it tells races, too: `make sanitize`.
@Suite("many modules", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct StressTests {
  private typealias Workshop = ModuleWorkshop
  private static let count = 200
  private static let threads = 8

  /// A module that serves the route which its resource names, with that as its answer.
  private static let source = """
    #include <stdlib.h>
    #include <string.h>
    #include "signet_plugin.h"
    static const signet_host *kept;
    static char route[64];
    static void take(void *user, int32_t status, const signet_value *value) {
      if (status == SIGNET_OK && value->kind == SIGNET_DATA && value->as.text.count < sizeof route)
        memcpy(route, value->as.text.bytes, value->as.text.count);
    }
    static void show(void *user, const signet_request *request, signet_reply reply) {
      signet_value value = {SIGNET_TEXT, 0, {0}};
      value.as.text = signet_text_of(route);
      kept->reply(kept->context, reply, &value);
    }

    """
    + Workshop.principal(
      body: """
        kept = host;
        host->resource(host->context, signet_text_of("route"), take, NULL);
        return host->register_route(host->context, signet_text_of(route), 0, 0, show, NULL, NULL);
        """)

  /// What the threads that open know.
  private final class Opened: @unchecked Sendable {
    private let lock = NSLock()
    private var state = (isOver: false, count: 0, faults: [String]())

    var isOver: Bool { lock.withLock { state.isOver } }
    var count: Int { lock.withLock { state.count } }
    var faults: [String] { lock.withLock { state.faults } }
    func end() { lock.withLock { state.isOver = true } }
    func answered() { lock.withLock { state.count += 1 } }
    func fault(_ text: String) { lock.withLock { state.faults.append(text) } }
  }

  @Test("200 modules are loaded while eight threads open routes", .slow, .timeLimit(.minutes(60)), .seeded)
  func loadsWhileOpening() async throws {
    let workshop = try Workshop()
    let library = try TemporaryFolder()
    try workshop.build(.init(name: "module.so", source: Self.source), in: library.path, isBrought: false)
    var store: [String] = []
    for number in 0..<Self.count {
      let name = "com.example.m\(number)"
      try workshop.install(
        .init(
          identifier: name, main: .init(source: "", prebuilt: library.file("module.so")),
          members: ", \"routes\": [\"ui://m\(number)\"], \"resources\": [\"route\"]",
          files: ["route": "ui://m\(number)"]))
      store.append(name)
    }
    let host = try workshop.host()
    let opened = Opened()
    let group = DispatchGroup()
    for number in 0..<Self.threads {
      group.enter()
      let seed = Seed.current &+ UInt64(number)
      Thread.detachNewThread {
        var random = SeededRandom(seed)
        while !opened.isOver {
          let url = "ui://m\(Int.random(in: 0..<Self.count, using: &random))"
          do throws(PluginError) {
            let answer = try host.open(url) as? String
            if answer != url { opened.fault("\(url): \(answer ?? "nothing")") }
            opened.answered()
          } catch {
            if error.code != .routeNotFound { opened.fault("\(url): \(error)") }
          }
          // There are two cores for all of them, and for what is loaded meanwhile.
          usleep(1000)
        }
        group.leave()
      }
    }
    let loaded = await host.start()
    #expect(loaded.count == Self.count)
    // All are there now: each is opened once more.
    for number in 0..<Self.count { #expect(try await host.open("ui://m\(number)") as? String == "ui://m\(number)") }
    opened.end()
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(opened.faults.isEmpty, "\(opened.faults.prefix(3))")
    #expect(opened.count > 0)
    #expect(Set(host.images.map(\.base)).count == Self.count)
    #expect(Set(host.images.map(\.name)).count == Self.count)
    for image in host.images { #expect(store.contains("\(image.module)")) }
  }

  @Test(
    "whoever else installs, is refused and takes stock meanwhile: what is loaded is loaded, and can be taken away",
    .slow)
  func statuses() throws {
    for round in 0..<3 {
      let workshop = try Workshop()
      let host = try workshop.host()
      let name = "com.example.busy-\(round)"
      let module = try identifier(name)
      let one = try workshop.offer(Workshop.page(name, 1, route: "ui://busy\(round)", answer: "1"))
      let two = try workshop.offer(Workshop.page(name, 2, route: "ui://busy\(round)", answer: "2"))
      let bad = try workshop.offer(Workshop.page(name, 3, route: "ui://busy\(round)", answer: "3"))
      try flip(bad) { $0 / 2 }
      try host.install(one)
      let group = DispatchGroup()
      for worker in 0..<6 {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          for step in 0..<12 {
            switch (worker + step) % 6 {
            case 0: _ = try? host.load(module)
            case 1: _ = try? host.install(bad, module: module)
            case 2: _ = try? host.install(two)
            case 3: host.takeStock()
            case 4: _ = try? host.install(one, module: module)
            default: _ = host.start()
            }
          }
        }
      }
      group.wait()
      #expect(host.loaded(module) != nil)
      #expect(host.status(of: module) == .loaded, "\(round) \(host.reason(of: module)?.code.rawValue ?? "-")")
      #expect(host.switchboard.router.canOpen("ui://busy\(round)"), "\(round)")
      #expect(host.unregister(module))
    }
  }
}
