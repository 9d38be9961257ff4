import PluginKit
import TestSupport
import Testing

/// Random routes and URLs, compared with ``SlowMatcher``. Each set of patterns has a seed of its own. A failure names it: run it again with
/// `SIGNET_SEED=… swift test --filter RouteTreePropertyTests`.
@Suite("routes and a slow, obvious matcher find the same", .slow) struct RouteTreePropertyTests {
  private static let sets = Extent.isWhole ? 500 : 50
  private static let urlsOfSet = 50

  @Test("in 10,000 cases, and in 100,000 of a night, also while routes come and go", arguments: 0..<4)
  func sameMatches(_ share: Int) async {
    for number in 0..<Self.sets {
      let seed = Seed.ofRun &+ UInt64(share * Self.sets + number)
      do { try RouteTrial(seed: seed).run(urls: Self.urlsOfSet) } catch {
        Issue.record("\(Seed.variable)=\(seed): \(error)")
        return
      }
      // Other tests wait for their tasks.
      await Task.yield()
    }
  }

  @Test("a URL that is made of a pattern is matched by it, with the values of which it was made")
  func generated() async {
    for number in 0..<3000 {
      let seed = Seed.ofRun &+ UInt64(number)
      var random = SeededRandom(seed)
      do { try GeneratedURLTrial.run(RandomPattern(&random), &random) } catch {
        Issue.record("\(Seed.variable)=\(seed): \(error)")
        return
      }
      await Task.yield()
    }
  }
}

/// What did not hold.
struct BrokenProperty: Error, CustomStringConvertible {
  let description: String
}

/// Ends the trial when something does not hold.
func hold(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  if !holds { throw BrokenProperty(description: what()) }
}
