import Foundation
import Signet
import SignetBase
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@testable import ModuleStore

/// Releases that are removed after they were listed and before they are opened.
@Suite struct ReleaseListingTests {
  /// A store whose clock, when it is next asked, does something first: that is after the list was read, and before the second release
  /// of it is opened.
  private final class Meanwhile: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func next(_ body: @escaping @Sendable () throws -> Void) {
      action.withLock {
        $0 = {
          do { try body() } catch { Issue.record(error) }
        }
      }
    }

    var clock: VerificationClock {
      VerificationClock {
        // Taken out first: what is done asks for the time, too.
        let body = self.action.withLock { action in
          defer { action = nil }
          return action
        }
        body?()
        return StoreFixture.start
      }
    }
  }

  @Test(
    "of several releases those are told that are listed at the end, and none as damaged that was removed meanwhile")
  func verify() throws {
    let fixture = try StoreFixture()
    for sequence in [5, 6, 7] { try fixture.install(sequence) }
    let other = try fixture.store()
    let newer = try fixture.release(8).verified(fixture.policy())
    let meanwhile = Meanwhile()
    let store = try ModuleStore(opening: fixture.path, policy: fixture.policy(), clock: meanwhile.clock)
    meanwhile.next {
      try other.remove(StoreFixture.player, sequence: 6)
      try other.install(newer)
    }
    let releases = try store.verify()
    #expect(releases.map(\.sequence) == [5, 7, 8])
    for release in releases { _ = try release.standing.get() }
    // All of them.
    meanwhile.next { try other.remove(StoreFixture.player) }
    #expect(try store.verify().isEmpty)
  }

  @Test("the release that runs is chosen among those that are listed at the end")
  func choose() throws {
    let fixture = try StoreFixture()
    for sequence in [8, 9] { try fixture.install(sequence) }
    let other = try fixture.store()
    let newer = try fixture.release(10).verified(fixture.policy())
    let meanwhile = Meanwhile()
    let revoked = try fixture.policy {
      $0.revocations = [Revocation(.sequence(StoreFixture.player, 9), reason: "bad")]
    }
    let store = try ModuleStore(opening: fixture.path, policy: revoked, clock: meanwhile.clock)
    meanwhile.next {
      try other.remove(StoreFixture.player)
      try other.install(newer)
    }
    #expect(try store.active(StoreFixture.player).sequence == 10)
    // None is left.
    try fixture.install(11)
    let all = try fixture.policy {
      $0.revocations = [11, 10].map { Revocation(.sequence(StoreFixture.player, $0), reason: "bad") }
    }
    let strict = try ModuleStore(opening: fixture.path, policy: all, clock: meanwhile.clock)
    meanwhile.next { try other.remove(StoreFixture.player) }
    expectError(.storeNotInstalled) { _ = try strict.active(StoreFixture.player) }
  }

  @Test("a release that was removed is not installed, one that is listed still is damaged")
  func removed() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    let store = try fixture.store()
    var listing = try ReleaseListing(store)
    let release = try #require(listing.state.modules[StoreFixture.player]?.release(7))
    try FileManager.default.removeItem(
      atPath: "\(fixture.path)/modules/\(StoreFixture.player)/\(release.folderName)/bundles.jsonl")
    expectError(.storeDamaged) { _ = try listing.open(release, of: StoreFixture.player) }
    #expect(!listing.isOutdated)
    try store.remove(StoreFixture.player)
    expectError(.storeNotInstalled) { _ = try listing.open(release, of: StoreFixture.player) }
    #expect(listing.isOutdated)
    expectError(.storeNotInstalled) { _ = try store.open(release, of: StoreFixture.player) }
  }

  @Test("a release that another took the sequence of is not installed")
  func otherGeneration() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    let store = try fixture.store()
    var listing = try ReleaseListing(store)
    let release = try #require(listing.state.modules[StoreFixture.player]?.release(7))
    try store.remove(StoreFixture.player)
    try store.install(fixture.release(7, files: ["assets/a": [1]]).verified(fixture.policy()))
    expectError(.storeNotInstalled) { _ = try listing.open(release, of: StoreFixture.player) }
    #expect(listing.isOutdated)
  }

  @Test("a release that was removed and installed again while it was read is read again, a bounded number of times")
  func again() throws {
    let fixture = try StoreFixture()
    let proof = try fixture.release(7).verified(fixture.policy())
    let store = try fixture.store()
    try store.install(proof)
    var listing = try ReleaseListing(store)
    let release = try #require(listing.state.modules[StoreFixture.player]?.release(7))
    let failure = SignetError(.storeDamaged, "it", "is not there")
    var reads = 0
    func read(failing times: Int) throws(SignetError) -> Int {
      reads = 0
      return try listing.read(release, of: StoreFixture.player) { () throws(SignetError) in
        reads += 1
        guard reads <= times else { return reads }
        try store.remove(StoreFixture.player)
        try store.install(proof)
        throw failure
      }
    }
    #expect(try read(failing: 2) == 3)
    expectError(.storeDamaged) { _ = try read(failing: .max) }
    #expect(reads == ReleaseListing.tries)
    #expect(!listing.isOutdated)
  }

  @Test("a list whose releases are removed again and again is given up, and not said to be damaged")
  func endless() throws {
    let fixture = try StoreFixture()
    let proof = try fixture.release(7).verified(fixture.policy())
    let store = try fixture.store()
    try store.install(proof)
    var lists = 0
    expectError(.storeLocked) {
      _ = try store.listing { (listing) throws(SignetError) in
        lists += 1
        let release = listing.state.modules[StoreFixture.player]?.releases.first
        guard let release else { throw SignetError(.storeNotInstalled, "7", "is not there") }
        try store.remove(StoreFixture.player)
        defer { _ = try? store.install(proof) }
        return try listing.open(release, of: StoreFixture.player)
      }
    }
    #expect(lists == ReleaseListing.tries)
  }

  @Test("what was last accepted is that of a release which is listed", .slow)
  func lastAccepted() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let removing = try fixture.store()
    let proofs = try (1...2).map { try fixture.release($0).verified(fixture.policy()) }
    try store.install(proofs[0])
    let isOver = Atomic(false)
    let thread = Thread {
      while !isOver.load(ordering: .relaxed) {
        do {
          try removing.install(proofs[1])
          try removing.remove(StoreFixture.player, sequence: 2)
        } catch { Issue.record(error) }
      }
      isOver.store(false, ordering: .relaxed)
    }
    thread.start()
    for _ in 0..<2000 {
      let sequence = store.lastAccepted(StoreFixture.player)?.sequence
      #expect(sequence == 1 || sequence == 2)
      if sequence == nil { break }
    }
    isOver.store(true, ordering: .relaxed)
    while isOver.load(ordering: .relaxed) { usleep(1000) }
  }
}
