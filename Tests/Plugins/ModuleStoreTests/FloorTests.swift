import Foundation
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@Suite struct FloorTests {
  private let player = StoreFixture.player

  @Test(
    "installing raises no floor, loading does, and below it nothing is installed: it is said whose and since when")
  func raise() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let old = try fixture.release(6).verified(fixture.policy())
    let installed = try fixture.install(7)
    #expect(try store.floors().isEmpty)
    fixture.clock.time = UnixTime(seconds: StoreFixture.start.seconds + 60)
    #expect(try store.raiseFloor(after: installed).sequence == 7)
    let floor = try #require(try store.floors()[player])
    #expect(floor.sequence == 7)
    #expect(floor.since == UnixTime(seconds: StoreFixture.start.seconds + 60))
    #expect(floor.keys == [fixture.key.publicKey.id])
    let error = expectError(.policyRollback) { try store.install(old) }
    #expect(
      error?.expected
        == "a sequence of 7 or more, the store's floor of com.example.player, raised by a release that "
        + "\(fixture.key.publicKey.id) signed, since \(floor.since)")
    // Loading it again, or an older one after a fallback, changes neither number nor date.
    fixture.clock.time = UnixTime(seconds: StoreFixture.start.seconds + 120)
    #expect(try store.raiseFloor(after: installed) == floor)
  }

  @Test("a floor stays when everything is removed, and goes when it is reset by hand, which is noted")
  func reset() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let old = try fixture.release(6).verified(fixture.policy())
    try store.raiseFloor(after: fixture.install(7))
    try store.remove(player)
    expectError(.policyRollback) { try store.install(old) }
    #expect(try store.resetFloor(player)?.sequence == 7)
    #expect(try store.resetFloor(player) == nil)
    #expect(try store.install(old).sequence == 6)
    #expect(
      fixture.state.contains(
        """
        "notes":[{"action":"floor-reset","module":"com.example.player","sequence":7,\
        "time":"\(StoreFixture.start)","user":\(geteuid())}]
        """))
  }

  @Test("revoking the key that raised a floor drops it")
  func revoked() throws {
    let fixture = try StoreFixture()
    let thief = try PrivateKey.generate(.ed25519)
    let both = try fixture.policy([fixture.key.publicKey, thief.publicKey])
    let store = try fixture.store(both)
    let huge = try fixture.release(1 << 53 - 1, keys: [thief])
    let good = try fixture.release(8).verified(fixture.policy())
    try store.raiseFloor(after: store.install(huge.verified(both)))
    expectError(.policyRollback) { try store.install(good) }
    let policy = try fixture.policy([fixture.key.publicKey, thief.publicKey]) {
      $0.revocations = [Revocation(.key(thief.publicKey.id), reason: "stolen")]
    }
    let mended = try fixture.store(policy)
    #expect(try mended.floors().isEmpty)
    try mended.install(good)
    #expect(try mended.active(player).sequence == 8)
    #expect(try mended.raiseFloor(after: mended.active(player)).sequence == 8)
  }

  @Test("revoking the certificate that raised a floor drops it, and somebody else's signature keeps it")
  func revokedCertificate() throws {
    let authority = try TestAuthority()
    let key = try PrivateKey.generate(.p256)
    let certificate = try authority.certify(key)
    let fixture = try StoreFixture()
    fixture.clock.time = UnixTime(seconds: certificate.notBefore.seconds + 60)
    func policy(_ revocations: [Revocation]) throws -> TrustPolicy {
      var terms = TrustPolicy.Terms()
      terms.revocations = revocations
      let entries = [
        try TrustEntry("ca", .anyLeaf(of: [authority.certificate]), scope: .everything),
        try TrustEntry("key", .key(fixture.key.publicKey), scope: .everything),
      ]
      return try TrustPolicy(entries: entries, terms: terms)
    }
    let archive = try fixture.release(9)
    let file = Artifact.file(try RegularFile(opening: archive.path))
    let signer = try Signer(key, certificates: [certificate])
    let claims = try Signer.ModuleClaims(name: "m", signedAt: fixture.clock.time)
    let bundle = try signer.sign(module: file, claims)
    let store = try fixture.store(policy([]))
    let proof = try StoreFixture.Release(path: archive.path, bundles: [bundle])
      .verified(policy([]), at: fixture.clock.time)
    try store.raiseFloor(after: store.install(proof))
    let target = Revocation.Target.certificate(
      serial: certificate.serialNumber, issuer: "\(certificate.issuer)")
    #expect(try store.floors().count == 1)
    #expect(try fixture.store(policy([Revocation(target, reason: "lost")])).floors().isEmpty)
    let other = Revocation.Target.certificate(serial: certificate.serialNumber, issuer: "CN=Other")
    #expect(try fixture.store(policy([Revocation(other, reason: "lost")])).floors().count == 1)
    // Signed by two: as long as one of them is not revoked, his word stands.
    let second = try Signer(fixture.key).addSignature(
      to: [bundle], ofModule: file, named: "m", at: fixture.clock.time)
    let twice = try StoreFixture()
    twice.clock.time = fixture.clock.time
    let common = try twice.store(policy([]))
    try common.raiseFloor(
      after: common.install(
        StoreFixture.Release(path: archive.path, bundles: [bundle, second]).verified(
          policy([]), at: fixture.clock.time)))
    #expect(try twice.store(policy([Revocation(target, reason: "lost")])).floors()[player]?.keys.count == 2)
  }

  @Test("a huge sequence that was only installed poisons nothing")
  func poison() throws {
    let fixture = try StoreFixture()
    let thief = try PrivateKey.generate(.ed25519)
    let keys = [fixture.key.publicKey, thief.publicKey]
    let both = try fixture.policy(keys)
    let store = try fixture.store(both)
    try store.install(fixture.release(1 << 53 - 1, keys: [thief]).verified(both))
    // It is not by who has signed the one before; while the thief is trusted, somebody has to choose it.
    expectError(.continuitySigner) { try store.install(fixture.release(7).verified(both)) }
    try store.install(fixture.release(7).verified(both), except: ContinuityExceptions(isNamed: true))
    #expect(try store.floors().isEmpty)
    let policy = try fixture.policy(keys) {
      $0.revocations = [Revocation(.key(thief.publicKey.id), reason: "stolen")]
    }
    let mended = try fixture.store(policy)
    let active = try mended.active(player)
    #expect(active.sequence == 7)
    try mended.raiseFloor(after: active)
    #expect(try mended.collectGarbage().isEmpty)
    try mended.install(fixture.release(8).verified(both))
    #expect(try mended.active(player).sequence == 8)
    // It crashes, twice: what lies above and is not accepted is no way out.
    for _ in 0..<2 { try mended.noteCrash(of: mended.active(player)) }
    #expect(try mended.active(player).sequence == 7)
  }

  @Test("the floor is kept by whoever has loaded, not by what an edited state says was loaded")
  func onlyInstalled() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let installed = try fixture.install(7)
    try store.remove(player)
    expectError(.storeNotInstalled) { try store.raiseFloor(after: installed) }
  }
}
