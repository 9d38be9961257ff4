import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RootRotationTests {
  /// A root of a chain: whose keys it names, how many must sign, and who has signed.
  struct Step: Sendable {
    let keys: [Int]
    let threshold: Int
    let signers: [Int]
  }

  /// Chains, and how many of their roots are accepted.
  static let chains: [(steps: [Step], accepted: Int)] = [
    ([Step(keys: [1], threshold: 1, signers: [1]), Step(keys: [2], threshold: 1, signers: [2, 1])], 2),
    ([Step(keys: [1], threshold: 1, signers: [3, 1, 4]), Step(keys: [2], threshold: 1, signers: [3, 2, 1, 4])], 2),
    (
      [
        Step(keys: [0, 1, 2, 3, 4], threshold: 3, signers: [0, 2, 4]),
        Step(keys: [5, 6, 7, 8, 9], threshold: 3, signers: [0, 2, 4, 5, 6, 7]),
        Step(keys: [5, 6, 7, 8, 9], threshold: 3, signers: [5, 6, 7]),
      ], 3
    ),
    (
      [
        Step(keys: [1, 2, 3], threshold: 2, signers: [1, 2]), Step(keys: [1, 2, 3], threshold: 1, signers: [1, 2]),
      ], 2
    ),
    ([Step(keys: [1], threshold: 1, signers: [1]), Step(keys: [2], threshold: 1, signers: [2, 3, 4])], 1),
    ([Step(keys: [1], threshold: 1, signers: [1]), Step(keys: [2], threshold: 1, signers: [1, 3, 4])], 1),
    ([Step(keys: [1, 2, 3], threshold: 1, signers: [1]), Step(keys: [1, 2, 3], threshold: 2, signers: [2])], 1),
    (
      [Step(keys: [1, 2, 3], threshold: 2, signers: [1, 2]), Step(keys: [1, 2, 3], threshold: 1, signers: [1])], 1
    ),
    (
      [
        Step(keys: [0, 1, 2, 3, 4], threshold: 3, signers: [0, 2, 4]),
        Step(keys: [0, 1, 3, 4, 5], threshold: 3, signers: [0, 2, 4]),
      ], 1
    ),
  ]

  @Test("a new root needs the threshold of the root before it, and its own", arguments: chains.indices)
  func chain(index: Int) throws {
    let (steps, accepted) = Self.chains[index]
    let repository = try SimulatedRepository()
    let keys = try (0..<10).map { _ in try PrivateKey.generate(.ed25519) }
    var roots: [[UInt8]] = []
    for (number, step) in steps.enumerated() {
      let objects = try step.keys.map { try TUFKey(keys[$0].publicKey) }
      for object in objects { repository.root.keys.insert(object) }
      repository.root.root = KeyThreshold(keyIDs: objects.map(\.id), threshold: step.threshold)
      repository.root.version = number + 1
      var draft = try MetadataDraft(repository.root)
      for signer in step.signers { try draft.sign(with: keys[signer]) }
      roots.append(try draft.bytes())
    }
    var trusted = try TrustedRoot(roots[0])
    for root in roots[1..<accepted] { trusted = try trusted.updated(with: root) }
    if accepted < roots.count { expectError(.tufThreshold) { _ = try trusted.updated(with: roots[accepted]) } }
    #expect(trusted.role.version == accepted)
  }

  @Test("all roots up to the newest are fetched, as many as the limit allows")
  func many() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    for _ in 0..<5 { try repository.publish("root") }
    var limits = TUFLimits.standard
    limits.rootRotations = 2
    try client.client(limits: limits).refresh()
    #expect(try client.versions().first == "root 3")
    try client.refresh()
    #expect(try client.versions().first == "root 6")
  }

  @Test("an expired root leads to its successor")
  func expiredRoot() throws {
    let repository = try SimulatedRepository()
    repository.root.expires = UnixTime(seconds: 0)
    repository.root.version = 0
    try repository.publish("root")
    let client = try TestClient(repository)
    expectError(.tufExpired) { try client.refresh() }
    repository.root.expires = SimulatedRepository.later
    try repository.publish("root")
    try client.refresh()
  }

  @Test("another fault than a missing file ends the chain with that fault, and requests nothing more")
  func unreachable() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.server.fail("2.root.json", SignetError(.tufUnreachable, "2.root.json", "the server answered 500"))
    expectError(.tufUnreachable) { try client.refresh() }
    #expect(repository.server.requests == ["2.root.json"])
  }
}
