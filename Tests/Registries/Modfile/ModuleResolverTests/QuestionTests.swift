import ModuleResolver
import Signet
import SignetBase
import TestSupport
import Testing

@Suite struct QuestionTests {
  @Test("why: all chains of requirements that lead to a module, the shortest first")
  func chains() throws {
    let offers = try Offers().add("com.a", "1.0.0", ["com.b >=1.0.0", "com.c >=1.0.0"])
      .add("com.b", "1.0.0", ["com.d >=1.0.0"]).add("com.c", "1.0.0", ["com.b >=1.0.0"]).add("com.d", "1.0.0")
    let file = try modfile("module 'com.a'", "module 'com.c'")
    let known = try lock(ModuleResolver.resolve(file, offers: offers))
    #expect(
      try known.chains(to: identifier("com.d"), in: file).map(\.description) == [
        "Modfile (line 2) requires com.a requires com.b requires com.d",
        "Modfile (line 3) requires com.c requires com.b requires com.d",
        "Modfile (line 2) requires com.a requires com.c requires com.b requires com.d",
      ])
    #expect(
      try known.chains(to: identifier("com.a"), in: file).map(\.description) == ["Modfile (line 2) requires com.a"])
    #expect(try known.chains(to: identifier("com.d"), in: modfile("module 'com.x'")).isEmpty)
    expectError(.resolveNotLocked) { _ = try known.chains(to: identifier("com.x"), in: file) }
  }

  @Test("why: of exponentially many chains the shortest ones are found at once")
  func manyChains() throws {
    let offers = try Offers().add("com.top", "1.0.0", ["com.l0-0 >=1.0.0", "com.end >=1.0.0"]).add("com.end", "1.0.0")
    for layer in 0..<30 {
      for place in 0..<3 {
        let next = layer == 29 ? ["com.end >=1.0.0"] : (0..<3).map { "com.l\(layer + 1)-\($0) >=1.0.0" }
        try offers.add("com.l\(layer)-\(place)", "1.0.0", next)
      }
    }
    let file = try modfile("module 'com.top'")
    let known = try lock(ModuleResolver.resolve(file, offers: offers))
    let chains = try known.chains(to: identifier("com.end"), in: file)
    #expect(chains.count == RequirementChain.limit && Set(chains).count == chains.count)
    #expect(chains.map(\.modules.count) == [2] + [Int](repeating: 32, count: RequirementChain.limit - 1))
  }

  @Test("outdated: newer releases that fit, newer ones that do not, withdrawn ones, and those that are gone")
  func outdated() throws {
    let offers = try Offers().add("com.a", "1.0.0", ["com.b <2.0.0"]).add("com.b", "1.0.0").add("com.c", "1.0.0")
      .add("com.d", "1.0.0").add("com.e", "1.1.0")
    let file = try modfile("module 'com.a', '~> 1.0'", "module 'com.c'", "module 'com.d'", "module 'com.e'")
    let known = try lock(ModuleResolver.resolve(file, offers: offers))
    let later = try Offers().add("com.a", "1.0.0").add("com.a", "1.1.0").add("com.a", "1.2.0", yanked: "bad")
      .add("com.a", "2.0.0").add("com.b", "1.0.0").add("com.b", "2.0.0").add("com.c", "1.0.0", yanked: "leaks")
      .add("com.d", "1.0.0").add("com.d", "1.1.0-beta").add("com.e", "1.0.0")
    let outdated = try known.outdated(file, offers: later).map {
      [
        "\($0.identifier)", "\($0.locked)", $0.newestFitting.map { "\($0)" } ?? "-", $0.newest.map { "\($0)" } ?? "-",
        $0.yanked ?? "-", $0.isOffered ? "offered" : "gone",
      ].joined(separator: " ")
    }
    #expect(
      outdated == [
        "com.a 1.0.0 1.1.0 2.0.0 - offered", "com.b 1.0.0 1.0.0 2.0.0 - offered", "com.c 1.0.0 - - leaks offered",
        "com.e 1.1.0 1.0.0 1.0.0 - gone",
      ])
    #expect(later.asked.count == 5)
  }

  private static func uses(
    _ environment: [String: String],
    _ modules: [(String, Bool)] = [("com.a", true), ("com.b-c", true), ("com.d", false)]
  ) throws -> (uses: String, choice: BinaryChoice) {
    let choice = try BinaryChoice(modules.map { (try identifier($0.0), $0.1) }, environment: environment)
    return (choice.uses.map { $0.use == .binary ? "b" : "s" }.joined(), choice)
  }

  @Test("PO10: use_lib takes all binaries that there are, NAME_use_lib that of one module, and 0 and empty mean off")
  func binaries() throws {
    #expect(try Self.uses([:]).uses == "sss")
    #expect(try Self.uses(["use_lib": "1"]).uses == "bbs")
    #expect(try Self.uses(["com_a_use_lib": "1"]).uses == "bss")
    #expect(try Self.uses(["com_b__c_use_lib": "1"]).uses == "sbs")
    #expect(try Self.uses(["use_lib": "0", "com_a_use_lib": "0"]).uses == "sss")
    #expect(try Self.uses(["use_lib": "", "com_a_use_lib": ""]).uses == "sss")
    #expect(try Self.uses(["use_lib": "0", "com_a_use_lib": "1"]).uses == "bss")
    #expect(try Self.uses(["use_lib": "1", "com_a_use_lib": "0"]).uses == "bbs")
    // One without a binary stays source, and that is told if it was named.
    #expect(try Self.uses(["use_lib": "1"]).choice.withoutBinary.isEmpty)
    let named = try Self.uses(["com_d_use_lib": "1"])
    #expect(named.uses == "sss" && named.choice.withoutBinary.map { "\($0)" } == ["com.d"])
    #expect(try Self.uses(["com_x_use_lib": "1", "com_y_use_lib": "0"]).choice.unknown == ["com_x_use_lib"])
  }

  @Test(
    "D36: a switch that is empty or 0 is off, and what may be meant as off is refused",
    arguments: ["false", "no", "off", " ", "2", "1\u{301}"])
  func switches(value: String) throws {
    #expect(try Self.uses(["use_lib": ""]).uses == "sss" && Self.uses(["use_lib": "0"]).uses == "sss")
    let error = expectError(.resolveSwitch) { _ = try Self.uses(["use_lib": value]) }
    #expect(error?.object == "use_lib")
    expectError(.resolveSwitch) { _ = try Self.uses(["com_a_use_lib": value]) }
    // What is no switch is not looked at.
    #expect(try Self.uses(["my_use_library": value, "USE_LIB": value]).uses == "sss")
  }

  @Test("no two modules share a switch")
  func variables() throws {
    let names = ["a.b.c", "a.b-c", "a-b.c", "a.b--c", "a--b.c", "a-b-c.d", "a.b.c-d", "a.b.use.lib"]
    let variables = try names.map { BinaryChoice.variable(of: try identifier($0)) }
    #expect(Set(variables).count == names.count)
    #expect(variables[1] == "a_b__c_use_lib")
  }
}
