import SignetBase
import TestSupport
import Testing

@testable import ModuleResolver

/// What is told if a module gets a lower sequence than the lock has.
@Suite struct SequenceFallTests {
  @Test("a change of the place is told with both places, and why a sequence has fallen")
  func places() throws {
    let offers = try Offers().add("com.a", "1.1.0", sequence: 5)
    let served = try modfile("module 'com.a'")
    let folder = try modfile("module 'com.a', path: '../a'")
    let first = try lock(ModuleResolver.resolve(served, offers: offers))
    try offers.override("com.a", "1.1.0")
    let there = try ModuleResolver.resolve(folder, lock: first, offers: offers)
    let words = there.changes.map { if case .changed(_, let from, let to) = $0 { "\(from), \(to)" } else { "" } }
    #expect(words == ["1.1.0 from source \(try #require(served.sources.first).name), 1.1.0 from path ../a"])
    let (path, module) = (ModuleOverride.path(try FolderPath("../a")), try identifier("com.a"))
    #expect(there.remarks == [.sequenceFell(module, from: 5, to: 1, because: .override(path))])
    let older = try Offers().add("com.a", "1.1.0", sequence: 1)
    let text = try lock(there).text.replacing("  sequence 1\n", with: "  sequence 7\n")
    let back = try ModuleResolver.resolve(served, lock: ModuleLock(Array(text.utf8)), offers: older)
    #expect(back.remarks == [.sequenceFell(module, from: 7, to: 1, because: .endOfOverride(path))])
  }

  @Test("an older release that a line demands is no accident")
  func demanded() throws {
    let offers = try Offers().add("com.a", "1.1.0", sequence: 5).add("com.a", "1.0.0", sequence: 3)
    let first = try lock(ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers))
    let demanded = try ModuleResolver.resolve(modfile("module 'com.a', '= 1.0.0'"), lock: first, offers: offers)
    #expect(demanded.remarks == [.sequenceFell(try identifier("com.a"), from: 5, to: 3, because: .demand)])
    // A line that accepts the locked release demands nothing.
    let gone = try Offers().add("com.a", "1.0.0", sequence: 3)
    let other = try ModuleResolver.resolve(modfile("module 'com.a'"), lock: first, mode: .update, offers: gone)
    #expect(other.remarks == [.sequenceFell(try identifier("com.a"), from: 5, to: 3, because: .choice)])
  }

  @Test("where the locked release was withdrawn, an older one is a way back, and no later version can be demanded")
  func withdrawn() throws {
    let offers = try Offers().add("com.a", "1.1.0", sequence: 5).add("com.a", "1.0.0", sequence: 3)
    let first = try lock(ModuleResolver.resolve(modfile("module 'com.a'"), offers: offers))
    let after = try Offers().add("com.a", "1.1.0", sequence: 5, yanked: "loses settings")
      .add("com.a", "1.0.0", sequence: 3)
    let updated = try ModuleResolver.resolve(modfile("module 'com.a'"), lock: first, mode: .update, offers: after)
    let module = try identifier("com.a")
    let withdrawn = try #require(first[module]).version
    #expect(updated.remarks == [.sequenceFell(module, from: 5, to: 3, because: .withdrawal(withdrawn))])
  }
}
