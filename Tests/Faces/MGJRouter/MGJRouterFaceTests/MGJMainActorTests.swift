import Dispatch
import MGJRouterFace
import PluginKit
import Synchronization
import Testing

@Suite("MGJRouter's calls on the main actor, and for tasks") struct MGJMainActorTests {
  /// No thread but the main actor's may see it.
  private final class View {
    var texts: [String] = []
  }

  private let patience = Duration.seconds(3600)

  @Test("MG8: a handler on the main actor gets values and a completion that are not Sendable, and calls it there")
  func values() async throws {
    try await MainActor.run {
      let router = MGJRouter(Switchboard())
      try router.registerURLPatternOnMain(
        "mgj://push/:name",
        toHandler: { parameters in
          let view = parameters.userInfo?["view"] as? View
          view?.texts.append(parameters["name"] as? String ?? "")
          (parameters[MGJRouterParameterCompletion] as? MGJRouterMainCompletion)?(view)
        })
      let view = View()
      var result: View?
      let error = router.openURLOnMain("mgj://push/x", withUserInfo: ["view": view]) { result = $0 as? View }
      #expect(error == nil && view.texts == ["x"] && result === view)
      // Neither values nor completion.
      #expect(router.openURLOnMain("mgj://push/y") == nil)
      #expect(router.openURLOnMain("mgj://none")?.code == .routeNotFound)
    }
  }

  @Test("the input of a handler on the main actor is that of other handlers")
  func input() async throws {
    try await MainActor.run {
      let router = MGJRouter(Switchboard())
      var seen: MGJRouterMainParameters?
      try router.registerURLPatternOnMain("mgj://p/:user-id") { seen = $0 }
      let url = "mgj://p/7/x?q=1&MGJRouterParameterUserInfo=x&MGJRouterParameterCompletion=x"
      router.openURLOnMain(url)
      let parameters = try #require(seen)
      #expect(parameters.url == url && parameters[MGJRouterParameterURL] as? String == url)
      #expect(parameters.path == ["user-id": "7"] && parameters["user-id"] as? String == "7")
      #expect(parameters.query["q"] == "1" && parameters["q"] as? String == "1")
      #expect(parameters.isFallback && parameters.request.sender == .host)
      #expect(parameters.userInfo == nil && parameters[MGJRouterParameterUserInfo] == nil)
      #expect(parameters.completion == nil && parameters[MGJRouterParameterCompletion] == nil)
      #expect(parameters.parameters.dictionary.keys.sorted() == ["MGJRouterParameterURL", "q", "user-id"])
    }
  }

  @Test("a caller elsewhere reaches a handler on the main actor, and its completion gets a result of it")
  func fromElsewhere() async throws {
    let router = MGJRouter(Switchboard())
    try router.registerURLPatternOnMain(
      "mgj://push",
      toHandler: { parameters in
        let number = parameters.userInfo?["n"] as? Int ?? 0
        parameters.completion?(number + 1)
        parameters.completion?(View())
      })
    let results = Mutex<[String]>([])
    let error = await router.openURL("mgj://push", withUserInfo: ["n": 1900], limit: patience) { result in
      results.withLock { $0.append(result is MainActorValue ? "box" : "\(result ?? "nothing")") }
    }
    #expect(error == nil && results.withLock { $0 } == ["1901", "box"])
    // The same from a thread that waits.
    let waited = Mutex<String?>(nil)
    let limit = patience
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        let error = router.openURL("mgj://push", limit: limit)
        waited.withLock { $0 = "\(error?.code.rawValue ?? "ran")" }
        done.resume()
      }
    }
    #expect(waited.withLock { $0 } == "ran")
  }

  @Test("a caller on the main actor reaches other handlers: simple values as they are, others in boxes")
  func otherHandlers() async throws {
    let router = MGJRouter(Switchboard())
    let calls = Calls()
    try router.registerURLPattern("mgj://any") { calls.add("any", $0) }
    try await MainActor.run {
      let view = View()
      var results: [String] = []
      let error = router.openURLOnMain("mgj://any", withUserInfo: ["id": 7, "view": view]) {
        results.append("\($0 ?? "nothing")")
      }
      let parameters = try #require(calls.last)
      #expect(error == nil && parameters.userInfo?["id"] as? Int == 7)
      #expect((parameters.userInfo?["view"] as? MainActorValue)?.value as? View === view)
      // On the main actor, the completion is called at once.
      parameters.completion?("now")
      #expect(results == ["now"])
    }
    // From another thread, the main actor calls it.
    await withCheckedContinuation { done in
      Task { @MainActor in
        await router.openURLOnMain("mgj://any", limit: patience) { result in
          dispatchPrecondition(condition: .onQueue(.main))
          #expect(result as? String == "later")
          done.resume()
        }
        let completion = calls.last?.completion
        DispatchQueue.global().async { completion?("later") }
      }
    }
  }

  @Test("MG9: objects in all forms: as they are on the main actor, and in boxes elsewhere")
  func objects() async throws {
    let router = MGJRouter(Switchboard())
    try router.registerURLPatternOnMain("mgj://view", toObjectHandler: { _ in View() })
    try router.registerURLPatternOnMain(
      "mgj://text/:t", toObjectHandler: { "\($0["t"] ?? "") \($0.userInfo?["k"] ?? "-")" })
    try router.registerURLPattern("mgj://plain", toObjectHandler: { $0.userInfo?["k"] })
    let box = try #require(await router.object(forURL: "mgj://view", limit: patience) as? MainActorValue)
    #expect(await MainActor.run { box.value is View })
    #expect(await router.object(forURL: "mgj://text/x", withUserInfo: ["k": 1], limit: patience) as? String == "x 1")
    #expect(await router.object(forURL: "mgj://plain", withUserInfo: ["k": 2], limit: patience) as? Int == 2)
    let isView = await Task { @MainActor in
      let view = await router.objectOnMain(forURL: "mgj://view", limit: patience)
      let plain = await router.objectOnMain(forURL: "mgj://plain", withUserInfo: ["k": 3], limit: patience)
      let none = await router.objectOnMain(forURL: "mgj://none", limit: patience)
      return view is View && plain as? Int == 3 && none == nil
    }.value
    #expect(isView)
    await MainActor.run {
      #expect(router.objectOnMain(forURL: "mgj://text/y", withUserInfo: ["k": View()]) as? String != nil)
      #expect(router.object(forURL: "mgj://text/y") as? String == "y -")
    }
  }

  @Test("a handler that throws is told, and one that declines leaves the URL to the next")
  func failing() async throws {
    let fixture = try Fixture("mgj://")
    try fixture.router.registerURLPattern("mgj://fails") { _ in throw CancellationError() }
    try fixture.router.registerURLPattern("mgj://declines") { _ in throw RouteDeclined() }
    try fixture.router.registerURLPatternOnMain("mgj://main", toHandler: { _ in throw CancellationError() })
    let failed = await fixture.router.openURL("mgj://fails")
    #expect(failed?.code == .routeFailed && failed?.cause is CancellationError)
    #expect(await fixture.router.openURL("mgj://main", limit: patience)?.code == .routeFailed)
    #expect(await fixture.router.openURL("mgj://declines") == nil)
    #expect(fixture.calls.names == ["mgj://"] && fixture.calls.last?.url == "mgj://declines")
    let code = await Task { @MainActor in
      await fixture.router.openURLOnMain("mgj://fails", limit: patience)?.code
    }.value
    #expect(code == .routeFailed)
  }
}
