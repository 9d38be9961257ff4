import Foundation
import Signet
import SignetBase
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@testable import ModuleStore

@Suite struct ConcurrencyTests {
  @Test("several processes that install at once into a store that none has made yet all succeed")
  func processes() throws {
    let fixture = try StoreFixture()
    let policy = try fixture.policy()
    try fixture.folder.write("policy.json", policy.canonicalBytes())
    for sequence in 1...4 {
      let release = try fixture.release(sequence)
      try FileManager.default.moveItem(atPath: release.path, toPath: fixture.folder.file("\(sequence).zip"))
      try fixture.folder.write("\(sequence).zip.sigstore.json", release.bundles[0].canonicalBytes())
    }
    // Each release by two processes.
    let script = """
      for n in 1 2 3 4 1 2 3 4; do
        "\(Shell.signet)" store install $n.zip --store store --policy policy.json -q & pids="$pids $!"
      done
      for pid in $pids; do wait $pid || exit 1; done
      """
    let run = try Program.run("/bin/bash", ["-c", script], in: fixture.folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let store = try ModuleStore(opening: fixture.path, policy: policy, clock: .system)
    #expect(try store.installed().map(\.sequence) == [1, 2, 3, 4])
    #expect(try store.staging().isEmpty)
  }

  @Test("threads of one process exclude each other, too")
  func threads() throws {
    let fixture = try StoreFixture()
    let policy = try fixture.policy()
    let store = try fixture.store()
    let proofs = try (1...8).map { try fixture.release($0).verified(policy) }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: proofs.count) { index in
      func attempt(besides codes: [SignetError.Code], _ body: () throws -> Void) {
        do { try body() } catch {
          guard let error = error as? SignetError, codes.contains(error.code) else {
            return failures.withLock { $0.append("\(error)") }
          }
        }
      }
      // Another has raised the floor to a newer release.
      attempt(besides: [.policyRollback]) { try store.install(proofs[index]) }
      attempt(besides: []) { _ = try store.active(StoreFixture.player) }
      attempt(besides: []) {
        let oldest = try #require(try store.verify().first).standing.get()
        // Another has removed the oldest release since, because four newer ones are there.
        attempt(besides: [.storeNotInstalled]) { try store.raiseFloor(after: oldest) }
      }
    }
    #expect(failures.withLock { $0 }.isEmpty)
    #expect(try store.verify().allSatisfy { (try? $0.standing.get()) != nil })
  }

  @Test("who changes keeps out who changes, and who uses keeps out who clears away")
  func locks() throws {
    let fixture = try StoreFixture()
    let root = try fixture.store().root.directory
    func expectLocked(_ role: StoreLock.Role) {
      expectError(.storeLocked, "\(role)") { _ = try StoreLock(role, of: root, patience: 0) }
    }
    func with(_ role: StoreLock.Role, _ body: () throws -> Void) throws {
      let lock = try StoreLock(role, of: root, patience: 0)
      try body()
      withExtendedLifetime(lock) {}
    }
    try with(.change) {
      expectLocked(.change)
      try with(.use) {}
      try with(.collection) {}
    }
    try with(.use) {
      try with(.use) {}
      try with(.change) {}
      expectLocked(.collection)
    }
    try with(.collection) {
      expectLocked(.use)
      expectLocked(.collection)
    }
    try with(.change) {}
    // Closing another descriptor of the file gives nothing up.
    try with(.use) {
      _ = try root.file(StoreLock.name)
      expectLocked(.collection)
    }
  }

  #if os(Linux)
    @Test("whoever does not get a lock closes its own descriptor, once, and nobody else's")
    func descriptors() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let fixture = try StoreFixture()
        let store = try fixture.store()
        let held = try StoreLock(.change, of: store.root.directory)
        let directory = store.root.directory
        Thread.detachNewThread {
          while true { _ = try? StoreLock(.change, of: directory, patience: 0) }
        }
        for _ in 0..<300_000 {
          let file = open("/dev/null", O_RDONLY)
          var status = stat()
          guard file >= 0, fstat(file, &status) == 0, close(file) == 0 else { exit(1) }
        }
        withExtendedLifetime(held) {}
        exit(0)
      }
    }
  #endif

  @Test("a lock that is no file is refused, and a pipe is not waited for")
  func notRegular() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let lock = fixture.path + "/" + StoreLock.name
    for name in [StoreLock.name, StoreLock.changeName] {
      try FileManager.default.removeItem(atPath: fixture.path + "/" + name)
      mkfifo(fixture.path + "/" + name, 0o600)
    }
    for role in [StoreLock.Role.use, .collection, .change] {
      expectError(.fileNotRegular, "\(role)") { _ = try StoreLock(role, of: store.root.directory, patience: 0) }
    }
    expectError(.fileNotRegular) { _ = try store.installed() }
    try FileManager.default.removeItem(atPath: lock)
    expectError(.fileMissing) { _ = try store.installed() }
    mkdir(lock, 0o755)
    expectError(.fileNotRegular) { _ = try store.installed() }
  }

  @Test("of several who use manifests at once the highest raises the floor, whoever comes last")
  func manifestFloor() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let host = StoreFixture.identifier("com.example.host")
    let proofs = try (1...8).reversed().map { sequence in
      let bundle = try Signer(fixture.key).sign(
        .bytes(Array("{}".utf8)),
        Signer.HostManifestClaims(
          name: "bundle.json", identifier: host, sequence: sequence, signedAt: StoreFixture.start))
      return try Verifier(policy: fixture.policy(), clock: .fixed(StoreFixture.start)).verify(
        .bytes(Array("{}".utf8)), signatures: .bytes([bundle.canonicalBytes()]),
        expecting: .hostManifest(identifier: host, named: "bundle.json", leastSequence: 1)
      ).get()
    }
    let group = DispatchGroup()
    let failures = Mutex(0)
    func raise() throws {
      let lock = try StoreLock(.change, of: store.root.directory)
      for proof in proofs {
        group.enter()
        Thread.detachNewThread {
          do { try store.raiseManifestFloor(after: proof) } catch { failures.withLock { $0 += 1 } }
          group.leave()
        }
      }
      // By then all have seen that there is no floor, and wait for their turn.
      Thread.sleep(forTimeInterval: 0.2)
      withExtendedLifetime(lock) {}
    }
    try raise()
    group.wait()
    #expect(failures.withLock { $0 } == 0)
    #expect(try store.manifestFloor(of: host)?.sequence == 8)
  }
}
