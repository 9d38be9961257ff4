import Foundation
import Testing

/// Where the random numbers of a test begin. `.seeded` in front of a test prints its seed and adds it to every failure, and
/// `SIGNET_SEED=… swift test --filter NAME` repeats the run.
public enum Seed {
  /// The variable that sets the seed of all tests.
  public static let variable = "SIGNET_SEED"

  /// What the variable says; nil where it is not set.
  public static let given = ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }

  /// The seed of the tests that look at something new in each run.
  public static let ofRun = given ?? UInt64.random(in: 0..<1 << 48)

  /// The seed of the test that runs now.
  @TaskLocal public static var current = ofRun
}

/// The same numbers for the same seed, everywhere: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins with the seed of the test that runs now.
  public init() { self.init(Seed.current) }

  /// Begins with this seed.
  public init(_ seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

extension SeededRandom {
  /// A number from 0 to below a limit.
  public mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
  /// True once in so many times.
  public mutating func once(in times: Int) -> Bool { below(times) == 0 }
  /// One of the elements, of which there is at least one.
  public mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Prints the seed of a test, and adds it to every failure.
public struct SeedTrait: TestTrait, TestScoping {
  fileprivate let seed: UInt64

  /// Runs the test with its seed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let note = "\(Seed.variable)=\(seed)"
    print("\(note): \(test.displayName ?? test.name)")
    let handling: IssueHandlingTrait = .compactMapIssues { issue in
      var issue = issue
      issue.comments.append(Comment(rawValue: note))
      return issue
    }
    try await Seed.$current.withValue(seed) {
      try await handling.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == SeedTrait {
  /// Random numbers that differ from run to run.
  public static var seeded: Self { SeedTrait(seed: Seed.ofRun) }

  /// Random numbers that are the same in every run, unless the variable says otherwise.
  public static func seeded(_ usual: UInt64) -> Self { SeedTrait(seed: Seed.given ?? usual) }
}
