import Foundation
import ModuleStore
import Signet
import SignetCrypto
import TestSupport
import Testing

@Suite struct ActiveReleaseTests {
  private let player = StoreFixture.player

  private func damage(_ installed: InstalledModule, _ fixture: StoreFixture) throws {
    try Data("?".utf8).write(to: URL(filePath: fixture.place(of: installed) + "/files/assets/a"))
  }

  @Test("the highest release is active, whatever the order they are installed in")
  func highest() throws {
    let fixture = try StoreFixture()
    expectError(.storeNotInstalled) { _ = try fixture.store().active(player) }
    for sequence in [6, 8, 7] { try fixture.install(sequence) }
    #expect(try fixture.store().active(player).sequence == 8)
    #expect(try fixture.store().verify().map(\.isActive) == [false, false, true])
    try fixture.store().remove(player, sequence: 8)
    #expect(try fixture.store().active(player).sequence == 7)
  }

  @Test("where the active release is damaged the next is taken, unless it is below the floor")
  func damaged() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let old = try fixture.install(6)
    let middle = try fixture.install(7)
    let new = try fixture.install(8)
    try store.raiseFloor(after: middle)
    try damage(new, fixture)
    #expect(try store.active(player).sequence == 7)
    try damage(middle, fixture)
    #expect(try old.bytes(of: "assets/a") == Array("hello".utf8))
    expectError(.storeDamaged) { _ = try store.active(player) }
  }

  @Test(
    "after two crashes the newest other release runs, below the store's floor, too; a run that is well forgets a crash"
  )
  func crashes() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    try fixture.install(5)
    let old = try fixture.install(6)
    let new = try fixture.install(7)
    try store.noteCrash(of: new)
    #expect(try store.active(player).sequence == 7)
    // It runs well: what was before does not count.
    try store.raiseFloor(after: new)
    try store.noteWell([ModuleStore.ReleaseName(identifier: player, sequence: 7)])
    try store.noteCrash(of: new)
    #expect(try store.active(player).sequence == 7)
    try store.noteCrash(of: new)
    #expect(try store.active(player).sequence == 6)
    try store.noteCrash(of: new)
    #expect(try store.active(player).sequence == 6)
    // The floor stays, and what is fallen back to does not lower it.
    #expect(try store.raiseFloor(after: old).sequence == 7)
    // The release that crashed may be removed: it stays known.
    try store.remove(player, sequence: 7)
    #expect(try store.active(player).sequence == 6)
    // A newer one is tried again.
    try fixture.install(8)
    #expect(try store.active(player).sequence == 8)
  }

  @Test(
    "nothing is fallen back to that is below the policy's floor, the embedded release, or what the statement allows")
  func limits() throws {
    for (minimum, embedded, floor) in [(7, nil, nil), (nil, 7, nil), (nil, nil, 7)] as [(Int?, Int?, Int?)] {
      let fixture = try StoreFixture()
      let store = try fixture.store()
      try fixture.install(6)
      let new = try fixture.install(7, minimumSequence: minimum)
      let policy = try fixture.policy { $0.floors = floor.map { [player: $0] } ?? [:] }
      let later = try fixture.store(policy)
      for _ in 0..<2 { try later.noteCrash(of: new) }
      let error = expectError(.moduleCrashed) { _ = try later.choose(player, embedded: embedded) }
      #expect(error?.object == "com.example.player 7")
      #expect(error?.found == "2 crashes")
      // Once somebody has asked for it, it runs again.
      #expect(try later.retry(player) == [7])
      #expect(try later.retry(player).isEmpty)
      #expect(try later.choose(player, embedded: embedded).release.sequence == 7)
      #expect(fixture.state.contains("\"action\":\"retry\",\"module\":\"com.example.player\",\"sequence\":7"))
      _ = store
    }
  }

  @Test("a release that is damaged now is not fallen back to")
  func damagedFallback() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    try fixture.install(5)
    let old = try fixture.install(6)
    let new = try fixture.install(7)
    try damage(old, fixture)
    for _ in 0..<2 { try store.noteCrash(of: new) }
    #expect(try store.active(player).sequence == 5)
  }

  @Test("crashes of an older release do not keep from a newer one, and set the older one aside")
  func olderCrashes() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    try fixture.install(4)
    // Two hosts that were loading it when the next one was installed.
    let old = try fixture.install(5)
    let new = try fixture.install(9)
    for _ in 0..<2 { try store.noteCrash(of: old) }
    #expect(try store.active(player).sequence == 9)
    try damage(new, fixture)
    #expect(try store.choose(player).release.sequence == 4)
    #expect(try store.choose(player).insteadOf == 5)
  }

}
