import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// What ships with the host, and what became of what was fetched.
@Suite("candidates", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct CandidateTests {
  private typealias Workshop = ModuleWorkshop

  private let workshop: ModuleWorkshop
  private let embedded: TemporaryFolder
  private let module: ModuleIdentifier

  init() throws {
    workshop = try Workshop()
    embedded = try TemporaryFolder()
    module = try identifier("com.example.candidate")
  }

  private func offer(_ sequence: Int, _ keys: [PrivateKey]? = nil) throws -> String {
    try workshop.offer(
      Workshop.page("\(module)", sequence, route: "ui://candidate", answer: "\(sequence)"), keys: keys)
  }

  private func ship(_ sequence: Int) throws {
    let offered = try offer(sequence)
    for path in [offered, offered + ".sigstore.jsonl"] {
      try FileManager.default.moveItem(
        atPath: path, toPath: embedded.file(URL(filePath: path).lastPathComponent))
    }
  }

  private func host() throws -> PluginHost { try workshop.host { $0.embedded = embedded.path } }

  @Test(
    "G5: where the highest release is not accepted any more, what ships with the host comes before what is older",
    arguments: [4, nil])
  func revoked(_ older: Int?) throws {
    let thief = try PrivateKey.generate(.ed25519)
    let before = try workshop.host(workshop.policy([workshop.key.publicKey, thief.publicKey]))
    let stolen = try offer(9, [thief])
    if let older {
      try before.install(offer(older))
      // Both are trusted; but the release before was signed by somebody else.
      expectError(.continuitySigner) { try before.install(stolen) }
    }
    try before.install(stolen, except: ContinuityExceptions(isNamed: older != nil))
    try ship(7)
    #expect(try host().start().map(\.sequence) == [7])
    #expect(workshop.marks == ["\(module)-7"])
  }

  @Test("G5: what ships with the host counts for one that has not taken stock, too")
  func withoutStock() throws {
    try workshop.host().install(offer(2))
    try ship(3)
    expectError(.policyRollback) { try host().install(workshop.folder.file("\(module)-2.zip"), module: module) }
    try workshop.store().remove(module, sequence: 3)
    #expect(try host().load(module).sequence == 3)
  }

  @Test("G5: a release that was fallen back to loses against what ships with a later host")
  func fallback() throws {
    let before = try workshop.host()
    try before.install(offer(4))
    try before.install(offer(9))
    let store = try workshop.store()
    let crashing = try store.active(module)
    for _ in 0..<2 { try store.noteCrash(of: crashing) }
    #expect(try store.active(module).sequence == 4)
    try ship(7)
    #expect(try host().start().map(\.sequence) == [7])
  }

  @Test(
    "G5: the floor of a release that was set aside does not keep from what ships with the host, nor lets older ones in"
  )
  func floor() throws {
    let before = try workshop.host()
    try before.install(offer(4))
    try before.install(offer(9))
    let store = try workshop.store()
    let crashing = try store.active(module)
    // It has been loaded before.
    try store.raiseFloor(after: crashing)
    for _ in 0..<2 { try store.noteCrash(of: crashing) }
    try ship(7)
    #expect(try host().start().map(\.sequence) == [7])
    #expect(workshop.marks == ["\(module)-7"])
  }

  @Test("G5: what is older than the release that ships with the host is not loaded where that cannot be installed")
  func embeddedFloor() throws {
    let before = try workshop.host()
    try before.install(offer(9))
    // It has run well: nothing older comes after.
    #expect(before.start().map(\.sequence) == [9])
    before.markHealthy()
    try workshop.store().remove(module, sequence: 9)
    try workshop.install(Workshop.page("\(module)", 10, route: "ui://candidate", answer: "10"))
    try flip(releaseFile(10)) { $0 / 2 }
    try ship(7)
    let host = try host()
    #expect(host.start().isEmpty)
    #expect(host.reason(of: module)?.code == .storeDamaged)
    #expect(workshop.marks == ["\(module)-9"])
  }

  private func releaseFile(_ sequence: Int) throws -> String {
    let folder = workshop.path + "/modules/\(module)"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasPrefix("\(sequence)-") })
    return "\(folder)/\(name)/files/lib/com_example_candidate.so"
  }
}
