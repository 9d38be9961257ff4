import Signet
import SignetBase
import TestSupport
import Testing

@testable import ModuleResolver

@Suite struct SolverBoundTests {
  private func solver(_ file: Modfile, _ offers: Offers, _ workLimit: Int = Solver.workLimit) -> Solver {
    Solver(
      OfferBook(file, offers), Solver.Rules(mayChoose: { _, _ in { _ in true } }, preferred: { _ in nil }),
      workLimit: workLimit)
  }

  /// Pigeons that each need a hole of their own, and one hole too few: short to say, and exponentially long to refute.
  private func pigeons(_ count: Int) throws -> (Modfile, Offers) {
    let offers = Offers()
    var lines = "source 'main', 'https://modules.example.com', modules: 'com.**'\n"
    for pigeon in 0..<count {
      for hole in 0..<count - 1 { try offers.add("com.p\(pigeon)", "1.\(hole).0", ["com.h\(hole) =1.\(pigeon).0"]) }
      lines += "module 'com.p\(pigeon)'\n"
    }
    for hole in 0..<count - 1 { for pigeon in 0..<count { try offers.add("com.h\(hole)", "1.\(pigeon).0") } }
    return (try Modfile(Array(lines.utf8)), offers)
  }

  @Test("what takes more work than allowed ends with a code, at the same point each time")
  func tooHard() throws {
    let (few, offers) = try pigeons(4)
    var small = solver(few, offers)
    guard case .failed = try small.run() else {
      Issue.record("three holes were enough for four pigeons")
      return
    }
    let (many, more) = try pigeons(20)
    var counts: [Int] = []
    for _ in 0..<2 {
      var solver = solver(many, more, 300_000)
      expectError(.resolveTooHard) { _ = try solver.run() }
      counts.append(solver.incompatibilities.count)
    }
    #expect(counts[0] == counts[1])
  }

  @Test("modules with more releases than a word has bits", arguments: [62, 63, 64, 65, 127, 128, 129, 300])
  func manyReleases(count: Int) throws {
    let offers = Offers()
    for minor in 0..<count {
      try offers.add("com.a", "1.\(minor).0", ["com.b >=1.0.0 <1.\(count - minor).0"])
      try offers.add("com.b", "1.\(minor).0")
    }
    let newest = try ModuleResolver.resolve(modfile("module 'com.a'", "module 'com.b'"), offers: offers)
    #expect(chosen(newest) == ["com.a 1.\(count - 1).0", "com.b 1.0.0"])
    // The older the one, the newer the other.
    let other = try ModuleResolver.resolve(modfile("module 'com.b'", "module 'com.a'"), offers: offers)
    #expect(chosen(other) == ["com.a 1.0.0", "com.b 1.\(count - 1).0"])
    let middle = try ModuleResolver.resolve(
      modfile("module 'com.a'", "module 'com.b', '>= 1.\(count / 2)'"), offers: offers)
    #expect(chosen(middle) == ["com.a 1.\(count - count / 2 - 1).0", "com.b 1.\(count / 2).0"])
  }

  @Test("sets of states do what sets do", .seeded, arguments: [1, 2, 63, 64, 65, 128, 200])
  func sets(count: Int) throws {
    var random = SeededRandom()
    func some() -> (StateSet, Set<Int>) {
      let members = Set((0..<count).filter { _ in random.once(in: 3) })
      var set = StateSet(count: count)
      for member in members { set.insert(member) }
      return (set, members)
    }
    func members(_ set: StateSet) -> Set<Int> { Set((0..<count).filter { set.contains($0) }) }
    for _ in 0..<50 {
      let ((one, first), (two, second)) = (some(), some())
      #expect(members(one.union(two)) == first.union(second))
      #expect(members(one.intersection(two)) == first.intersection(second))
      #expect(members(one.complement) == Set(0..<count).subtracting(first))
      #expect(one.complement.complement == one && one.size == first.count)
      #expect(one.isSubset(of: two) == first.isSubset(of: second))
      #expect(one.intersection(two).isSubset(of: two))
      #expect(one.isDisjoint(with: two) == first.isDisjoint(with: second))
      #expect(one.isEmpty == first.isEmpty && one.isPresent == !first.contains(0))
      #expect(one.newest == first.subtracting([0]).max())
    }
  }

  @Test("the order in which releases and requirements are offered does not matter", .seeded)
  func order() throws {
    var random = SeededRandom()
    struct Release {
      let module: Int
      let minor: Int
      let requirements: [String]
    }
    var releases: [Release] = []
    for module in 0..<60 {
      for minor in 0..<8 {
        let others = Set((0..<3).map { _ in module + 1 + random.below(8) }).filter { $0 < 60 }.sorted()
        releases.append(
          Release(module: module, minor: minor, requirements: others.map { "com.m\($0) >=1.\(random.below(5)).0" }))
      }
    }
    let file = try modfile("module 'com.m3'", "module 'com.m0'", "module 'com.m1', '< 1.5'")
    var results: [[String]] = []
    for _ in 0..<4 {
      let offers = Offers()
      for release in releases.shuffled(using: &random) {
        try offers.add(
          "com.m\(release.module)", "1.\(release.minor).0", release.requirements.shuffled(using: &random))
      }
      results.append(chosen(try ModuleResolver.resolve(file, offers: offers)))
    }
    #expect(results.allSatisfy { $0 == results[0] } && results[0].count > 3)
  }
}
