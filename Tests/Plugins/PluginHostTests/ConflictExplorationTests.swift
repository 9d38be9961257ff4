import Signet
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost

/// What becomes of modules that crash the process only together, explored: see ``CrashWorld``.
@Suite("modules that crash the process only together, explored", .slow) struct ConflictExplorationTests {
  private typealias Conflict = CrashWorld.Conflict

  private let names: [ModuleIdentifier]

  init() throws {
    names = try ["com.example.a", "com.example.b", "com.example.c", "com.example.d"].map { try identifier($0) }
  }

  /// Starts again and again until a start changes nothing any more, in every way in which the delays of crashes may fall
  /// out: each start has another delay, the same for all modules.
  ///
  /// - Returns: how often the process has crashed at the most.
  private func settle(_ world: CrashWorld, _ seen: inout Set<String>, _ check: (CrashWorld) -> Void) -> Int {
    guard seen.insert("\(world.crashes) \(world)").inserted else { return 0 }
    guard world.crashes <= Self.crashLimit else {
      Issue.record("it crashes again and again: \(world)")
      return world.crashes
    }
    var most = 0
    for delay in 1..<CrashWorld.trial {
      var next = world
      let crashed = next.start { _ in delay }
      if !crashed, next.state.modules == world.state.modules {
        check(next)
        most = max(most, next.crashes)
      } else {
        most = max(most, settle(next, &seen, check))
      }
    }
    return most
  }

  /// Crashes that no world may reach.
  private static let crashLimit = 12

  /// Whether no module more could run.
  private func isGreatest(
    _ world: CrashWorld, _ conflicts: [Conflict], _ required: [ModuleIdentifier: ModuleIdentifier]
  ) -> Bool {
    let missing = Set(world.modules).subtracting(world.running)
    return missing.allSatisfy { module in
      let lacks = required[module].map { missing.contains($0) } ?? false
      let isInTheWay = conflicts.contains { conflict in
        conflict.kind == .inProcess && conflict.partner(of: module).map { world.running.contains($0) } ?? false
      }
      return lacks || (isInTheWay && world.setAside.contains(module))
    }
  }

  /// The pairs of some modules, each with a kind.
  private func pairs(of modules: [ModuleIdentifier]) -> [Conflict] {
    modules.indices.flatMap { first in
      modules.indices.dropFirst(first + 1).flatMap { second in
        Conflict.Kind.allCases.map { Conflict(one: modules[first], other: modules[second], kind: $0) }
      }
    }
  }

  @Test("after a few crashes the host comes up each time, with as many modules as get on with each other")
  func converge() throws {
    var (count, most) = (0, 0)
    let three = Array(names.prefix(3))
    let all = pairs(of: three)
    let sets = all.map { [$0] } + all.flatMap { one in all.filter { $0 != one }.map { [one, $0] } }
    let requirements = [[:], [names[0]: names[1]], [names[1]: names[0]], [names[2]: names[0]]]
    for conflicts in sets {
      for bits in 0..<8 {
        let old = Set(three.indices.filter { bits & 1 << $0 != 0 }.map { three[$0] })
        for slow in [nil, names[0], names[1]] {
          for required in requirements {
            let behaviours = Dictionary(
              uniqueKeysWithValues: three.map { ($0, $0 == slow ? CrashWorld.Behaviour.slow : .sound) })
            let world = try CrashWorld(behaviours, old: old, requirements: required, conflicts: conflicts)
            var seen: Set<String> = []
            let crashes = settle(world, &seen) { settled in
              count += 1
              if !isGreatest(settled, conflicts, required) {
                Issue.record("only \(settled.running) run: \(settled)")
              }
              // What gets on with the others when it is loaded after them is not set aside.
              let isHarmless = conflicts.allSatisfy { $0.kind == .onTrial }
              if isHarmless, settled.running != Set(three) {
                Issue.record("\(settled.setAside) were set aside: \(settled)")
              }
            }
            most = max(most, crashes)
          }
        }
      }
    }
    print("explored \(count) ways, with so many crashes at the most: \(most)")
    #expect(count > 3000)
    // One that anything may have caused, a second one where all have run well before, one that shows that they get on
    // alone, and one for each division.
    #expect(most <= 7, "\(most)")
  }

  @Test("beside a module that crashes by itself, two that crash only together are not taken for it")
  func besideGuilty() throws {
    var most = 0
    let three = Array(names.prefix(3))
    for guilty in three {
      for conflict in pairs(of: three.filter { $0 != guilty }) {
        for behaviour in [CrashWorld.Behaviour.crashesLoading, .crashesLater] {
          for bits in 0..<8 {
            let old = Set(three.indices.filter { bits & 1 << $0 != 0 }.map { three[$0] })
            let behaviours = Dictionary(uniqueKeysWithValues: three.map { ($0, $0 == guilty ? behaviour : .sound) })
            let world = try CrashWorld(behaviours, old: old, conflicts: [conflict])
            var seen: Set<String> = []
            let crashes = settle(world, &seen) { settled in
              // Of two that crash the process whenever both are there one is lost.
              let lost = conflict.kind == .onTrial ? 0 : 1
              if !settled.setAside.contains(guilty) || settled.running.count != 2 - lost {
                Issue.record("\(settled.setAside) were set aside: \(settled)")
              }
            }
            most = max(most, crashes)
          }
        }
      }
    }
    #expect(most <= 9, "\(most)")
  }

  @Test("two of many are found, wherever they stand, and all run in the end")
  func many() throws {
    for count in [4, 13, 20, 40] {
      let many = try (100..<100 + count).map { try identifier("com.example.m\($0)") }
      for (first, second) in [(0, 1), (0, count - 1), (count / 2 - 1, count / 2), (count - 2, count - 1)] {
        for old in [false, true] {
          let conflict = Conflict(one: many[first], other: many[second], kind: .onTrial)
          var world = try CrashWorld(
            Dictionary(uniqueKeysWithValues: many.map { ($0, CrashWorld.Behaviour.sound) }),
            old: old ? Set(many) : [], conflicts: [conflict])
          var sound = 0
          // In the end it comes up ten times in a row.
          while world.crashes <= 20, sound < 10 { sound = world.start { _ in 2 } ? 0 : sound + 1 }
          #expect(world.crashes <= 10, "\(count), \(first), \(second): \(world.crashes)")
          #expect(world.running == Set(many) && world.setAside.isEmpty)
        }
      }
    }
  }

  @Test("a process that is killed twice in a row, or at each other start, loses no module, and lets few wait")
  func killed() throws {
    for old in [Set<ModuleIdentifier>(), Set(names)] {
      for tick in 0..<CrashWorld.trial {
        var world = try CrashWorld(
          Dictionary(uniqueKeysWithValues: names.map { ($0, CrashWorld.Behaviour.sound) }), old: old)
        for _ in 0..<2 {
          #expect(world.start(killed: tick) { _ in 1 })
          #expect(!world.start { _ in 1 })
          #expect(world.running == Set(names), "\(world)")
        }
        #expect(world.setAside.isEmpty)
        #expect(world.state.heldBack(among: names).joined().count <= names.count / 2, "\(world)")
      }
    }
  }

  @Test("once two have run well together, an earlier crash is forgotten")
  func forgotten() throws {
    var world = try CrashWorld([names[0]: .sound, names[1]: .sound], old: [])
    #expect(world.start(killed: 1) { _ in 1 })
    #expect(!world.start { _ in 1 })
    // Each has run well alone.
    #expect(world.state.modules.values.allSatisfy { $0.nextCrash?.suspicion?.grade == .passed })
    #expect(world.state.heldBack(among: names).isEmpty)
    #expect(!world.start { _ in 1 })
    #expect(world.state.modules.values.allSatisfy { $0.crashes.isEmpty })
  }
}
