import MGJRouterFace
import PluginKit
import TestSupport
import Testing

/// Random patterns and URLs, compared with ``SlowMGJRouter``. Each trial has a seed of its own. A failure names it: run
/// it again with `SIGNET_SEED=… swift test --filter MGJPropertyTests`.
@Suite("MGJRouter's calls and a slow model of it do the same") struct MGJPropertyTests {
  @Test("while a host and two modules register, deregister, come and go", arguments: 0..<4)
  func sameAnswers(_ share: Int) async {
    for number in 0..<150 {
      let seed = Seed.ofRun &+ UInt64(share * 150 + number)
      do { try MGJTrial(seed: seed).run(steps: 60) } catch {
        Issue.record("\(Seed.variable)=\(seed): \(error)")
        return
      }
      await Task.yield()
    }
  }

  @Test("a URL that is made of a pattern is served by it, with the values of which it was made")
  func generated() async throws {
    var random = SeededRandom(Seed.ofRun)
    for _ in 0..<1000 {
      var names: [String] = []
      var values: [String] = []
      let parts = (0..<(1 + random.below(4))).map { _ in
        let name = random.one(of: ["id", "idx", "user-id", "名", "1", ""])
        guard !random.once(in: 3), !names.contains(name) else {
          return MGJTexts.written(random.one(of: MGJTexts.parts), reserved: "/?#:~", &random)
        }
        names.append(name)
        // With this suffix, a value may even be a dot.
        values.append(String(decoding: random.one(of: MGJTexts.parts), as: UTF8.self))
        return ":" + name + random.one(of: ["", ".html"])
      }
      let pattern = "mgj://" + parts.joined(separator: "/")
      let fixture = try Fixture(pattern)
      let url = try MGJRouter.generateURL(withPattern: pattern, parameters: values)
      let parameters = try fixture.parameters(url)
      #expect(!parameters.isFallback)
      for (name, value) in zip(names, values) {
        let found = (parameters[name] as? String).map { Array($0.utf8) }
        #expect(found == Array(value.utf8), "\(Seed.variable)=\(Seed.ofRun): \(pattern) gave \(url)")
      }
      // The same without a scheme.
      let bare = String(pattern.dropFirst(6))
      #expect(try MGJRouter.generateURL(withPattern: bare, parameters: values) == String(url.dropFirst(6)))
    }
  }
}
