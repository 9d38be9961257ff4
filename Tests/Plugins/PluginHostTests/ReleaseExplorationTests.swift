import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost

/// Every state that any sequence of events leads to is looked at, and its rules are checked: see ``ReleaseWorld``.
@Suite("which release runs, explored", .slow) struct ReleaseExplorationTests {
  /// Events in a row at most. Each state is reached by the shortest way, so this covers all sequences of that length.
  private static let depth = 8

  @Test("all sequences of events keep the rules")
  func rules() throws {
    var failures = 0
    let count = try Self.explore { world, path in
      for fault in Self.faults(of: world) where failures < 10 {
        failures += 1
        Issue.record("\(fault), after \(path)")
      }
    }
    print("explored \(count) states")
    #expect(count > 10_000)
  }

  @Test("the real store and host do what the model does, by the shortest way to each state that they tell apart")
  func realHost() throws {
    let real = try RealReleases()
    var told: Set<Told> = []
    var ways: [[ReleaseWorld.Event]] = []
    _ = try Self.explore { world, path in if told.insert(Told(world)).inserted { ways.append(path) } }
    print("drove \(ways.count) hosts")
    #expect(ways.count > 100)
    for way in Extent.sample(of: ways, oneOf: 3) { try real.drive(way) }
  }

  /// What a store and a host tell of a state.
  private struct Told: Hashable {
    let listed: [Int]
    let choice: ReleaseChoice
    let setAside: [Int]
    let floor: Int?
    let shipped: Int?

    init(_ world: ReleaseWorld) {
      let counted = world.counted
      listed = counted.record.releases.map(\.sequence)
      choice = counted.choice()
      setAside = counted.record.crashes.filter(\.isSetAside).map(\.sequence)
      floor = counted.record.floor?.sequence
      shipped = counted.shipped
    }
  }

  /// Looks at every state, the nearest first.
  private static func explore(
    _ look: (ReleaseWorld, _ path: [ReleaseWorld.Event]) throws -> Void
  ) throws -> Int {
    let start = ReleaseWorld(try ModuleWorkshop().policy())
    var seen: Set<ReleaseWorld> = [start]
    var border: [(world: ReleaseWorld, path: [ReleaseWorld.Event])] = [(start, [])]
    for _ in 1...depth {
      var next: [(ReleaseWorld, [ReleaseWorld.Event])] = []
      for (world, path) in border {
        for event in ReleaseWorld.Event.allCases {
          let after = world.after(event)
          guard seen.insert(after).inserted else { continue }
          next.append((after, path + [event]))
          try look(after, path + [event])
        }
      }
      border = next
    }
    return seen.count
  }

  /// The rules that a state breaks.
  private static func faults(of world: ReleaseWorld) -> [String] {
    var faults: [String] = []
    let counted = world.counted
    let choice = counted.choice()
    let known = Set(counted.record.releases.map(\.sequence) + [counted.embedded].compactMap(\.self))
    let best = known.filter { counted.mayRun($0) }.max()
    switch choice {
    case .run(let sequence, let newer):
      // Nothing below a floor or refused by the policy runs, nothing that has crashed twice, and nothing but the newest of the others.
      if !counted.mayRun(sequence) { faults.append("\(sequence) runs, and may not") }
      if sequence != best { faults.append("\(sequence) runs, and not \(best ?? 0)") }
      if let newer, newer <= sequence || counted.crashesInARow[newer] ?? 0 < CrashRecord.limit {
        faults.append("\(sequence) runs instead of \(newer), which has not crashed twice")
      }
    case .setAside(let sequence):
      if let best { faults.append("\(best) may run, and does not") }
      if counted.crashesInARow[sequence] ?? 0 < CrashRecord.limit {
        faults.append("\(sequence) is set aside, and has not crashed twice")
      }
    case .refused, .notInstalled:
      if let best { faults.append("\(best) may run, and does not") }
    }
    // Whatever has crashed, the next start but one comes up: two more crashes of what runs, and something else runs, or nothing.
    if case .run(let sequence, _) = choice {
      let later = world.after(.crashLoading).after(.crashLoading).counted.choice()
      if case .run(sequence, _) = later { faults.append("\(sequence) runs after two more crashes") }
    }
    for sequence in ReleaseWorld.sequences where counted.record.release(sequence) == nil {
      let isSetAside = counted.crashesInARow[sequence] ?? 0 >= CrashRecord.limit
      // An offer never brings back what was set aside.
      if counted.canInstall(sequence) && isSetAside { faults.append("\(sequence) can be installed again") }
      // A healthy release that is accepted can be installed, and what runs then is no older.
      guard counted.mayRun(sequence) else { continue }
      if !counted.canInstall(sequence) { faults.append("\(sequence) cannot be installed") }
      for event in ReleaseWorld.Event.allCases where event.installed == sequence {
        guard case .run(let running, _) = counted.after(event).counted.choice(), running >= sequence else {
          faults.append("\(sequence) is installed, and something older runs")
          continue
        }
      }
    }
    return faults
  }
}
