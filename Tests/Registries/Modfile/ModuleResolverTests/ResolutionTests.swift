import ModuleResolver
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@Suite struct ResolutionTests {
  @Test("PO8: sources, ranges, overrides and targets give a lock; missing modules and circles are errors with a path")
  func row() throws {
    func pick(_ comparators: String, _ versions: String...) throws -> String {
      let offers = Offers()
      for version in versions { try offers.add("com.a", version) }
      return chosen(try ModuleResolver.resolve(modfile("module 'com.a'\(comparators)"), offers: offers)).joined()
    }
    #expect(try pick(", '~> 1.0.1'", "1.0.1", "1.0.9", "1.1.0") == "com.a 1.0.9")
    #expect(try pick(", '~> 1.0'", "1.0.0", "1.9.0", "2.0.0") == "com.a 1.9.0")
    #expect(try pick("", "3.2.0", "3.10.0") == "com.a 3.10.0")
    #expect(try pick("", "0.9.0", "1.0.0-beta") == "com.a 0.9.0")
    #expect(try pick(", '>= 0.9.0-0'", "0.9.0", "1.0.0-beta") == "com.a 1.0.0-beta")
    #expect(try pick(", '>= 0.9.0-0'", "1.0.0", "1.0.0-beta") == "com.a 1.0.0")
    let commit = String(repeating: "1", count: 40)
    let file = try Modfile(
      Array(
        """
        source 'one', 'https://one.example.com', modules: 'com.one.**'
        source 'two', 'https://two.example.com', modules: 'com.two.**'
        module 'com.one.a', '~> 1.0.1'
        module 'com.two.c', git: 'https://git.example.com/c', commit: '\(commit)'
        target 'shop' do
          module 'com.two.b'
        end

        """.utf8))
    let offers = try Offers().add("com.one.a", "1.0.9", in: "one").add("com.two.b", "1.0.0", in: "two")
    try offers.override("com.two.c", "0.1.0")
    let known = try lock(ModuleResolver.resolve(file, offers: offers))
    #expect(try ModuleLock(Array(known.text.utf8)) == known)
    #expect(
      known.modules.map { "\($0.identifier) \($0.version)" } == [
        "com.one.a 1.0.9", "com.two.b 1.0.0", "com.two.c 0.1.0",
      ])
    #expect(try known.modules(for: nil, in: file).map { "\($0.identifier)" } == ["com.one.a", "com.two.c"])
    let faulty = try Offers().add("com.a", "1.0.0", ["com.missing >=1.0.0"]).add("com.b", "1.0.0", ["com.c >=1.0.0"])
      .add("com.c", "1.0.0", ["com.b >=1.0.0"])
    let missing = expectError(.resolveMissing) {
      _ = try ModuleResolver.resolve(modfile("module 'com.a'"), offers: faulty)
    }
    #expect(missing?.found == "Modfile requires com.a requires com.missing")
    let circle = expectError(.resolveCycle) {
      _ = try ModuleResolver.resolve(modfile("module 'com.b'"), offers: faulty)
    }
    #expect(circle?.found == "com.b requires com.c requires com.b")
  }

  @Test(
    "the newest version that the comparators accept is chosen",
    arguments: [
      ("'~> 1.0.1'", ["1.0.0", "1.0.9", "1.0.10-beta", "1.1.0"], "1.0.9"),
      ("'~> 1.0'", ["1.0.0", "1.9.0", "2.0.0-beta", "2.0.0"], "1.9.0"),
      ("'~> 1'", ["1.0.0", "1.9.0", "2.0.0"], "1.9.0"),
      ("'>= 3'", ["3.2.0", "3.10.0", "3.9.0"], "3.10.0"),
      // A pre-release precedes its release, and is skipped unless it is asked for.
      ("'>= 1.0'", ["0.9.0", "1.0.0-beta", "1.0.0", "1.1.0-beta"], "1.0.0"),
      ("'>= 1.0.0-alpha'", ["1.0.0-beta", "1.0.0"], "1.0.0"),
      ("'>= 1.0.0-alpha'", ["1.0.0-beta.2", "1.0.0-beta.10"], "1.0.0-beta.10"),
      ("'= 1.0.0-beta'", ["1.0.0-beta", "1.0.0"], "1.0.0-beta"),
      ("'1.0.0'", ["1.0.0", "1.0.1"], "1.0.0"),
      ("'>= 1.1', '< 2', '<= 1.4'", ["1.0.0", "1.3.0", "1.4.1", "2.0.0"], "1.3.0"),
      ("'> 1.1'", ["1.1.0", "1.1.1"], "1.1.1"),
    ])
  func ranges(comparators: String, versions: [String], expected: String) throws {
    let offers = Offers()
    for version in versions { try offers.add("com.a", version) }
    let found = try ModuleResolver.resolve(modfile("module 'com.a', \(comparators)"), offers: offers)
    #expect(chosen(found) == ["com.a \(expected)"])
  }

  @Test("a missing module is an error with the path of requirements, whether its source lacks it or it has none")
  func missing() throws {
    let offers = try Offers().add("com.a", "1.0.0", ["com.b >=1.0.0"]).add("com.b", "1.0.0", ["com.c >=1.0.0"])
    let error = expectError(.resolveMissing) {
      _ = try ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers)
    }
    #expect(error?.object == "com.c")
    #expect(error?.found == "Modfile requires com.a requires com.b requires com.c")
    try offers.add("com.d", "1.0.0", ["org.e >=1.0.0"])
    let other = expectError(.resolveMissing) {
      _ = try ModuleResolver.resolve(modfile("module 'com.d'"), offers: offers)
    }
    #expect(other?.found == "Modfile requires com.d requires org.e")
    #expect(
      "\((try #require(other?.cause)))" == """
        Because the Modfile requires any version of com.d (line 2) and com.d 1.0.0 requires org.e >=1.0.0 (no source may \
        serve it), the Modfile cannot be met.
        """)
    // Nobody was asked for what nobody may serve.
    #expect(!offers.asked.contains { $0.hasSuffix("org.e") })
  }

  @Test("modules that require each other in a circle are an error that names the circle")
  func cycle() throws {
    let offers = try Offers().add("com.a", "1.0.0", ["com.b >=1.0.0"]).add("com.b", "1.0.0", ["com.c >=1.0.0"])
      .add("com.c", "1.0.0", ["com.b >=1.0.0"])
    let error = expectError(.resolveCycle) {
      _ = try ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers)
    }
    #expect(error?.found == "com.b requires com.c requires com.b")
    // An older release without the circle is taken.
    try offers.add("com.c", "0.9.0").add("com.b", "0.9.0", ["com.c >=0.9.0"]).add("com.a", "0.9.0", ["com.b >=0.9.0"])
    let found = try ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers)
    #expect(chosen(found) == ["com.a 0.9.0", "com.b 0.9.0", "com.c 0.9.0"])
  }

  @Test("several sources, overrides and targets make one lock")
  func whole() throws {
    let commit = String(repeating: "8", count: 40)
    let file = try Modfile(
      Array(
        """
        source 'one', 'https://one.example.com', modules: 'com.one.**'
        source 'two', 'https://two.example.com', modules: 'com.two.**'
        module 'com.one.a', '~> 1.0.1'
        target 'shop' do
          module 'com.two.b'
          module 'com.two.c', git: 'https://git.example.com/c', commit: '\(commit)'
          module 'com.two.d', path: '../d'
        end

        """.utf8))
    let offers = try Offers().add("com.one.a", "1.0.9", ["com.two.b >=1.0.0"], in: "one").add(
      "com.two.b", "1.0.0", in: "two")
    try offers.override("com.two.c", "0.1.0", ["com.two.b <2.0.0"])
    try offers.override("com.two.d", "0.2.0-dev")
    let found = try ModuleResolver.resolve(file, offers: offers)
    let text = try lock(found).text
    let (a, b) = (try digests("com.one.a 1.0.9 "), try digests("com.two.b 1.0.0 "))
    #expect(
      text == """
        Modfile.lock 1

        module com.one.a 1.0.9
          source one
          sequence 1
          archive \(a.archive)
          description \(a.description)
          signer \(signer)
          requires com.two.b >=1.0.0

        module com.two.b 1.0.0
          source two
          sequence 1
          archive \(b.archive)
          description \(b.description)
          signer \(signer)

        module com.two.c 0.1.0
          git https://git.example.com/c
          commit \(commit)
          sequence 1
          requires com.two.b <2.0.0

        module com.two.d 0.2.0-dev
          path ../d
          sequence 1

        """)
    let read = try ModuleLock(Array(text.utf8))
    #expect(read == (try lock(found)))
    #expect(try read.modules(for: nil, in: file).map { "\($0.identifier)" } == ["com.one.a", "com.two.b"])
    #expect(try read.modules(for: ModfileName("shop"), in: file).count == 4)
    expectError(.modfileName) { _ = try read.modules(for: ModfileName("other"), in: file) }
    // Each module is asked for once.
    #expect(offers.asked.count == Set(offers.asked).count)
  }

  @Test("PO9: when 1.0.10 is published, installing keeps 1.0.9, and updating moves")
  func installAndUpdate() throws {
    let offers = try Offers().add("com.a", "1.0.9").add("com.b", "1.0.0")
    let file = try modfile("module 'com.a', '~> 1.0.1'", "module 'com.b'")
    let first = try lock(ModuleResolver.resolve(file, offers: offers))
    try offers.add("com.a", "1.0.10").add("com.b", "1.1.0")
    let kept = try ModuleResolver.resolve(file, lock: first, offers: offers)
    #expect(chosen(kept) == ["com.a 1.0.9", "com.b 1.0.0"] && kept.changes.isEmpty)
    #expect(try lock(kept).text == first.text)
    let updated = try ModuleResolver.resolve(file, lock: first, mode: .update, offers: offers)
    #expect(chosen(updated) == ["com.a 1.0.10", "com.b 1.1.0"])
    let named = try ModuleResolver.resolve(
      file, lock: first, mode: .updateOnly([identifier("com.a")]), offers: offers)
    #expect(chosen(named) == ["com.a 1.0.10", "com.b 1.0.0"])
    #expect(named.changes.count == 1)
    guard case .changed(let module, let from, let to)? = named.changes.first else {
      Issue.record("com.a did not change")
      return
    }
    #expect("\(module) \(from) \(to)" == "com.a 1.0.9 1.0.10")
    expectError(.resolveNotLocked) {
      _ = try ModuleResolver.resolve(file, lock: first, mode: .updateOnly([identifier("com.x")]), offers: offers)
    }
  }

  @Test("installing changes only what does not fit any longer, even if something newer would pull more along")
  func installAfterChange() throws {
    let offers = try Offers().add("com.a", "1.0.0").add("com.a", "1.1.0").add("com.c", "1.0.0").add("com.c", "2.0.0")
    let old = try modfile("module 'com.a', '<= 1.0'", "module 'com.c', '~> 1.0'")
    let first = try lock(ModuleResolver.resolve(old, offers: offers))
    // The newest com.b would need a newer com.a, so an older one is taken.
    try offers.add("com.b", "1.0.0", ["com.a >=1.0.0"]).add("com.b", "2.0.0", ["com.a >=1.1.0"])
    let more = try modfile("module 'com.b'", "module 'com.a'", "module 'com.c', '~> 1.0'")
    let found = try ModuleResolver.resolve(more, lock: first, offers: offers)
    #expect(chosen(found) == ["com.a 1.0.0", "com.b 1.0.0", "com.c 1.0.0"])
    // Where the Modfile leaves no choice, that module moves and the others stay.
    let forced = try modfile("module 'com.b', '2.0.0'", "module 'com.a'", "module 'com.c'")
    let moved = try ModuleResolver.resolve(forced, lock: first, offers: offers)
    #expect(chosen(moved) == ["com.a 1.1.0", "com.b 2.0.0", "com.c 1.0.0"])
    // What nothing requires any longer goes.
    let less = try ModuleResolver.resolve(modfile("module 'com.c'"), lock: first, offers: offers)
    #expect(chosen(less) == ["com.c 1.0.0"])
    guard case .removed(let gone, _)? = less.changes.first else {
      Issue.record("nothing was removed")
      return
    }
    #expect("\(gone)" == "com.a")
  }

  @Test(
    "D35: a higher version in another source changes nothing, for the Modfile's modules and for those they require")
  func confusion() throws {
    let file = try Modfile(
      Array(
        """
        source 'ours', 'https://ours.example.com', modules: 'com.ours.**'
        source 'world', 'https://world.example.com', modules: 'com.**'
        module 'com.ours.a'
        module 'com.theirs.x'

        """.utf8))
    let offers = try Offers().add("com.ours.a", "1.0.0", ["com.ours.b >=1.0.0"], in: "ours")
      .add("com.ours.b", "1.0.0", in: "ours").add("com.theirs.x", "1.0.0", ["com.ours.b >=1.0.0"], in: "world")
    // A stranger offers higher versions of our names in the other source.
    try offers.add("com.ours.a", "99.0.0", in: "world").add("com.ours.b", "99.0.0", in: "world")
    let found = try ModuleResolver.resolve(file, offers: offers)
    #expect(chosen(found) == ["com.ours.a 1.0.0", "com.ours.b 1.0.0", "com.theirs.x 1.0.0"])
    #expect(offers.asked == ["ours com.ours.a", "world com.theirs.x", "ours com.ours.b"])
    // If our source lacks the module, that is an error, and the other source is not asked.
    let lacking = try Offers().add("com.ours.a", "1.0.0", ["com.ours.b >=1.0.0"], in: "ours")
      .add("com.theirs.x", "1.0.0", in: "world").add("com.ours.b", "99.0.0", in: "world")
    let error = expectError(.resolveMissing) { _ = try ModuleResolver.resolve(file, offers: lacking) }
    #expect(error?.found == "Modfile requires com.ours.a requires com.ours.b")
    #expect(!lacking.asked.contains("world com.ours.b"))
    // A tag, which can be moved, is no way to name a release.
    expectError(.modfileUnknownWord) { _ = try modfile("module 'com.a', git: 'https://a', tag: '1.0.0'") }
    // The lock has the digests of the bytes; other bytes under the same version are refused.
    let known = try lock(found)
    let archive = try Digest.of(Array("com.ours.a 1.0.0 ".utf8), .sha256)
    #expect(known.text.contains("\n  archive \(archive)\n") && archive.algorithm == .sha256)
    let swapped = try Offers().add("com.ours.a", "1.0.0", in: "ours", content: "evil").add(
      "com.theirs.x", "1.0.0", in: "world")
    let changed = expectError(.resolveReleaseChanged) {
      _ = try ModuleResolver.resolve(file, lock: known, offers: swapped)
    }
    #expect(changed?.object == "com.ours.a 1.0.0")
    // When the Modfile gives a module to another source, the lock's release does not stay.
    let moved = try Modfile(
      Array(file.text.replacing("'com.ours.**'", with: "'com.ours.a'").utf8))
    let after = try ModuleResolver.resolve(moved, lock: known, offers: offers)
    #expect(chosen(after) == ["com.ours.a 1.0.0", "com.ours.b 99.0.0", "com.theirs.x 1.0.0"])
  }

  @Test("a withdrawn release is never chosen anew, and kept with a remark if the lock has it")
  func yanked() throws {
    let file = try modfile("module 'com.a'")
    let before = try Offers().add("com.a", "1.0.0").add("com.a", "1.1.0")
    let known = try lock(ModuleResolver.resolve(file, offers: before))
    let after = try Offers().add("com.a", "1.0.0").add("com.a", "1.1.0", yanked: "loses settings")
    #expect(chosen(try ModuleResolver.resolve(file, offers: after)) == ["com.a 1.0.0"])
    let kept = try ModuleResolver.resolve(file, lock: known, offers: after)
    #expect(chosen(kept) == ["com.a 1.1.0"])
    let version = try #require(SemanticVersion("1.1.0"))
    #expect(kept.remarks == [.withdrawn(try identifier("com.a"), version, reason: "loses settings")])
    let updated = try ModuleResolver.resolve(file, lock: known, mode: .update, offers: after)
    #expect(chosen(updated) == ["com.a 1.0.0"])
    #expect(
      updated.remarks == [.sequenceFell(try identifier("com.a"), from: 2, to: 1, because: .withdrawal(version))])
    let gone = try Offers().add("com.a", "1.2.0", sequence: 9)
    let other = try ModuleResolver.resolve(file, lock: known, offers: gone)
    #expect(other.remarks == [.notOffered(try identifier("com.a"), version)])
    let only = try Offers().add("com.a", "1.0.0", yanked: "bad").add("com.a", "2.0.0-rc.1")
    let error = expectError(.resolveConflict) { _ = try ModuleResolver.resolve(file, offers: only) }
    #expect(
      "\((try #require(error?.cause)))" == """
        Because the Modfile requires any version of com.a (line 2; source main offers only the pre-release 2.0.0-rc.1 and the \
        withdrawn 1.0.0), the Modfile cannot be met.
        """)
  }

  @Test("a module that is required in a pre-release needs a line in the Modfile")
  func transitivePrerelease() throws {
    let offers = try Offers().add("com.a", "1.0.0", ["com.b >=2.0.0-beta"]).add("com.b", "2.0.0-beta")
    expectError(.resolveConflict) { _ = try ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers) }
    let asked = try modfile("module 'com.a'", "module 'com.b', '>= 2.0.0-beta'")
    let known = try lock(ModuleResolver.resolve(asked, offers: offers))
    #expect(known.modules.map { "\($0.version)" } == ["1.0.0", "2.0.0-beta"])
    // It does not stay when the Modfile stops asking for it.
    try offers.add("com.b", "2.0.0")
    let found = try ModuleResolver.resolve(modfile("module 'com.a'"), lock: known, offers: offers)
    #expect(chosen(found) == ["com.a 1.0.0", "com.b 2.0.0"])
  }

  @Test("a higher line of the Modfile gets its newest release first")
  func order() throws {
    let offers = try Offers().add("com.a", "1.0.0").add("com.a", "2.0.0", ["com.c >=2.0.0"])
      .add("com.b", "1.0.0").add("com.b", "2.0.0", ["com.c <2.0.0"]).add("com.c", "1.0.0").add("com.c", "2.0.0")
    let forwards = try ModuleResolver.resolve(modfile("module 'com.a'", "module 'com.b'"), offers: offers)
    #expect(chosen(forwards) == ["com.a 2.0.0", "com.b 1.0.0", "com.c 2.0.0"])
    let backwards = try ModuleResolver.resolve(modfile("module 'com.b'", "module 'com.a'"), offers: offers)
    #expect(chosen(backwards) == ["com.a 1.0.0", "com.b 2.0.0", "com.c 1.0.0"])
  }

  @Test("offers that contradict themselves are refused")
  func offers() throws {
    let file = try modfile("module 'com.a'")
    let cases = [
      try Offers().add("com.a", "1.0.0").add("com.a", "1.0.0+b"),
      try Offers().add("com.a", "1.0.0", ["com.a >=1.0.0"]),
      try Offers().add("com.a", "1.0.0", ["com.b >=1.0.0", "com.b <2.0.0"]),
      try Offers().add("com.a", "1.0.0", sequence: 0),
    ]
    for offers in cases { expectError(.resolveOffers) { _ = try ModuleResolver.resolve(file, offers: offers) } }
    let many = try Offers().add("com.a", "1.0.0", (0...256).map { "com.b\($0) >=1.0.0" })
    expectError(.resolveBounds) { _ = try ModuleResolver.resolve(file, offers: many) }
  }
}
