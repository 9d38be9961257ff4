import Foundation
import ModuleStore
import Signet
import SignetArchive
import SignetCrypto
import SignetSystem
import Synchronization
import TestSupport
import Testing

/// An attacker who may write the archive and its bundle while they are installed.
@Suite(.slow, .timeLimit(.minutes(60))) struct SwapTests {
  /// So many installations come through, and so many meet what the attacker has made of the archive; otherwise the test has
  /// tested nothing.
  static let installed = 200
  static let refused = 100
  /// Installations at most.
  static let tries = 20_000

  @Test(
    "an archive that is swapped and rewritten while it is installed never installs a byte that was not verified",
    .seeded)
  func swap() throws {
    // Nothing here is about disks.
    let fixture = try StoreFixture(inMemory: true)
    let policy = try fixture.policy()
    let files: [String: [UInt8]] = ["assets/a": patternBytes(3000), "assets/deep/er/b": patternBytes(5000, seed: 2)]
    let evilFiles: [String: [UInt8]] = [
      "assets/a": patternBytes(3000, seed: 3), "assets/deep/er/b": patternBytes(5000),
    ]
    let good = try fixture.release(7, files: files)
    let stranger = try PrivateKey.generate(.ed25519)
    let evil = try fixture.release(7, files: evilFiles, keys: [stranger])
    let goodBytes = try Array(Data(contentsOf: URL(filePath: good.path)))
    let evilBytes = try Array(Data(contentsOf: URL(filePath: evil.path)))
    let goodBundle = try good.bundles[0].canonicalBytes()
    let evilBundle = try evil.bundles[0].canonicalBytes()
    let bundle = try fixture.folder.write("bundle.json", goodBundle)

    let store = try fixture.store()
    let proof = try Verifier(policy: policy, clock: .fixed(StoreFixture.start)).verify(
      .file(RegularFile(opening: good.path)), signatures: .file(bundle), expecting: .module(nil, named: "m")
    ).get()

    let isOver = Atomic(false)
    let path = good.path
    let seed = Seed.current
    let attacker = Thread {
      // What is done is the same for the same seed. When it is done is the scheduler's.
      var random = SeededRandom(seed)
      let archive = open(path, O_RDWR)
      let signature = open(bundle, O_RDWR)
      defer {
        close(archive)
        close(signature)
      }
      func put(_ bytes: [UInt8], _ descriptor: Int32) {
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      }
      while !isOver.load(ordering: .relaxed) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: put(evilBytes, archive)
        case 1:
          // One byte of what is unpacked.
          put(goodBytes, archive)
          let offset = Int.random(in: 0..<goodBytes.count, using: &random)
          var byte = goodBytes[offset] ^ 1
          pwrite(archive, &byte, 1, off_t(offset))
        case 2: ftruncate(archive, off_t(Int.random(in: 0...goodBytes.count, using: &random)))
        case 3: put(evilBundle, signature)
        default: break
        }
        usleep(UInt32.random(in: 0...300, using: &random))
        put(goodBytes, archive)
        ftruncate(archive, off_t(goodBytes.count))
        put(goodBundle, signature)
        usleep(UInt32.random(in: 0...1500, using: &random))
      }
    }
    attacker.start()
    defer { isOver.store(true, ordering: .relaxed) }

    var outcomes: [String: Int] = [:]
    var refused = 0
    for _ in 0..<Self.tries where outcomes["installed", default: 0] < Self.installed || refused < Self.refused {
      let installed: InstalledModule
      do {
        installed = try store.install(proof)
      } catch {
        outcomes["\(error.code)", default: 0] += 1
        refused += 1
        continue
      }
      outcomes["installed", default: 0] += 1
      // By other means than the store's own.
      for (name, bytes) in files {
        #expect(try Array(Data(contentsOf: URL(filePath: installed.path + "/" + name))) == bytes)
      }
      try store.remove(StoreFixture.player)
    }
    // The store itself was never found to have anything else.
    #expect(outcomes["store.damaged"] == nil)
    #expect(outcomes["installed", default: 0] >= Self.installed, "\(outcomes)")
    #expect(refused >= Self.refused && outcomes["digest.mismatch", default: 0] > 0, "\(outcomes)")
    #expect(try store.staging().isEmpty)
  }
}
