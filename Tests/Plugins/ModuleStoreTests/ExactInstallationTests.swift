import Foundation
import ModuleStore
import Signet
import SignetBase
import TestSupport
import Testing

/// Several modules in one change, as a lock chooses them.
@Suite struct ExactInstallationTests {
  private static let codec = StoreFixture.identifier("com.example.codec")
  private static let cart = StoreFixture.identifier("com.example.cart")

  private static func listed(_ store: ModuleStore) throws -> [String] {
    try store.verify().map { "\($0.identifier) \($0.sequence)\($0.isActive ? "" : " waits")" }
  }

  @Test("an older release that is chosen is what hosts load, and a newer one is removed with what is not chosen")
  func downgrade() throws {
    let fixture = try StoreFixture()
    let (store, policy) = (try fixture.store(), try fixture.policy())
    let releases = try [1, 2, 3].map { try fixture.release($0).verified(policy) }
    for release in releases.dropFirst() { try store.install(release) }
    try store.install(fixture.release(1, Self.codec).verified(policy))
    #expect(
      try Self.listed(store) == ["com.example.codec 1", "com.example.player 2 waits", "com.example.player 3"])
    let outcome = try store.install(
      exactly: [releases[0]], keeping: { [Self.codec: .nothing, Self.cart: .nothing] },
      from: { (module) throws(SignetError) in try ModuleToInstall(module) })
    #expect(outcome.installed.map(\.sequence) == [1] && outcome.dropped == [Self.codec])
    #expect(try Self.listed(store) == ["com.example.player 1"])
    // One that is there already, too; older ones stay to fall back to.
    try store.install(releases[1])
    try store.install(releases[2])
    try store.install(exactly: [releases[1]], from: { (module) throws(SignetError) in try ModuleToInstall(module) })
    #expect(try Self.listed(store) == ["com.example.player 1 waits", "com.example.player 2"])
  }

  @Test("what ran well is kept to fall back to, however many newer releases are dropped")
  func fallback() throws {
    let fixture = try StoreFixture()
    let (store, policy) = (try fixture.store(), try fixture.policy())
    for sequence in [2, 5, 6, 7, 8] { try store.install(fixture.release(sequence).verified(policy)) }
    let before = try Self.listed(store)
    let chosen = try fixture.release(4).verified(policy)
    try store.install(exactly: [chosen], from: { (module) throws(SignetError) in try ModuleToInstall(module) })
    let kept = before.filter { $0.contains("player 2") }
    #expect(try Self.listed(store) == kept + ["com.example.player 4"])
  }

  @Test("below a floor nothing is installed, and nothing is removed")
  func floor() throws {
    let fixture = try StoreFixture()
    let (store, policy) = (try fixture.store(), try fixture.policy())
    let old = try fixture.release(1).verified(policy)
    try store.install(old)
    try store.raiseFloor(after: store.install(fixture.release(2).verified(policy)))
    try store.install(fixture.release(1, Self.codec).verified(policy))
    let before = try Self.listed(store)
    let cart = try fixture.release(1, Self.cart).verified(policy)
    for order in [[cart, old], [old, cart]] {
      expectError(.policyRollback) {
        _ = try store.install(
          exactly: order, keeping: { [Self.codec: .nothing] },
          from: { (module) throws(SignetError) in try ModuleToInstall(module) },
          whenReady: { _ in Issue.record("it is not ready") })
      }
      #expect(try Self.listed(store) == before)
    }
  }

  @Test("what fails when all is ready, or at the last module, leaves the store as it was")
  func failure() throws {
    let fixture = try StoreFixture()
    let (store, policy) = (try fixture.store(), try fixture.policy())
    let releases = try [1, 2].map { try fixture.release($0).verified(policy) }
    try store.install(releases[1])
    let before = try FileManager.default.subpathsOfDirectory(atPath: fixture.path).sorted()
    let codec = try fixture.release(1, Self.codec).verified(policy)
    let end = SignetError(.outputFailed, "sources", "cannot be written")
    expectError(.outputFailed) {
      _ = try store.install(
        exactly: [codec, releases[0]], from: { (module) throws(SignetError) in try ModuleToInstall(module) },
        whenReady: { (_) throws(SignetError) in throw end })
    }
    expectError(.outputFailed) {
      _ = try store.install(
        exactly: [codec, releases[0]],
        from: { (module) throws(SignetError) in
          guard module.module.identifier == Self.codec else { throw end }
          return try ModuleToInstall(module)
        })
    }
    #expect(try Self.listed(store) == ["com.example.player 2"])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.path).sorted() == before)
  }

  @Test("what is there already is not written anew")
  func unchanged() throws {
    let fixture = try StoreFixture()
    let (store, policy) = (try fixture.store(), try fixture.policy())
    let release = try fixture.release(1).verified(policy)
    try store.install(release)
    let before = try fixture.folder.read("store/state.json")
    fixture.clock.time = UnixTime(seconds: StoreFixture.start.seconds + 9)
    try store.install(exactly: [release], from: { (module) throws(SignetError) in try ModuleToInstall(module) })
    #expect(try fixture.folder.read("store/state.json") == before)
  }
}
