import Foundation
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ModuleStore

@Suite struct StateTests {
  @Test("a state that is gone beside modules is no fresh start")
  func missing() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    let release = try fixture.release(8)
    try FileManager.default.removeItem(atPath: fixture.path + "/state.json")
    expectError(.storeStateMissing) { _ = try fixture.store() }
    expectError(.storeStateMissing) {
      try ModuleStore(opening: fixture.path, policy: fixture.policy(), clock: fixture.clock.clock)
        .install(release.verified(fixture.policy()))
    }
    // Not even when the last release has been removed: the floor is still known.
    let other = try StoreFixture()
    let store = try other.store()
    try store.raiseFloor(after: other.install(7))
    try store.remove(StoreFixture.player)
    try FileManager.default.removeItem(atPath: other.path + "/state.json")
    expectError(.storeStateMissing) { _ = try other.store() }
  }

  @Test(
    "a state that is not one is refused", .slow,
    arguments: [
      "", "{", "[]", "{}", #"{"version":1,"modules":[],"notes":[]}"#, #"{"version":2,"modules":[],"x":1}"#,
      #"{"version":2,"version":2}"#, #"{"version":2,"latestTime":"today"}"#,
      #"{"version":2,"modules":[{"identifier":"x"}]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b"},{"identifier":"a.b"}]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"active":1}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":2}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":3,"setAside":true}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":1,"setAside":false}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":2,"count":1},{"sequence":1,"count":1}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":1,"release":{"version":"1"}}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":0,"suspicion":{"crash":1,"grade":"Weak"}}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":0,"suspicion":{"crash":0,"grade":"weak"}}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":0,"suspicion":{"crash":1,"grade":"weak","x":1}}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":0,"lane":0}]}],"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[],"crashes":[{"sequence":1,"count":0,"lane":1048577}]}],"notes":[]}"#,
      #"{"version":2,"modules":[],"counted":[{"journal":"a","runs":1},{"journal":"a","runs":1}],"notes":[]}"#,
      #"{"version":2,"modules":[],"counted":[{"journal":"a","runs":-1}],"notes":[]}"#,
      #"{"version":2,"modules":[],"counted":[{"journal":1,"runs":1}],"notes":[]}"#,
      #"{"version":2,"modules":[],"counted":{"a":1},"notes":[]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","releases":[{"sequence":0,"sha256":"00"}]}]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","floor":{"sequence":1}}]}"#,
      #"{"version":2,"modules":[{"identifier":"a.b","floor":{"sequence":1,"since":"2026-11-21T00:00:00Z","signers":[]}}]}"#,
      #"{"version":2,"manifests":[{"identifier":"a.b"}]}"#,
      #"{"version":2,"manifests":[{"identifier":"a.b","floor":{"sequence":1,"since":"2026-11-21T00:00:00Z","signers":[]}}]}"#,
      #"{"version":2,"notes":[{"time":"2026-11-21T00:00:00Z","user":0,"action":"else"}]}"#,
    ])
  func malformed(text: String) throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    fixture.state = text
    expectError(.storeStateMalformed) { _ = try fixture.store() }
  }

  @Test("a state that was read once is read again when others have changed it, in whatever way")
  func changedByOthers() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    let store = try fixture.store()
    #expect(try store.highestSequence(of: StoreFixture.player) == 7)
    // As another process does.
    try fixture.install(8)
    #expect(try store.highestSequence(of: StoreFixture.player) == 8)
    let state = fixture.path + "/state.json"
    let text = try #require(FileManager.default.contents(atPath: state))
    // In its place, with as many bytes, and a time of change that says so.
    let file = try #require(FileHandle(forWritingAtPath: state))
    try file.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: text.count))
    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    #expect(futimens(file.fileDescriptor, &times) == 0)
    expectError(.storeStateMalformed) { _ = try store.highestSequence(of: StoreFixture.player) }
    try text.write(to: URL(filePath: state))
    #expect(try store.highestSequence(of: StoreFixture.player) == 8)
    try FileManager.default.removeItem(atPath: state)
    expectError(.storeStateMissing) { _ = try store.highestSequence(of: StoreFixture.player) }
  }

  @Test("what is written is what is read")
  func coding() throws {
    let digest = try Digest.of([1], .sha256)
    let key = try PrivateKey.generate(.ed25519).publicKey.id
    let signers = [
      Floor.Signer(key: key, certificates: [.init(serial: "01", issuer: "CN=Root")]),
      Floor.Signer(key: key, certificates: []),
    ]
    let facts = CrashRecord.Facts(
      version: try #require(SemanticVersion("1.0.0-a+b")), minimumSequence: 1, signers: signers)
    let record = ModuleRecord(
      releases: [
        StoreState.Release(sequence: 2, sha256: digest, file: try FileDigests(of: [2]), hasRunWell: true),
        StoreState.Release(sequence: 1 << 53 - 1, sha256: digest),
      ], floor: Floor(sequence: 2, since: StoreFixture.start, signers: signers),
      crashes: [
        CrashRecord(sequence: 3, count: 1), CrashRecord(sequence: 4, count: 0, wasSetAside: true),
        CrashRecord(sequence: 5, suspicion: .init(crash: 1, grade: .weak)),
        CrashRecord(sequence: 6, count: 1, suspicion: .init(crash: 2, grade: .strong)),
        CrashRecord(sequence: 7, suspicion: .init(crash: 2, grade: .loading), wasSetAside: true),
        CrashRecord(sequence: 8, suspicion: .init(crash: 3, grade: .passed), lane: 1),
        CrashRecord(sequence: 9, lane: StoreState.laneLimit),
        CrashRecord(sequence: 1 << 53 - 1, count: 2, wasSetAside: true, release: facts),
      ])
    var state = StoreState(
      modules: [StoreFixture.player: record, StoreFixture.identifier("a.b"): ModuleRecord()],
      manifests: [
        StoreFixture.identifier("a.host"): Floor(
          sequence: 9, since: StoreFixture.start, signers: [.init(key: key, certificates: [])])
      ], latestTime: StoreFixture.start, aheadTime: UnixTime(seconds: 4_000_000_000),
      countedRuns: ["3w5e11264sgsf": 2, "a": 0], notes: [])
    for number in 0..<300 {
      state.note(
        .init(
          time: StoreFixture.start, user: number, action: .floorReset, module: StoreFixture.player, sequence: 3))
    }
    #expect(state.notes.count == StoreState.noteLimit)
    #expect(state.notes.last?.user == 299)
    let text = try state.text()
    let read = try StoreState(text, "state")
    #expect(read.modules == state.modules)
    #expect(read.manifests == state.manifests)
    #expect(read.manifests.count == 1)
    #expect(read.notes == state.notes)
    #expect(read.latestTime == state.latestTime)
    #expect(read.aheadTime == state.aheadTime)
    #expect(read.countedRuns == ["3w5e11264sgsf": 2, "a": 0])
    #expect(try read.text() == text)
  }

  @Test("a place that is no store is not taken for an empty one")
  func absent() throws {
    let fixture = try StoreFixture()
    let (policy, clock) = (try fixture.policy(), fixture.clock.clock)
    expectError(.storeMissing) { _ = try ModuleStore(opening: fixture.path, policy: policy, clock: clock) }
    expectError(.storeMissing) { _ = try ModuleStore(opening: fixture.folder.path, policy: policy, clock: clock) }
    try fixture.folder.write("x", [])
    expectError(.storeMissing) { _ = try ModuleStore(creating: fixture.folder.path, policy: policy, clock: clock) }
    expectError(.fileNotDirectory) {
      _ = try ModuleStore(creating: fixture.folder.file("x"), policy: policy, clock: clock)
    }
    expectError(.storeWriteFailed) {
      _ = try ModuleStore(creating: fixture.folder.file("y/z"), policy: policy, clock: clock)
    }
    _ = try fixture.store()
    #expect(try fixture.installed().isEmpty)
    // Making it was cut short: nothing was installed, so it is made again.
    try FileManager.default.removeItem(atPath: fixture.path + "/state.json")
    #expect(try fixture.install(7).sequence == 7)
  }

  @Test("a directory that was there keeps its permissions, and none is made where others may write")
  func permissions() throws {
    let fixture = try StoreFixture()
    mkdir(fixture.path, 0o700)
    #expect(try fixture.install(7).sequence == 7)
    #expect(try FileStatus(ofLink: fixture.path).mode == 0o700)
    let open = fixture.folder.file("open")
    mkdir(open, 0o755)
    chmod(open, 0o777)
    let (policy, clock) = (try fixture.policy(), fixture.clock.clock)
    for path in [open + "/store", open + "/store//"] {
      expectError(.fileOthersMayWrite) { _ = try ModuleStore(creating: path, policy: policy, clock: clock) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: open).isEmpty)
    let new = fixture.folder.file("new//")
    _ = try ModuleStore(creating: new, policy: policy, clock: clock)
    #expect(try FileStatus(ofLink: new).mode == 0o755)
  }

  @Test("whoever may only read a store cannot keep others from changing it")
  func readers() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    #expect(try FileStatus(ofLink: fixture.path + "/" + StoreLock.changeName).mode == 0o600)
    // Every byte of what readers can open, as far as they can lock it.
    let descriptor = open(fixture.path + "/" + StoreLock.name, O_RDONLY)
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    #expect(fcntl(descriptor, F_SETLK, &lock) == 0)
    _ = try StoreLock(.change, of: fixture.store().root.directory, patience: 0)
  }

  @Test("the largest state that is written can be read again", .slow)
  func largest() throws {
    let signer = Floor.Signer(
      key: try PrivateKey.generate(.ed25519).publicKey.id,
      certificates: Array(repeating: .init(serial: "1", issuer: "CN=a"), count: 9))
    let floor = Floor(sequence: 1, since: StoreFixture.start, signers: Array(repeating: signer, count: 16))
    var state = StoreState()
    for number in 0..<StoreState.moduleLimit {
      state.modules[StoreFixture.identifier("a.b\(number)")] = .init(floor: floor)
    }
    // With the shortest of crashes, as many as there is room for.
    let short = Floor(sequence: 1, since: StoreFixture.start, signers: [signer])
    for number in 0..<StoreState.moduleLimit {
      state.modules[StoreFixture.identifier("a.b\(number)")]?.floor = number < 900 ? floor : short
      state.modules[StoreFixture.identifier("a.b\(number)")]?.crashes = (1...16).map {
        CrashRecord(sequence: $0, count: 1)
      }
    }
    let text = try state.text()
    #expect(try StoreState(text, "state").modules.count == StoreState.moduleLimit)
  }

  @Test("file systems that cannot be relied on are refused, and it is said why")
  func fileSystems() throws {
    for magic: UInt64 in [0x6969, 0xff53_4d42, 0xffff_ffff_ff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x6573_5546] {
      #expect(FileSystemKind.objection(toMagic: magic) != nil)
    }
    // ext4, XFS, Btrfs, tmpfs, overlayfs.
    for magic: UInt64 in [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630] {
      #expect(FileSystemKind.objection(toMagic: magic) == nil)
    }
    let proc = try Directory(opening: "/proc")
    try FileSystemKind.check(proc)
  }

  @Test("a release is always installed, whatever number of others is, and no more modules than a store may have")
  func bounds() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let digest = try Digest.of([1], .sha256)
    let releases = (1...ModuleRecord.releaseLimit).map { StoreState.Release(sequence: $0, sha256: digest) }
    var state = StoreState()
    state.modules[StoreFixture.player] = ModuleRecord(releases: releases)
    try state.write(into: store.root, by: store.staging)
    let next = try fixture.release(100).verified(fixture.policy())
    #expect(try store.install(next).sequence == 100)
    #expect(try store.state().modules[StoreFixture.player]?.releases.map(\.sequence) == [30, 31, 32, 100])
    #expect(try store.active(StoreFixture.player).sequence == 100)
    try store.remove(StoreFixture.player)
    state.modules = [:]
    for number in 0..<StoreState.moduleLimit { state.modules[StoreFixture.identifier("a.b\(number)")] = .init() }
    try state.write(into: store.root, by: store.staging)
    expectError(.storeBounds) { try store.install(next) }
    state.modules[StoreFixture.identifier("a.c")] = .init()
    expectError(.storeBounds) { _ = try state.text() }
  }
}
