import Signet
import SignetBase
import TestSupport
import Testing

@testable import ModuleResolver

@Suite struct ExplanationTests {
  private func sentences(_ file: Modfile, _ offers: Offers) throws -> [String] {
    let error = expectError(.resolveConflict) { _ = try ModuleResolver.resolve(file, offers: offers) }
    return try #require(error?.cause as? ConflictExplanation).sentences
  }

  @Test("two modules that cannot be used together are named with what they require")
  func together() throws {
    let offers = try Offers().add("com.codec", "1.0.0").add("com.codec", "2.0.0")
      .add("com.cart", "1.4.0", ["com.codec <2.0.0"])
    for minor in 0..<3 { try offers.add("com.player", "1.\(minor).0", ["com.codec >=2.0.0"]) }
    try offers.add("com.player", "2.0.0")
    #expect(
      try sentences(modfile("module 'com.player', '~> 1.0'", "module 'com.cart', '= 1.4.0'"), offers) == [
        """
        Because com.player 1.0.0 to 1.2.0 requires com.codec >=2.0.0 and com.cart 1.4.0 requires com.codec <2.0.0, \
        com.player 1.0.0 to 1.2.0 cannot be used together with com.cart 1.4.0.
        """,
        """
        So, because the Modfile requires both com.player ~> 1.0 (line 2) and com.cart = 1.4.0 (line 3), the Modfile cannot \
        be met.
        """,
      ])
  }

  @Test("a release that does not support the host says which hosts it does")
  func host() throws {
    let offers = try Offers().add("com.player", "1.0.0", host: "<2.0.0")
      .add("com.player", "2.0.0", ["com.codec >=1.0.0"], host: ">=2.0.0").add("com.player", "2.1.0", host: ">=2.0.0")
      .add("com.codec", "1.0.0")
    #expect(
      try sentences(modfile("host '1.4.0'", "module 'com.player', '>= 2'"), offers) == [
        """
        Because com.player 2.0.0 to 2.1.0 requires host >=2.0.0 (the host is 1.4.0) and the Modfile requires com.player \
        >= 2 (line 3), the Modfile cannot be met.
        """
      ])
    func resolved(_ lines: String...) throws -> [String] {
      let text = (["source 'main', 'https://modules.example.com', modules: 'com.**'"] + lines).joined(separator: "\n")
      return chosen(try ModuleResolver.resolve(Modfile(Array((text + "\n").utf8)), offers: offers))
    }
    #expect(try resolved("host '1.4.0'", "module 'com.player'") == ["com.player 1.0.0"])
    #expect(try resolved("host '2.0.0'", "module 'com.player'") == ["com.player 2.1.0"])
    // Without a host, nothing is left out.
    #expect(try resolved("module 'com.player'") == ["com.player 2.1.0"])
    // Another version takes the place of the one in the file.
    let file = try modfile("host '1.4.0'", "module 'com.player', '< 2.1'").with(
      host: #require(SemanticVersion("2.5.0")))
    let resolution = try ModuleResolver.resolve(file, offers: offers)
    #expect(chosen(resolution) == ["com.codec 1.0.0", "com.player 2.0.0"])
    // A locked release that does not support the host is given up, and what is newer for it is no news.
    let old = try modfile("host '1.4.0'", "module 'com.player'")
    let moved = try ModuleResolver.resolve(old, lock: lock(resolution), offers: offers)
    #expect(chosen(moved) == ["com.player 1.0.0"] && moved.changes.count == 2)
    let outdated = try #require(try lock(moved).outdated(old, offers: offers).first)
    #expect(outdated.newestFitting == SemanticVersion("1.0.0") && outdated.newest == SemanticVersion("2.1.0"))
    // A folder is compared, too.
    try offers.override("com.player", "3.0.0", host: ">=3.0.0")
    let local = try sentences(modfile("host '2.0.0'", "module 'com.player', path: '../player'"), offers)
    #expect(local.first?.contains("com.player 3.0.0 requires host >=3.0.0 (the host is 2.0.0)") == true, "\(local)")
  }

  @Test("a chain of requirements is told from its beginning")
  func chain() throws {
    let offers = try Offers().add("com.foo", "1.0.0", ["com.bar >=2.0.0 <3.0.0"])
      .add("com.bar", "2.0.0", ["com.baz >=3.0.0 <4.0.0"]).add("com.baz", "1.0.0").add("com.baz", "3.0.0")
    #expect(
      try sentences(modfile("module 'com.foo', '~> 1.0'", "module 'com.baz', '~> 1.0'"), offers) == [
        """
        Because com.foo 1.0.0 requires com.bar >=2.0.0 <3.0.0 and com.bar 2.0.0 requires com.baz >=3.0.0 <4.0.0, com.foo \
        1.0.0 requires com.baz 3.0.0.
        """,
        """
        So, because the Modfile requires both com.foo ~> 1.0 (line 2) and com.baz ~> 1.0 (line 3), the Modfile cannot be \
        met.
        """,
      ])
  }

  @Test("two lines of reasoning are told one after the other, and referred to by number")
  func branches() throws {
    let offers = try Offers().add("com.foo", "1.0.0", ["com.a >=1.0.0 <2.0.0", "com.b >=1.0.0 <2.0.0"])
      .add("com.foo", "1.1.0", ["com.x >=1.0.0 <2.0.0", "com.y >=1.0.0 <2.0.0"])
      .add("com.a", "1.0.0", ["com.b >=2.0.0"]).add("com.b", "1.0.0").add("com.b", "2.0.0")
      .add("com.x", "1.0.0", ["com.y >=2.0.0"]).add("com.y", "1.0.0").add("com.y", "2.0.0")
    #expect(
      try sentences(modfile("module 'com.foo', '~> 1.0'"), offers) == [
        """
        Because com.foo 1.1.0 requires com.x >=1.0.0 <2.0.0 and com.x 1.0.0 requires com.y >=2.0.0, com.foo 1.1.0 requires \
        com.y 2.0.0.
        """,
        "And because com.foo 1.1.0 requires com.y >=1.0.0 <2.0.0, com.foo 1.1.0 cannot be used (1).",
        """
        Because com.foo 1.0.0 requires com.a >=1.0.0 <2.0.0 and com.a 1.0.0 requires com.b >=2.0.0, com.foo 1.0.0 requires \
        com.b 2.0.0.
        """,
        "And because com.foo 1.0.0 requires com.b >=1.0.0 <2.0.0, com.foo 1.0.0 cannot be used.",
        "And because com.foo 1.1.0 cannot be used (1), no release of com.foo can be used.",
        "So, because the Modfile requires com.foo ~> 1.0 (line 2), the Modfile cannot be met.",
      ])
  }

  @Test("what is offered instead is named: older versions, withdrawn ones, and the version of a folder")
  func instead() throws {
    let offers = try Offers().add("com.a", "1.0.0").add("com.a", "1.1.0").add("com.a", "2.0.0", yanked: "bad")
    #expect(
      try sentences(modfile("module 'com.a', '>= 2'"), offers) == [
        """
        Because the Modfile requires com.a >= 2 (line 2; source main offers 1.0.0 to 1.1.0, and the withdrawn 2.0.0, which \
        may not be chosen), the Modfile cannot be met.
        """
      ])
    try offers.override("com.b", "0.9.0")
    try offers.add("com.c", "1.0.0", ["com.b >=1.0.0"])
    #expect(
      try sentences(modfile("module 'com.b', path: '../b'", "module 'com.c'"), offers) == [
        """
        Because the Modfile requires any version of com.c (line 3) and com.c 1.0.0 requires com.b >=1.0.0 (path ../b has \
        0.9.0), the Modfile cannot be met.
        """
      ])
  }

  @Test("a circle is explained with the requirements that lead to it")
  func circle() throws {
    let offers = try Offers().add("com.a", "1.0.0", ["com.b >=1.0.0"]).add("com.b", "1.0.0", ["com.a >=1.0.0"])
      .add("com.a", "2.0.0", ["com.b >=1.0.0"])
    let error = expectError(.resolveCycle) {
      _ = try ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers)
    }
    let explanation = try #require(error?.cause as? ConflictExplanation)
    #expect(
      explanation.sentences.first?.contains(
        "every release of com.a requires com.b 1.0.0 requires com.a, and a host cannot load modules in a circle")
        == true)
  }

  @Test("a long derivation is told in a bounded number of sentences, and needs no deep stack")
  func long() throws {
    let offers = Offers()
    for module in 0..<3000 { try offers.add("com.m\(module)", "1.0.0", ["com.m\(module + 1) >=1.0.0"]) }
    try offers.add("com.m3000", "1.0.0", ["com.m0 >=2.0.0"])
    let sentences = try sentences(modfile("module 'com.m0'"), offers)
    #expect((1...ConflictExplanation.sentenceLimit + 1).contains(sentences.count))
    #expect(sentences.last?.hasSuffix("the Modfile cannot be met.") == true)
  }
}
