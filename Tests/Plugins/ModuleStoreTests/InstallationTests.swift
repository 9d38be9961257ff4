import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ModuleStore

@Suite struct InstallationTests {
  @Test("a store's limits hold for the copy that is installed, whatever the verifier of the original allowed")
  func limits() throws {
    let fixture = try StoreFixture()
    let policy = try fixture.policy()
    var limits = ArchiveLimits()
    limits.fileSize = 99_999
    let store = try ModuleStore(
      creating: fixture.path, policy: policy, clock: .fixed(StoreFixture.start), limits: limits)
    expectError(.archiveSize) { try store.install(fixture.release(1).verified(policy)) }
    #expect(try store.listed().isEmpty)
    limits.fileSize = 100_000
    try ModuleStore(opening: fixture.path, policy: policy, clock: .fixed(StoreFixture.start), limits: limits)
      .install(fixture.release(1).verified(policy))
  }

  @Test("what is installed is what was signed, in its place, with the bundles beside")
  func layout() throws {
    let fixture = try StoreFixture()
    let installed = try fixture.install(7)
    #expect(installed.module.identifier == StoreFixture.player)
    #expect(installed.sequence == 7)
    #expect(try installed.bytes(of: "assets/a") == Array("hello".utf8))
    let place = fixture.place(of: installed).dropFirst(fixture.path.utf8.count + 1)
    let tree = try fixture.tree()
    let expected: [String: String] = [
      "lock": "100644", "change-lock": "100600", "state.json": "100644", "staging": "40755", "modules": "40755",
      "modules/com.example.player": "40755", "\(place)": "40755", "\(place)/bundles.jsonl": "100644",
      "\(place)/files": "40755", "\(place)/files/module.json": "100644", "\(place)/files/assets": "40755",
      "\(place)/files/assets/a": "100755", "\(place)/files/assets/deep": "40755",
      "\(place)/files/assets/deep/er": "40755", "\(place)/files/assets/deep/er/b": "100644",
      "\(place)/files/assets/empty": "100644", "\(place)/files/assets/link": "120777",
    ]
    #expect(tree.mapValues { String($0.prefix { $0 != " " }) } == expected)
    #expect(
      fixture.state == """
        {"latestTime":"\(StoreFixture.start)","modules":[{"identifier":"com.example.player",\
        "releases":[{"sequence":7,"sha256":"\(installed.sha256.hex)"}],\
        "signing":{"record":{"signers":[{"key":"\(fixture.key.publicKey.id)","kind":"key"}]},"sequence":7}}],"notes":[],"version":2}

        """)
    #expect(try fixture.installed() == [7])
    #expect(try fixture.store().active(StoreFixture.player).sequence == 7)
  }

  @Test("tars and ZIPs with the signature inside install alike", arguments: ["tar", "tar.gz", "tar.xz", "tar.zst"])
  func formats(name: String) throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(3, as: .init(rawValue: name))
    #expect(try fixture.store().install(release.verified(fixture.policy())).sequence == 3)
    #expect(try fixture.store().staging().isEmpty)
  }

  @Test("an attached bundle is kept, and the archive's block is not part of what is installed")
  func attached() throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(7)
    let attached = fixture.folder.file("attached.zip")
    try AttachedArchive.attaching(
      release.bundles, to: .file(RegularFile(opening: release.path)), at: StoreFixture.start
    ).write(to: attached, mode: 0o644, .keep)
    let proof = try StoreFixture.Release(path: attached, bundles: []).verified(fixture.policy())
    let installed = try fixture.store().install(proof)
    let plain = try Digest.of(Array(Data(contentsOf: URL(filePath: release.path))), .sha256)
    #expect(installed.sha256 == plain)
    let bundles = try String(contentsOfFile: fixture.place(of: installed) + "/bundles.jsonl", encoding: .utf8)
    #expect(Array(bundles.utf8) == (try release.bundles[0].canonicalBytes()) + [UInt8(ascii: "\n")])
    // A policy may revoke the file that it came in.
    let file = try FileDigests(of: Array(Data(contentsOf: URL(filePath: attached))))
    #expect(file.sha256 != plain)
    for target: Revocation.Target in [.sha256(file.sha256), .fsverity(file.fsverity)] {
      let policy = try fixture.policy { $0.revocations = [Revocation(target, reason: "bad")] }
      expectError(.policyRevoked) { try fixture.store(policy).install(proof) }
      expectError(.policyRevoked) { _ = try fixture.store(policy).active(StoreFixture.player) }
    }
    // The same release with its signature beside it, and in it once more, is the same.
    try fixture.store().install(release.verified(fixture.policy()))
    #expect(try fixture.installed() == [7])
  }

  @Test("a release that is installed already is verified, and nothing is changed")
  func twice() throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(7)
    let store = try fixture.store()
    let first = try store.install(release.verified(fixture.policy()))
    let before = try fixture.tree()
    let second = try store.install(release.verified(fixture.policy()))
    #expect(first.sha256 == second.sha256)
    #expect(try fixture.tree() == before)
  }

  @Test("the same sequence with other bytes is refused")
  func conflict() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    let before = try fixture.tree()
    let other = try fixture.release(7, files: ["assets/a": [1], "assets/deep/er/b": [2]])
    expectError(.storeSequenceConflict) { try fixture.store().install(other.verified(fixture.policy())) }
    #expect(try fixture.tree() == before)
  }

  @Test("a proof that another policy gave counts for nothing")
  func otherPolicy() throws {
    let fixture = try StoreFixture()
    let stranger = try PrivateKey.generate(.ed25519)
    let release = try fixture.release(7, keys: [stranger])
    let proof = try release.verified(fixture.policy([stranger.publicKey]))
    expectError(.signerUntrusted) { try fixture.store().install(proof) }
    #expect(try fixture.installed().isEmpty)
    #expect(try fixture.store().staging().isEmpty)
  }

  @Test("a proof as of another time counts for nothing")
  func otherTime() throws {
    let fixture = try StoreFixture()
    let end = UnixTime(seconds: StoreFixture.start.seconds + 100)
    let release = try fixture.release(7, notAfter: end)
    fixture.clock.time = UnixTime(seconds: end.seconds + 1)
    let proof = try release.verified(fixture.policy(), at: StoreFixture.start)
    expectError(.statementExpired) { try fixture.store().install(proof) }
  }

  @Test("a threshold of today's policy is asked of what was verified under none")
  func threshold() throws {
    let fixture = try StoreFixture()
    let other = try PrivateKey.generate(.ed25519)
    let policy = try fixture.policy([fixture.key.publicKey, other.publicKey]) { $0.requirement = .threshold(2) }
    let alone = try fixture.release(7).verified(fixture.policy())
    expectError(.policyThreshold) { try fixture.store(policy).install(alone) }
    // The second signer's bundle is kept, though the first verification knew only one of them.
    let both = try fixture.release(7, keys: [fixture.key, other]).verified(fixture.policy())
    #expect(try fixture.store(policy).install(both).signatures.count == 2)
    #expect(try fixture.installed(policy) == [7])
  }

  @Test("below the policy's floor is refused, and it is said whose floor it is")
  func policyFloor() throws {
    let fixture = try StoreFixture()
    let policy = try fixture.policy { $0.floors = [StoreFixture.player: 8] }
    let release = try fixture.release(7).verified(fixture.policy())
    let error = expectError(.policyRollback) { try fixture.store(policy).install(release) }
    #expect(error?.expected == "a sequence of 8 or more, the policy's floor of com.example.player")
  }

  @Test("a clock that was set back revives nothing that has expired, and stops nothing else; that is told")
  func clock() throws {
    let fixture = try StoreFixture()
    let end = UnixTime(seconds: StoreFixture.start.seconds + 100)
    let before = try fixture.store().install(
      fixture.release(6, notAfter: end).verified(fixture.policy()))
    #expect(before.sequence == 6)
    fixture.clock.time = UnixTime(seconds: end.seconds + 1)
    try fixture.install(7)
    let release = try fixture.release(8).verified(fixture.policy())
    let expired = try fixture.release(9, notAfter: end).verified(fixture.policy())
    fixture.clock.time = StoreFixture.start
    let store = try fixture.store()
    let warning = store.clockWarning()
    #expect(warning?.code == .clockRollback)
    #expect(warning?.expected == "\(UnixTime(seconds: end.seconds + 1)) or later")
    #expect(try store.installed().map(\.sequence) == [7])
    expectError(.statementExpired) { try store.install(expired) }
    #expect(try store.install(release).sequence == 8)
    #expect(try store.active(StoreFixture.player).sequence == 8)
    // The clock was wrong before, and is right now: that can be said, and is noted.
    try store.resetLatestTime()
    #expect(store.clockWarning() == nil)
    #expect(try store.install(expired).sequence == 9)
    #expect(fixture.state.contains("\"action\":\"time-reset\""))
  }

  @Test("a clock that is ten years ahead for one start is not believed, and one that goes on for a day is")
  func ahead() throws {
    let fixture = try StoreFixture()
    let end = UnixTime(seconds: StoreFixture.start.seconds + 86_400 * 365)
    try fixture.store().install(fixture.release(6, notAfter: end).verified(fixture.policy()))
    let far = StoreFixture.start.seconds + 86_400 * 3650
    fixture.clock.time = UnixTime(seconds: far)
    for sequence in 7...8 { try fixture.install(sequence) }
    for sequence in 7...8 { try fixture.store().remove(StoreFixture.player, sequence: sequence) }
    expectError(.statementExpired) { _ = try fixture.store().active(StoreFixture.player) }
    // Set right.
    fixture.clock.time = UnixTime(seconds: StoreFixture.start.seconds + 60)
    #expect(try fixture.store().clockWarning() == nil)
    #expect(try fixture.store().active(StoreFixture.player).sequence == 6)
    try fixture.install(7)
    #expect(fixture.state.contains("\"latestTime\":\"\(fixture.clock.time)\""))
    #expect(!fixture.state.contains("aheadTime"))
    // It was the right time after all, and goes on.
    for hours in [0, 23, 24] as [Int64] {
      fixture.clock.time = UnixTime(seconds: far + hours * 3600)
      try fixture.install(20 + Int(hours))
      #expect(
        try fixture.store().state().latestTime?.seconds
          == (hours < 24 ? StoreFixture.start.seconds + 60 : far + 86_400))
    }
    fixture.clock.time = StoreFixture.start
    #expect(try fixture.store().clockWarning()?.code == .clockRollback)
  }

  @Test("a new store whose clock is years ahead refuses nothing for years, and remembers what agrees with signatures")
  func aheadFromTheBeginning() throws {
    let fixture = try StoreFixture()
    let end = UnixTime(seconds: StoreFixture.start.seconds + 86_400 * 365)
    let far = StoreFixture.start.seconds + 86_400 * 3650
    fixture.clock.time = UnixTime(seconds: far)
    let limited = try fixture.release(6, notAfter: end).verified(fixture.policy())
    try fixture.install(7)
    let store = try fixture.store()
    expectError(.statementExpired) { try store.install(limited) }
    #expect(try store.state().latestTime == nil)
    #expect(try store.state().aheadTime == fixture.clock.time)
    // Set right: it is believed as soon as it agrees with what is signed.
    fixture.clock.time = UnixTime(seconds: StoreFixture.start.seconds + 60)
    #expect(store.clockWarning() == nil)
    #expect(try store.install(limited).sequence == 6)
    #expect(try store.state().latestTime == fixture.clock.time)
    #expect(try store.state().aheadTime == nil)
    // From then on it cannot be set back.
    fixture.clock.time = StoreFixture.start
    #expect(store.clockWarning()?.code == .clockRollback)
  }

  @Test("a new store with old releases believes its clock a day later")
  func oldReleases() throws {
    let fixture = try StoreFixture()
    let year = StoreFixture.start.seconds + 86_400 * 365
    for (hours, latest) in [(0, nil), (23, nil), (24, year + 86_400), (25, year + 90_000)] as [(Int64, Int64?)] {
      fixture.clock.time = UnixTime(seconds: year + hours * 3600)
      try fixture.install(1 + Int(hours))
      #expect(try fixture.store().state().latestTime?.seconds == latest, "\(hours)")
    }
    fixture.clock.time = UnixTime(seconds: year)
    let warning = try #require(fixture.store().clockWarning())
    #expect(warning.code == .clockRollback)
    #expect(warning.hint?.contains("signet store floor --reset-time") == true)
  }

  @Test("what was cut short before is cleared away by the next installation")
  func leftovers() throws {
    let fixture = try StoreFixture()
    _ = try fixture.store()
    try FileManager.default.createDirectory(
      atPath: fixture.path + "/staging/new-x/files/d", withIntermediateDirectories: true)
    try fixture.install(7)
    #expect(try fixture.store().staging().isEmpty)
  }

  @Test("a directory that was put in place and never listed does not stand in the way")
  func unlisted() throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(7)
    let store = try fixture.store()
    let first = try store.install(release.verified(fixture.policy()))
    try store.remove(StoreFixture.player)
    try FileManager.default.createDirectory(
      atPath: fixture.place(of: first) + "/files/foreign", withIntermediateDirectories: true)
    try store.install(release.verified(fixture.policy()))
    #expect(try fixture.installed() == [7])
    #expect(try fixture.store().staging().isEmpty)
  }

  @Test("a module of 3,000 files in 500 directories that no entry names is installed and verified", .slow)
  func large() throws {
    let fixture = try StoreFixture()
    var files: [String: [UInt8]] = [:]
    for number in 0..<3000 { files["assets/\(number % 500)/\(number)"] = Array("\(number)".utf8) }
    files["assets/a"] = [1]
    let release = try fixture.release(7, files: files)
    try fixture.store().install(release.verified(fixture.policy()))
    #expect(try fixture.installed() == [7])
  }
}

extension ModuleStore {
  /// What is under way.
  func staging() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path + "/staging") }
}
