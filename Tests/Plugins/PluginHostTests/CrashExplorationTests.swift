import Signet
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost

/// Which releases are set aside after crashes, explored: see ``CrashWorld``.
@Suite("to which releases crashes are attributed, explored", .slow) struct CrashExplorationTests {
  private let names: [ModuleIdentifier]

  init() throws { names = try ["com.example.a", "com.example.b", "com.example.c"].map { try identifier($0) } }

  /// A model, and what is known of it.
  private struct Case {
    let world: CrashWorld
    let guilty: Set<ModuleIdentifier>
    let old: Set<ModuleIdentifier>
    /// What runs once the guilty are set aside.
    let survivors: Set<ModuleIdentifier>
  }

  /// All ways in which three modules may behave, in which each may have run well before, and in which one may require another.
  private func cases() throws -> [Case] {
    typealias Behaviour = CrashWorld.Behaviour
    let requirements = [[:], [names[0]: names[2]], [names[2]: names[0]], [names[0]: names[1], names[1]: names[2]]]
    var cases: [Case] = []
    for number in 0..<Behaviour.allCases.count * Behaviour.allCases.count * Behaviour.allCases.count {
      let kinds = [number % 4, number / 4 % 4, number / 16].map { Behaviour.allCases[$0] }
      let behaviours = Dictionary(uniqueKeysWithValues: zip(names, kinds))
      let guilty = Set(names.filter { behaviours[$0]?.isGuilty ?? false })
      for bits in 0..<8 {
        let old = Set(names.indices.filter { bits & 1 << $0 != 0 }.map { names[$0] })
        for required in requirements {
          var lost = guilty
          for _ in names { for (module, other) in required where lost.contains(other) { lost.insert(module) } }
          let world = try CrashWorld(behaviours, old: old, requirements: required)
          cases.append(Case(world: world, guilty: guilty, old: old, survivors: Set(names).subtracting(lost)))
        }
      }
    }
    return cases
  }

  /// Starts again and again until a start does not crash, in every way in which the delays of crashes may fall out.
  ///
  /// - Returns: how often the process has crashed at the most.
  private func settle(
    _ world: CrashWorld, _ guilty: Set<ModuleIdentifier>, _ check: (CrashWorld) -> Void
  ) -> Int {
    var seen: Set<String> = []
    return settle(world, guilty, &seen, check)
  }

  /// - Parameter seen: the states that were looked at.
  private func settle(
    _ world: CrashWorld, _ guilty: Set<ModuleIdentifier>, _ seen: inout Set<String>, _ check: (CrashWorld) -> Void
  ) -> Int {
    guard seen.insert("\(world.crashes) \(world)").inserted else { return 0 }
    guard world.setAside.isSubset(of: guilty) else {
      Issue.record("what is sound was set aside: \(world)")
      return world.crashes
    }
    guard world.crashes <= Self.crashLimit else {
      Issue.record("it crashes again and again: \(world)")
      return world.crashes
    }
    var most = 0
    let delays = CrashWorld.trial - 1
    for number in 0..<delays * delays * delays {
      var next = world
      let fallen = [number % delays, number / delays % delays, number / delays / delays]
      let crashed = next.start { module in 1 + (names.firstIndex(of: module).map { fallen[$0] } ?? 0) }
      guard crashed else {
        check(next)
        most = max(most, next.crashes)
        continue
      }
      most = max(most, settle(next, guilty, &seen, check))
    }
    return most
  }

  /// Crashes that no world may reach.
  private static let crashLimit = 9

  @Test("no sound release is ever set aside, every guilty one is, and the others run then")
  func guilty() throws {
    var (count, most) = (0, [0, 0, 0, 0])
    for test in Extent.sample(of: try cases().filter { !$0.guilty.isEmpty }, oneOf: 3) {
      let crashes = settle(test.world, test.guilty) { settled in
        count += 1
        if settled.running != test.survivors {
          Issue.record("\(settled.running) run, and not \(test.survivors): \(test.world)")
        }
        // What requires a guilty one that was set aside is not loaded, and does nothing.
        if !test.guilty.subtracting(settled.setAside).isDisjoint(with: test.survivors) {
          Issue.record("\(settled.setAside) were set aside: \(test.world)")
        }
      }
      most[test.guilty.count] = max(most[test.guilty.count], crashes)
    }
    print("explored \(count) ways, with so many crashes at the most: \(most)")
    #expect(count > 1000)
    // One crash that anything may have caused, a second one where that has run well before, and one with one cause.
    #expect(zip(most, [0, 3, 6, 9]).allSatisfy { $0 <= $1 }, "\(most)")
  }

  @Test("one new release that crashes, whenever it does, crashes the process twice, and the third start comes up")
  func newcomer() throws {
    for test in try cases() where test.guilty.count == 1 && test.old.isDisjoint(with: test.guilty) {
      let crashes = settle(test.world, test.guilty) { #expect($0.running == test.survivors) }
      #expect(crashes == 2, "\(test.world)")
    }
  }

  @Test("a process that is killed once, at whatever time, loses no module")
  func killed() throws {
    var kills = 0
    for test in try cases() where test.guilty.isEmpty {
      for tick in 0...5 * CrashWorld.trial {
        var killed = test.world
        // Behind the end of the run there is nothing to kill.
        guard killed.start(killed: tick, delay: { _ in 1 }) else { continue }
        kills += 1
        #expect(killed.setAside.isEmpty)
        // Of what has run well before only what was being loaded waits.
        if test.old.count == 3 { #expect(killed.state.heldBack(among: names).joined().count <= 1, "\(killed)") }
        #expect(!killed.start { _ in 1 })
        #expect(killed.running == Set(names), "\(killed)")
      }
    }
    // 256 models, each of which runs for one trial at least.
    #expect(kills >= 256 * CrashWorld.trial)
  }

  @Test("of very many suspects a few are loaded together, and the one that crashes is found wherever it stands")
  func many() throws {
    for count in [13, 14, 20, 50, 150] {
      let many = try (100..<100 + count).map { try identifier("com.example.m\($0)") }
      for guilty in stride(from: 0, to: count, by: count > 20 ? 7 : 1) {
        for behaviour in [CrashWorld.Behaviour.crashesLoading, .crashesLater] {
          var behaviours = Dictionary(uniqueKeysWithValues: many.map { ($0, CrashWorld.Behaviour.sound) })
          behaviours[many[guilty]] = behaviour
          var world = try CrashWorld(behaviours, old: [])
          // One crash of all, one of a batch, of more than 144 one of a smaller batch, and one of the guilty alone.
          var starts = 0
          while starts < 5, world.start(delay: { _ in 2 }) { starts += 1 }
          #expect(starts <= (count > 144 ? 4 : 3), "\(count), \(guilty), \(behaviour)")
          #expect(world.setAside == [many[guilty]])
          #expect(world.running == Set(many).subtracting([many[guilty]]))
        }
      }
    }
  }

  @Test("what waits is loaded in batches, and what requires it comes last; nothing waits twice")
  func queue() throws {
    var queue = HeldBackModules()
    let other = try identifier("com.example.other")
    queue.add([[names[0]], [names[1], names[2], names[0]]], dependents: [names[1], other])
    queue.add([[names[2]]], dependents: [other])
    #expect(queue.next()?.modules == [names[0]])
    let together = queue.next()
    #expect(together?.modules == [names[1], names[2]] && together?.areTogether == true)
    #expect(queue.next()?.modules == [other])
    #expect(queue.next() == nil && !queue.isWaiting)
    // What was left out is loaded once somebody asks for it, and with the next start.
    queue.leave(out: [names[0], names[1]])
    queue.ask(for: names[0])
    #expect(queue.leftOut == [names[1]])
    queue.leave(out: [])
    #expect(queue.leftOut.isEmpty)
  }
}
