import PluginHost
import PluginKit
import Signet
import SignetSystem
import SmallFace
import SmallRuntimeFace
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallTestSupport
@testable import SmallWebFace

/// Pages on many threads, while methods and modules come and go.
@Suite(
  "Small's web pages at once", .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SMWebStressTests {
  @Test("pages call, close, load and describe themselves on many threads, and each call is answered once", .seeded)
  func stress() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small { $0.closeLimit = .milliseconds(1) }
    let presenter = small.host.switchboard.presenter
    presenter.onChange { state in
      if state.shownAlert != nil { presenter.choose(0) }
    }
    let answers = Monitor(0)
    let seed = Seed.current
    let rounds = 60
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed &+ UInt64(worker))
          for round in 0..<rounds {
            guard let page = try? await small.openUri("about?x=\(round)").page,
              let controller = page.object as? SMWebController
            else { continue }
            controller.didStartLoad()
            controller.didFinishLoad()
            for _ in 0..<8 {
              switch Int.random(in: 0..<8, using: &random) {
              case 0:
                let method = ["scan", "alert", "confirm", "nope"].randomElement(using: &random) ?? "scan"
                #expect(await answer(controller.bridge, method).isAnswer)
                answers.withLock { $0 += 1 }
              case 1: (controller.view as? FakeView)?.post(#"{"type":"ready","title":"\#(round)","metas":{}}"#)
              case 2: (controller.view as? FakeView)?.post(#"{"type":"invoke","id":1,"method":"scan"}"#)
              case 3: presenter.close(page.id)
              case 4: _ = controller.answer(to: controller.url)
              case 5: controller.didStartLoad()
              case 6: _ = controller.shouldLoad("small://share", by: .link)
              default: _ = await answer(controller.bridge, "pop", ["ret": "1"])
              }
            }
          }
        }
      }
      group.addTask {
        for round in 0..<(rounds * 4) {
          try? small.registerJSMethod("scan") { _, callback in callback(.number(Double(round))) }
          _ = try? small.host.switchboard.router.remove(RoutePattern("smalljs://scan"), ownedBy: .host)
          await Task.yield()
        }
      }
    }
    #expect(answers.withLock { $0 } > 0)
    // In the end the module goes, and no page of it is left.
    #expect(small.host.unregister(try identifier(WebWorkshop.about)))
    #expect(presenter.state.tabs == [["home"]])
    #expect(await (try? small.openUri("about")) == nil)
  }
}

extension SMWebAnswer {
  /// Whether this is what a call may end with.
  fileprivate var isAnswer: Bool {
    switch self {
    case .success: true
    case .failure(let error): [.webMethodUnknown, .webClosed, .routeNotFound].contains(error.code)
    }
  }
}
