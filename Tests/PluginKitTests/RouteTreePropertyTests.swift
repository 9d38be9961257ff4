import Foundation
import PluginKit
import Testing

/// Random routes and URLs, compared with ``SlowMatcher``. A failure names its seed: run it again with
/// `PLUGINKIT_SEED=… swift test --filter RouteTreePropertyTests`.
@Suite("routes and a slow, obvious matcher find the same") struct RouteTreePropertyTests {
  private static let sets = 500
  private static let urlsOfSet = 50

  /// The first seed; each set of patterns has one of its own.
  private static let seed =
    ProcessInfo.processInfo.environment["PLUGINKIT_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 48)

  @Test("in 100,000 cases, also while routes come and go", arguments: 0..<4)
  func sameMatches(_ share: Int) async {
    for number in 0..<Self.sets {
      let seed = Self.seed + UInt64(share * Self.sets + number)
      do { try RouteTrial(seed: seed).run(urls: Self.urlsOfSet) } catch {
        Issue.record("PLUGINKIT_SEED=\(seed): \(error)")
        return
      }
      // Other tests wait for their tasks.
      await Task.yield()
    }
  }

  @Test("a URL that is made of a pattern is matched by it, with the values of which it was made")
  func generated() async {
    for number in 0..<3000 {
      let seed = Self.seed + UInt64(number)
      var random = SplitMix(seed)
      do { try GeneratedURLTrial.run(RandomPattern(&random), &random) } catch {
        Issue.record("PLUGINKIT_SEED=\(seed): \(error)")
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
