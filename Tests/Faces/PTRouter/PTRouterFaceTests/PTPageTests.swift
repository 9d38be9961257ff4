import Foundation
import PTLaunchFace
import PluginKit
import Testing

@testable import PTTestSupport

/// The URLs of `AutoRegistURL.plist`.
@Suite("PTRouter's pages") struct PTPageTests {
  private static let action = "initWithParam_"
  private static let hero = "InnerJump://strategy/hero"
  private static let login = "InnerJump://account/login"

  private func sample(_ files: PTLaunchFiles? = nil) throws -> (Switchboard, PTAppLaunchHelper, PTRouter, Heard) {
    let switchboard = Switchboard()
    let heard = Heard()
    let module = try context(
      switchboard, targets: ["HeroViewController": [Self.action], "LoginViewController": [Self.action]])
    let classes = PTInvocationHelper(module)
    try classes.registerClass(
      "HeroViewController",
      initWithParam: { param in
        heard.add("hero \(param["heroID"] ?? "-")")
        return HeroViewController(param, presents: param["heroID"] as? String != "0")
      })
    try classes.registerClass(
      "LoginViewController",
      initWithParam: { param in
        heard.add("login '\(param["paramA"] ?? "-")' '\(param["paramB"] ?? "-")'")
        return HeroViewController(param: param)
      })
    let helper = PTAppLaunchHelper(switchboard, try files ?? Sample.files())
    return (switchboard, helper, PTRouter(switchboard), heard)
  }

  private func code(_ router: PTRouter, _ url: String, _ param: [String: any Sendable]? = nil) async -> PluginError? {
    do throws(PluginError) {
      _ = try await router.open(url, param: param, limit: patience)
      return nil
    } catch { return error }
  }

  private func mismatch(
    _ router: PTRouter, _ url: String, _ param: [String: any Sendable]? = nil
  ) async -> RouteParameterMismatch? {
    let error = await code(router, url, param)
    #expect(error?.code == .routeParameters)
    #expect(await !router.openURL(url, param: param, limit: patience))
    return error?.cause as? RouteParameterMismatch
  }

  @Test(
    "PT7 D20: a URL of F6 takes exactly its parameters; the error names those that are missing or too many",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func parameters(_ format: PropertyListSerialization.PropertyListFormat) async throws {
    let (_, helper, router, heard) = try sample(try Sample.files([:], format))
    let report = try helper.autoRegistURL()
    #expect(report.entries.map(\.name) == [Self.login, Self.hero] && report.failures.isEmpty)
    #expect(await router.openURL(Self.hero + "?heroID=9527", limit: patience))
    #expect(await router.openURL(Self.hero, param: ["heroID": 9527], limit: patience))
    #expect(await mismatch(router, Self.hero) == RouteParameterMismatch(missing: ["heroID"], extra: []))
    #expect(
      await mismatch(router, Self.hero + "?heroID=9527&x=1") == RouteParameterMismatch(missing: [], extra: ["x"]))
    #expect(
      await mismatch(router, Self.hero + "?heroId=1", ["y": 1])
        == RouteParameterMismatch(missing: ["heroID"], extra: ["y", "heroId"]))
    #expect(heard.all == ["hero 9527", "hero 9527"])
    heard.clear()
    // A dictionary names parameters, and has values for those that are missing. Their order does not count.
    #expect(await router.openURL(Self.login + "?paramB=hhh&paramA=233", limit: patience))
    #expect(await router.openURL(Self.login, limit: patience))
    #expect(await router.openURL(Self.login + "?paramB=1", limit: patience))
    #expect(heard.all == ["login '233' 'hhh'", "login '' ''", "login '' '1'"])
    #expect(
      await mismatch(router, Self.login + "?paramC=1") == RouteParameterMismatch(missing: [], extra: ["paramC"]))
  }

  @Test("D20: the names [a, a] are not [a, b]")
  func multisets() async throws {
    let entry: [String: Any] = ["controller": "HeroViewController", "params": ["a", "a"]]
    let (_, helper, router, heard) = try sample(
      try Sample.files(["AutoRegistURL.plist": ["InnerJump://twice": entry]]))
    try helper.autoRegistURL()
    #expect(
      await mismatch(router, "InnerJump://twice?a=1&b=2") == RouteParameterMismatch(missing: [], extra: ["b"]))
    #expect(heard.all.isEmpty)
    #expect(await router.openURL("InnerJump://twice?a=1", limit: patience))
  }

  @Test("PT8: a page says whether it presents itself; only the scheme InnerJump presents pages")
  func presenting() async throws {
    let (_, helper, router, heard) = try sample(
      try Sample.files([
        "AutoRegistURL.plist": Sample.autoRegistURL.merging(
          ["other://strategy/hero": ["controller": "HeroViewController", "params": ["heroID"]]]) { $1 }
      ]))
    try helper.autoRegistURL()
    #expect(await router.openURL(Self.hero + "?heroID=1", limit: patience))
    #expect(await router.openURL("innerjump://strategy/hero?heroID=1", limit: patience))
    #expect(await !router.openURL(Self.hero + "?heroID=0", limit: patience))
    #expect(await code(router, Self.hero + "?heroID=0") == nil)
    // It is not registered, so nothing is made.
    #expect(await code(router, "tourelle://strategy/hero?heroID=1")?.code == .routeNotFound)
    #expect(await !router.openURL("tourelle://strategy/hero?heroID=1", limit: patience))
    #expect(heard.all == ["hero 1", "hero 1", "hero 0", "hero 0"])
    // It is registered, and made, but not presented.
    #expect(await !router.openURL("other://strategy/hero?heroID=1", limit: patience))
    #expect(heard.all.count == 5)
  }

  @Test("D20: a class that is missing, refused, or gives no page is an error, and the URL is not opened")
  func missing() async throws {
    let (switchboard, helper, router, heard) = try sample(
      try Sample.files([
        "AutoRegistURL.plist": [
          "InnerJump://unknown": ["controller": "Unknown"], "InnerJump://refused": ["controller": "Refused"],
          "InnerJump://text": ["controller": "Text"], "InnerJump://fails": ["controller": "Fails"],
          "InnerJump://none": ["controller": "None"], "InnerJump://name": ["controller": "盲僧"],
        ]
      ]))
    switchboard.refuse(targets: ["Refused"], of: .module("com.example.b"), because: "its signer is not trusted")
    let host = PTInvocationHelper(switchboard)
    try host.registerClass(
      "Text", make: { true }, methods: PTMethods { $0.add("initWithParam:") { _, _ in "no page" } })
    try host.registerClass(
      "Fails", make: { true }, methods: PTMethods { $0.add("initWithParam:") { _, _ in throw CancellationError() } })
    try host.registerClass("None", make: { true }, methods: PTMethods { $0.add("initWithParam") { _ in 1 } })
    #expect(try helper.autoRegistURL().failures.isEmpty)
    for (url, expected) in [
      ("unknown", .launchNotLoaded), ("refused", .launchNotLoaded), ("name", .launchNotLoaded),
      ("fails", .actionFailed), ("none", .actionNotFound), ("text", nil),
    ] as [(String, PluginError.Code?)] {
      #expect(await code(router, "InnerJump://" + url)?.code == expected, "\(url)")
      #expect(await !router.openURL("InnerJump://" + url, limit: patience), "\(url)")
    }
    let refused = await code(router, "InnerJump://refused")?.cause as? PluginError
    #expect(refused?.code == .targetModuleRefused)
    #expect(heard.all.isEmpty)
  }

  @Test("a class is looked for when its URL is opened, so its module may come later, and go")
  func later() async throws {
    let switchboard = Switchboard()
    let router = PTRouter(switchboard)
    try PTAppLaunchHelper(switchboard, Sample.files()).autoRegistURL()
    #expect(await code(router, Self.hero + "?heroID=1")?.code == .launchNotLoaded)
    let module = try context(switchboard, targets: ["HeroViewController": [Self.action]])
    try PTInvocationHelper(module).registerClass(HeroViewController.self)
    #expect(await router.openURL(Self.hero + "?heroID=1", limit: patience))
    switchboard.removeAll(ownedBy: .module("com.example.a"))
    #expect(await code(router, Self.hero + "?heroID=1")?.code == .launchNotLoaded)
  }

  @Test("a page shows itself by the presenter of its module")
  func presenter() async throws {
    let switchboard = Switchboard()
    let router = PTRouter(switchboard)
    let module = try context(switchboard, targets: ["HeroViewController": [Self.action]])
    try PTInvocationHelper(module).registerClass(
      "HeroViewController", initWithParam: { PresentedPage(title: "\($0["heroID"] ?? "")", module.presenter) })
    try PTAppLaunchHelper(switchboard, Sample.files()).autoRegistURL()
    switchboard.presenter.present("root")
    #expect(await router.openURL(Self.hero + "?heroID=1", limit: patience))
    let top = try #require(switchboard.presenter.state.pages.last)
    #expect(top.title == "1" && top.owner == .module("com.example.a"))
  }

  @Test("a switchboard is gone when its host is, whatever its launch files have registered")
  func released() throws {
    weak var left: Switchboard?
    do {
      let switchboard = Switchboard()
      left = switchboard
      let helper = PTAppLaunchHelper(switchboard, try Sample.files())
      try helper.autoRegistURL()
      try helper.autoRegistDataModules()
      try PTRouter(switchboard).registerURL("a://b") { _, callback in callback(true) }
      try PTAppEventBus(switchboard).didBecomeActive.observe { _ in }
      try PTAppEventBus(switchboard).start()
    }
    #expect(left == nil)
  }

  @Test("an entry that means nothing is told and left out; unknown keys are told; a second file replaces the first")
  func entries() async throws {
    let bad: [String: Any] = [
      "InnerJump://good": ["controller": "HeroViewController", "style": 1, "z": [1], "params": [String]()],
      "no URL": ["controller": "HeroViewController"], "InnerJump://a//b": ["controller": "HeroViewController"],
      "InnerJump://text": "HeroViewController", "InnerJump://none": ["params": ["a"]],
      "InnerJump://number": ["controller": 1],
      "InnerJump://params": ["controller": "HeroViewController", "params": "a"],
      "InnerJump://names": ["controller": "HeroViewController", "params": ["a", 1]],
      "InnerJump://taken": ["controller": "HeroViewController"],
    ]
    let (switchboard, helper, router, _) = try sample(try Sample.files(["AutoRegistURL.plist": bad]))
    let module = PTRouter(try context(switchboard, "com.example.b", routes: ["InnerJump://taken"]))
    try module.registerURL("InnerJump://taken") { _, callback in callback(true) }
    let report = try helper.autoRegistURL()
    #expect(report.entries.map(\.name) == bad.keys.sorted())
    #expect(report.unknownKeys == ["InnerJump://good.style", "InnerJump://good.z"])
    var codes: [String: PluginError.Code] = [:]
    for entry in report.failures { codes[entry.name] = entry.error?.code }
    #expect(
      codes == [
        "no URL": .urlMalformed, "InnerJump://a//b": .urlEmptySegment, "InnerJump://text": .launchEntry,
        "InnerJump://none": .launchEntry, "InnerJump://number": .launchEntry, "InnerJump://params": .launchEntry,
        "InnerJump://names": .launchEntry, "InnerJump://taken": .routeConflict,
      ])
    #expect(switchboard.router.routes(ownedBy: .host).count == 1)
    #expect(await router.openURL("InnerJump://taken", limit: patience))
    #expect(await mismatch(router, "InnerJump://good?heroID=1")?.extra == ["heroID"])
    // The same URL with other parameters.
    let next = ["InnerJump://good": ["controller": "HeroViewController", "params": ["heroID"]]]
    try PTAppLaunchHelper(switchboard, Sample.files(["AutoRegistURL.plist": next])).autoRegistURL()
    #expect(await router.openURL("InnerJump://good?heroID=1", limit: patience))
    #expect(switchboard.router.routes(ownedBy: .host).count == 1)
    // Without a file, nothing happens.
    let none = try PTAppLaunchHelper(switchboard, .inProgram([:])).autoRegistURL()
    #expect(none.entries.isEmpty && none.unknownKeys.isEmpty)
    expectPluginError(.launchFile) {
      try PTAppLaunchHelper(switchboard, .inProgram(["AutoRegistURL.plist": plist([1])])).autoRegistURL()
    }
  }
}

/// A page that its module's presenter shows.
@MainActor private final class PresentedPage: PTRouterVCProtocol {
  private let page: Page
  private let presenter: ModulePresenter

  init(title: String, _ presenter: ModulePresenter) {
    page = Page(title)
    self.presenter = presenter
  }

  func presentingSelf() -> Bool { presenter.push(page) }
}
