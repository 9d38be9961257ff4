import Foundation
import PluginHost
import PluginKit
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// All calls at once, while modules come and go.
@Suite(
  "Small's calls at once", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallStressTests {
  private typealias Workshop = SmallWorkshop

  @Test(
    "whoever opens, asks, registers, sets up and upgrades meanwhile gets a page of the right bundle, or a refusal")
  func stress() async throws {
    let workshop = try Workshop()
    let names = (0..<4).map { "m\($0)" }
    try workshop.manifest(
      #"{"version": "1.0.0", "bundles": [\#((names.map { Workshop.entry($0) } + [Workshop.entry("about", "web")]).joined(separator: ", "))]}"#
    )
    let contexts = Monitor<[ModuleContext]>([])
    for name in names {
      try workshop.ship(
        workshop.app(
          Workshop.prefix + "app." + name, members: #", "pages": [""], "routes": ["small://\#(name)"]"#,
          plugin: SMAppPlugin(principal: MainController.self) { context in
            try SmallModule(context).registerAction(name) { _, _ in }
            contexts.withLock { $0.append(context) }
          }))
    }
    try workshop.shipAssets(Workshop.prefix + "web.about", files: ["index.html": "1"])
    let launcher = TestLauncher("web") { $0.type == .assets }
    let small = try workshop.small(launchers: [SMAppBundleLauncher(), launcher])
    try await small.setUp()
    #expect(small.allBundles.count == 5)
    let modules = contexts.withLock { $0 }.map { SmallModule($0) }
    let opened = Monitor(0)
    let temp = workshop.documents.file("temp")
    let updates = try (2...4).map { sequence in
      let archive = try workshop.assets(Workshop.prefix + "web.about", sequence, files: ["index.html": "\(sequence)"])
      return try workshop.documents.write("update-\(sequence)", workshop.attached(archive))
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for step in 0..<60 {
            let name = names[(worker + step) % names.count]
            do throws(PluginError) {
              let outcome = try await small.openUri("\(name)?n=\(step)")
              #expect(outcome.page?.owner == .module(Workshop.prefix + "app." + name))
              opened.withLock { $0 += 1 }
            } catch {
              #expect(
                [.routeNotFound, .routeModuleRefused, .pageNotFound, .moduleRemoved].contains(error.code), "\(error)")
            }
            if let match = small.match(forUri: "\(name)?n=\(step)") { #expect(match.queryParams == ["n": "\(step)"]) }
            _ = await modules[worker].controller(forUri: name)
            _ = try? await modules[worker].openUri("small://\(name)")
            _ = small.bundleVersions
          }
        }
      }
      group.addTask {
        for step in 0..<30 {
          try? small.registerAction("host") { _, _ in }
          _ = try? await small.openUri("small://host?n=\(step)")
          _ = small.handler(forAction: "host")
          small.bundleUpgradeMode = step.isMultiple(of: 2) ? .setup : [.setup, .background]
          try? small.setBundleUpgradeUrls(["x": "\(step)"])
          _ = small.bundleUpgradeUrls(for: .setup)
        }
      }
      group.addTask {
        for _ in 0..<3 { _ = try? await small.setUp() }
      }
      group.addTask {
        // One module after the other goes for good.
        for name in names.prefix(2) {
          guard let module = try? identifier(Workshop.prefix + "app." + name) else { continue }
          small.host.unregister(module)
        }
      }
      group.addTask {
        for archive in updates {
          guard let bundle = small.manifestBundles.last else { continue }
          try? FileManager.default.createDirectory(atPath: temp, withIntermediateDirectories: true)
          rename(archive, temp + "/" + Workshop.prefix + "web.about.zip")
          _ = try? await small.upgrade(bundle)
        }
      }
    }
    #expect(opened.withLock { $0 } > 0)
    try await small.setUp()
    #expect(small.allBundles.map { $0.uri.suffix(2) } == ["m2", "m3", "ut"])
    #expect(
      small.bundleVersions[Workshop.prefix + "web.about"] == "4",
      "\(small.host.refusals.map(\.reason)), \((try? FileManager.default.contentsOfDirectory(atPath: temp)) ?? [])")
    for name in names {
      let isThere = names.suffix(2).contains(name)
      let page = try? await small.openUri(name).page
      #expect((page != nil) == isThere, "\(name)")
    }
  }

  @Test("a setup that ends after a later one leaves the bundles and rules of the later one's manifest in place")
  func overtaken() throws {
    let workshop = try Workshop()
    try workshop.manifest(Workshop.list(#"{"uri": "first", "pkg": "main"}"#))
    let current = Monitor<Small?>(nil)
    let during = Monitor<(() -> Void)?>(nil)
    try workshop.ship(
      workshop.app(
        "\(Workshop.prefix)app.main",
        plugin: SMAppPlugin(principal: MainController.self) { _ in during.withLock { $0.take() }?() }))
    let small = try workshop.small()
    // So that nothing that was fetched is removed.
    try small.setUp()
    current.withLock { $0 = small }
    try workshop.manifest(Workshop.list(Workshop.entry("main")), 2, fetched: true)
    nonisolated(unsafe) let later = workshop
    during.withLock {
      $0 = {
        // While the module of the second manifest is loaded, the third one comes, and is used at once.
        let done = DispatchSemaphore(value: 0)
        Thread {
          defer { done.signal() }
          do {
            try later.manifest(Workshop.list(#"{"uri": "own", "pkg": "main"}"#), 3, fetched: true)
            try current.withLock { $0 }?.setUp()
          } catch { Issue.record(error) }
        }.start()
        done.wait()
      }
    }
    try small.setUp()
    #expect(during.withLock { $0 == nil })
    #expect(small.manifestBundles.map(\.uri) == [Workshop.base + "own"])
    #expect(small.match(forUri: "main") == nil && small.match(forUri: "own") != nil)
    expectPlugin(.routeNotFound) { try small.openUri("main") }
  }
}
