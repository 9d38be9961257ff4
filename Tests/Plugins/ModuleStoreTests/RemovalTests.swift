import Foundation
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import ModuleStore

@Suite struct RemovalTests {
  private let player = StoreFixture.player

  @Test("what is removed is gone, with its files, unless somebody uses the store")
  func remove() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let installed = try fixture.install(7)
    try fixture.install(8)
    expectError(.storeNotInstalled) { try store.remove(player, sequence: 9) }
    #expect(try store.remove(player, sequence: 7).map(\.sequence) == [7])
    #expect(try fixture.installed() == [8])
    #expect(!FileManager.default.fileExists(atPath: fixture.place(of: installed)))
    #expect(try store.staging().isEmpty)
    let used = try store.active(player)
    let hold = try store.hold()
    try store.remove(player)
    #expect(try store.installed().isEmpty)
    // Whoever has it open reads on.
    #expect(try used.bytes(of: "assets/a") == Array("hello".utf8))
    #expect(try store.staging().count == 1)
    expectError(.storeLocked) { try store.collectGarbage() }
    #expect(try used.bytes(of: "assets/a") == Array("hello".utf8))
    withExtendedLifetime(hold) {}
  }

  @Test("all releases but those that are named are removed, and the floors stay")
  func removeAll() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    for sequence in [5, 6, 7] { try fixture.install(sequence) }
    #expect(try store.removeAll(except: [player: 6]) == [player])
    #expect(try fixture.installed() == [6])
    #expect(try store.removeAll(except: [player: 6]).isEmpty)
    #expect(try store.removeAll(except: [:]) == [player])
    #expect(try store.installed().isEmpty)
  }

  @Test("a store that others use can be changed, and is cleared away when nobody uses it")
  func held() throws {
    let fixture = try StoreFixture()
    let (store, other) = (try fixture.store(), try fixture.store())
    func use() throws {
      let hold = try other.hold()
      let second = try other.hold()
      try fixture.install(7)
      try store.remove(player)
      #expect(try store.staging().count == 1)
      store.clearRemoved()
      #expect(try store.staging().count == 1)
      withExtendedLifetime((hold, second)) {}
    }
    try use()
    store.clearRemoved()
    #expect(try store.staging().isEmpty)
    try use()
    try store.collectGarbage()
    #expect(try store.staging().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.path + "/modules").isEmpty)
  }

  @Test("a process that holds the store alone removes what it does not use, however often it installs")
  func alone() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let hold = try store.hold()
    let policy = try fixture.policy()
    let first = try store.install(fixture.release(1).verified(policy))
    for sequence in 2...33 {
      try store.install(fixture.release(sequence).verified(policy))
      // The first release was replaced long ago, and somebody here still reads from it.
      #expect(try store.staging().count <= 1)
      #expect(try first.bytes(of: "assets/a") == Array("hello".utf8))
    }
    #expect(try fixture.installed().count <= 5)
    // Another process cannot clear anything away meanwhile, and has had no part in the lock.
    expectError(.storeLocked) { try fixture.store().collectGarbage() }
    let other = try fixture.store().hold()
    try store.install(fixture.release(34).verified(policy))
    #expect(try store.staging().count == 2)
    withExtendedLifetime((hold, first, other)) {}
  }

  @Test("garbage is what is neither active nor may be fallen back to, and what nobody has listed")
  func garbage() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    for sequence in 4...7 { try fixture.install(sequence) }
    let place = fixture.place(of: try store.active(player))
    try FileManager.default.copyItem(atPath: place, toPath: place + "0")
    try FileManager.default.createDirectory(
      atPath: fixture.path + "/modules/com.example.gone/1-x/files", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: fixture.path + "/staging/old-x", withIntermediateDirectories: true)
    #expect(try store.collectGarbage().map(\.sequence) == [4, 5])
    #expect(try fixture.installed() == [6, 7])
    #expect(try store.staging().isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.path + "/modules") == ["com.example.player"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/..").count == 2)
    // The embedded release is as new: nothing older is fallen back to.
    #expect(try store.collectGarbage(embedded: [player: 7]).map(\.sequence) == [6])
    // What the newest release does not allow to fall back to.
    try fixture.install(8, minimumSequence: 8)
    #expect(try store.collectGarbage().map(\.sequence) == [7])
  }

  @Test("what has crashed stays known when garbage is collected")
  func crashed() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    for sequence in 4...7 { try fixture.install(sequence) }
    for _ in 0..<2 { try store.noteCrash(of: store.active(player)) }
    #expect(try store.active(player).sequence == 6)
    #expect(try store.collectGarbage().map(\.sequence) == [4])
    #expect(try store.active(player).sequence == 6)
  }
}
