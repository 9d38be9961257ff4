import Signet
import SignetBase
import TestSupport
import Testing

@testable import ModuleResolver

/// Small random worlds, against a search that tries everything.
@Suite(.slow) struct SolverPropertyTests {
  private static let worlds = 6000

  private static func world(_ random: inout SeededRandom) -> World {
    var world = World()
    let count = 2 + random.below(5)
    func requirement(except module: Int?) -> World.Requirement? {
      let other = random.below(count)
      guard other != module else { return nil }
      let low = random.below(4)
      return World.Requirement(module: other, versions: low...(low + random.below(4)))
    }
    for module in 0..<count {
      let releases = (0..<random.below(5)).map { _ in
        var known: Set<Int> = []
        return (0..<random.below(4)).compactMap { _ in requirement(except: module) }
          .filter { known.insert($0.module).inserted }
      }
      world.releases.append(releases)
      world.unsupported.append(Set(releases.indices.filter { _ in random.below(12) == 0 }))
    }
    var known: Set<Int> = []
    world.requirements = (0...random.below(3)).compactMap { _ in requirement(except: nil) }
      .filter { known.insert($0.module).inserted }
    return world
  }

  private static func name(_ module: Int) -> String { "com.m\(module)" }

  private static func modfile(_ world: World) throws -> Modfile {
    let lines = world.requirements.map {
      "module '\(name($0.module))', '>= 1.\($0.versions.lowerBound)', '<= 1.\($0.versions.upperBound)'\n"
    }
    let source = "host '1.4.0'\nsource 'main', 'https://modules.example.com', modules: 'com.**'\n"
    return try Modfile(Array((source + lines.joined()).utf8))
  }

  private static func offers(_ world: World) throws -> Offers {
    let offers = Offers()
    for (module, releases) in world.releases.enumerated() {
      for (number, requirements) in releases.enumerated() {
        try offers.add(
          name(module), "1.\(number).0",
          requirements.map {
            "\(name($0.module)) >=1.\($0.versions.lowerBound).0 <=1.\($0.versions.upperBound).0"
          },
          host: world.unsupported[module].contains(number)
            ? ["<1.4.0", ">=2.0.0", ">1.4.0 <2.0.0"][number % 3] : [nil, ">=1.0.0 <2.0.0", "<=1.4.0"][number % 3])
      }
    }
    return offers
  }

  @Test("a solution is found if and only if there is one, is valid, and has the newest releases", .seeded(11))
  func solver() throws {
    var random = SeededRandom()
    var solved = 0
    var hosts = 0
    var codes: [SignetError.Code: Int] = [:]
    for _ in 0..<Self.worlds {
      let world = Self.world(&random)
      let book = OfferBook(try Self.modfile(world), try Self.offers(world))
      var solver = Solver(book, Solver.Rules(mayChoose: { _, _ in { _ in true } }, preferred: { _ in nil }))
      switch try solver.run() {
      case .failed(let failure):
        #expect(!world.hasSolution(), "\(world)")
        let error = solver.error(failure)
        codes[error.code, default: 0] += 1
        let explanation = try #require(error.cause as? ConflictExplanation)
        if explanation.description.contains("requires host ") { hosts += 1 }
        #expect(explanation.sentences.last?.hasSuffix("the Modfile cannot be met.") == true)
      case .solved(let states):
        solved += 1
        var choice = World.Choice(repeating: nil, count: world.releases.count)
        var order: [(module: Int, release: Int)] = []
        for (place, state) in states {
          let text = try #require(solver.catalog[place].identifier).description
          let module = try #require(Int(text.dropFirst("com.m".count)))
          choice[module] = state - 1
          order.append((module, state - 1))
        }
        #expect(world.isSolution(choice), "\(world) \(choice)")
        // With what was decided before, no solution has a newer release of the module.
        var fixed: [Int: ClosedRange<Int>] = [:]
        for (module, release) in order {
          let newer = release + 1..<world.releases[module].count
          if !newer.isEmpty {
            let wanted = fixed.merging([module: ClosedRange(newer)]) { $1 }
            #expect(!world.hasSolution(with: wanted), "\(world) \(choice) \(module)")
          }
          fixed[module] = release...release
        }
      }
    }
    // The worlds are of all kinds.
    #expect(solved > Self.worlds / 8 && hosts > 50)
    #expect(
      [SignetError.Code.resolveConflict, .resolveMissing, .resolveCycle].allSatisfy { codes[$0, default: 0] > 50 },
      "\(codes)")
  }

  @Test("installing keeps a lock that fits, and otherwise is as good as without one", .seeded(12))
  func installing() throws {
    var random = SeededRandom()
    var kept = 0
    for _ in 0..<Self.worlds / 4 {
      let world = Self.world(&random)
      let (file, offers) = (try Self.modfile(world), try Self.offers(world))
      guard let first = try? ModuleResolver.resolve(file, offers: offers) else { continue }
      let known = try lock(first)
      // The same again changes nothing, also when newer releases have come.
      for module in world.releases.indices { try offers.add(Self.name(module), "1.9.0") }
      let again = try ModuleResolver.resolve(file, lock: known, offers: offers)
      #expect(chosen(again) == chosen(first) && again.changes.isEmpty)
      kept += 1
      // Another Modfile with the same lock has a solution if and only if it has one without.
      var other = Self.world(&random)
      other.releases = world.releases
      other.unsupported = world.unsupported
      other.requirements.removeAll { $0.module >= world.releases.count }
      let otherFile = try Self.modfile(other)
      let fresh = try? ModuleResolver.resolve(otherFile, offers: Self.offers(other))
      let moved = try? ModuleResolver.resolve(otherFile, lock: known, offers: Self.offers(other))
      #expect((fresh == nil) == (moved == nil))
      if let moved, let choice = try? lock(moved) {
        let isKeepable = known.modules.allSatisfy { module in
          choice[module.identifier].map { $0.version == module.version } ?? true
        }
        // Where keeping everything was possible, everything was kept.
        var fixed: [Int: ClosedRange<Int>] = [:]
        for module in known.modules {
          let number = try #require(Int("\(module.identifier)".dropFirst("com.m".count)))
          let release = try #require(Int("\(module.version)".split(separator: ".")[1]))
          fixed[number] = release...release
        }
        if !isKeepable { #expect(!other.hasSolution(within: fixed), "\(other)") }
      }
    }
    #expect(kept > 100)
  }
}
