import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost

/// The three releases of ``ReleaseWorld`` as archives, and real stores and hosts that go the model's ways.
final class RealReleases {
  private let workshop: ModuleWorkshop
  private let module: ModuleIdentifier
  private let folder: TemporaryFolder
  private var stores = 0
  private var left = 0

  init() throws {
    workshop = try ModuleWorkshop()
    module = try identifier("com.example.explored")
    folder = try TemporaryFolder(inMemory: true)
    for sequence in ReleaseWorld.sequences {
      let ships = folder.file("ships-\(sequence)")
      try FileManager.default.createDirectory(atPath: ships, withIntermediateDirectories: true)
      let source = try TemporaryFolder()
      let description = """
        {"identifier": "\(module)", "version": "1.0.\(sequence)", "sequence": \(sequence)}
        """
      try source.write("module.json", Array(description.utf8))
      let path = ships + "/m.zip"
      _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
      let claims = try Signer.ModuleClaims(
        name: "m.zip", minimumSequence: ReleaseWorld.minimumSequences[sequence], signedAt: ReleaseWorld.start,
        notAfter: sequence == 2 ? ReleaseWorld.end : nil)
      let bundle = try Signer(workshop.key).sign(module: .file(RegularFile(opening: path)), claims)
      try workshop.write([bundle], beside: path)
    }
  }

  private func policy(_ world: ReleaseWorld) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    terms.revocations = try world.revoked.sorted().map { try Revocation(.sequence(module, $0), reason: "bad") }
    return try TrustPolicy(
      entries: [TrustEntry("key", .key(workshop.key.publicKey), scope: .everything)], terms: terms)
  }

  private func host(_ world: ReleaseWorld, _ store: String) throws -> PluginHost {
    var configuration = PluginHost.Configuration()
    configuration.clock = .fixed(world.now)
    configuration.embedded = world.shipped.map { folder.file("ships-\($0)") }
    configuration.trial = .seconds(3600)
    return try PluginHost(policy: policy(world), store: store, configuration: configuration)
  }

  /// Lets what happens in the model happen to a new store, and compares each decision.
  func drive(_ way: [ReleaseWorld.Event]) throws {
    stores += 1
    let store = folder.file("store-\(stores)")
    defer { try? FileManager.default.removeItem(atPath: store) }
    var world = ReleaseWorld(try workshop.policy())
    // The store has seen the model's time.
    try ModuleStore(creating: store, policy: policy(world), clock: .fixed(world.now)).resetLatestTime()
    for (index, event) in (way + [.startWell]).enumerated() {
      try happens(event, to: world, store, "\(way.prefix(index + 1))")
      world = world.after(event)
    }
  }

  private func happens(_ event: ReleaseWorld.Event, to world: ReleaseWorld, _ store: String, _ way: String) throws {
    switch event {
    case .install1, .install2, .install3:
      let sequence = try #require(event.installed)
      // A host does not let in what is older than what ships with it; the store does not know that.
      guard sequence >= world.embedded ?? 1 else { break }
      try install(sequence, world, store, way)
    case .startWell:
      let host = try host(world, store)
      try expect(host.start().map(\.sequence), world, way)
      host.markHealthy()
    case .crashAfter:
      let sequences = try host(world, store).start().map(\.sequence)
      try expect(sequences, world, way)
      try leave("loaded", sequences, store)
    case .crashLoading, .kill:
      let host = try host(world, store)
      host.takeStock()
      let sequences = (try? host.context.embedded.candidate(module).sequence).map { [$0] } ?? []
      try expect(sequences, world, way)
      try leave(event == .kill ? "loaded" : "loading", sequences, store)
    case .retry: try host(world, store).retry(module)
    case .embeddedUpgrade, .revoke2, .revoke3, .trustAll, .clockRight, .clockBack, .clockFar: break
    }
  }

  private func expect(_ sequences: [Int], _ world: ReleaseWorld, _ way: String) throws {
    guard case .run(let sequence, _) = world.counted.choice() else {
      return #expect(sequences == [], "\(way)")
    }
    #expect(sequences == [sequence], "\(way)")
  }

  /// Installs as another program does, which knows no host.
  private func install(_ sequence: Int, _ world: ReleaseWorld, _ path: String, _ way: String) throws {
    let policy = try policy(world)
    let store = try ModuleStore(opening: path, policy: policy, clock: .fixed(world.now))
    let archive = folder.file("ships-\(sequence)/m.zip")
    let isListed = world.record.release(sequence) != nil
    let verdict = try Verifier(policy: policy, clock: store.judgingClock).verify(
      .file(RegularFile(opening: archive)), signatures: .beside(archive), expecting: .module(nil, named: "m.zip"))
    guard case .verified(let proof) = verdict else {
      return #expect(!world.isAccepted(sequence), "\(way)")
    }
    do throws(SignetError) {
      try store.install(proof)
      #expect(isListed || world.canInstall(sequence), "\(way)")
    } catch {
      #expect(!world.canInstall(sequence), "\(way): \(error)")
      #expect([.policyRollback, .moduleCrashed].contains(error.code), "\(way): \(error)")
    }
  }

  /// What a process leaves that has crashed.
  private func leave(_ word: String, _ sequences: [Int], _ store: String) throws {
    for sequence in sequences {
      let folder = store + "/loading"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      left += 1
      try Data("start.\n\(word) \(module) \(sequence).\n".utf8).write(to: URL(filePath: folder + "/left-\(left)"))
    }
  }
}
