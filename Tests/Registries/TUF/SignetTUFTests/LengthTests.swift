import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetTUF

/// Lengths that somebody with the online keys, or with a publisher's, could state.
@Suite("lengths of metadata") struct LengthTests {
  /// Limits that a test reaches with little.
  private static func limits(_ change: (inout TUFLimits) -> Void) -> TUFLimits {
    var limits = TUFLimits.standard
    change(&limits)
    return limits
  }

  @Test("the usual limits have room for the largest repositories that are known, and for no more")
  func usual() {
    let limits = TUFLimits.standard
    // 16,385 roles with hashes (PEP 458), and 100,000 roles without.
    #expect(16_385 * 170 < limits.statedSnapshot && 100_000 * 80 < limits.statedSnapshot)
    // 10,000 targets in one role.
    #expect(10_000 * 300 < limits.statedTargets)
    #expect(limits.statedSnapshot + limits.statedTargets < 60 << 20)
    #expect(limits.longestFile == limits.statedTargets)
  }

  @Test("a snapshot that is stated to be longer than a repository can need is not fetched")
  func snapshot() throws {
    let repository = try PublishedRepository()
    func sign(_ length: Int) throws {
      var timestamp = try #require(try repository.folder.load().timestamp?.role)
      timestamp.version += 1
      timestamp.snapshot.length = length
      var draft = try MetadataDraft(timestamp)
      try draft.sign(with: repository.online)
      try repository.temporary.write("repository/metadata/timestamp.json", draft.bytes())
    }
    try sign(TUFLimits.standard.statedSnapshot + 1)
    let error = expectError(.tufTooLong) { try repository.client().refresh() }
    #expect(error?.object == "1.snapshot.json" && error?.found == "8388609 bytes")
  }

  @Test("a targets role that is stated to be longer than allowed is not fetched, and the bound of all of them holds")
  func targets() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    func client(_ change: (inout TUFLimits) -> Void) throws -> TUFClient {
      let client = try repository.client("client-\(Int.random(in: 0 ... .max))")
      return TUFClient(
        folder: client.folder, mirrors: client.mirrors, time: PublishedRepository.now, limits: Self.limits(change))
    }
    let size = try repository.temporary.read("repository/metadata/2.example.json").count
    expectError(.tufTooLong) { try client { $0.statedTargets = 10 }.refresh() }
    #expect(try client { $0.delegatedBytes = size }.target("com/a/file") != nil)
    let error = expectError(.tufTooLong) { _ = try client { $0.delegatedBytes = size - 1 }.target("com/a/file") }
    #expect(error?.object == "targets" && error?.found == "\(size) bytes with example")
  }

  @Test("a list of faults tells a thousand, and how many more there are")
  func faults() {
    var list = FaultList()
    for number in 0..<FaultList.limit { list.append(SignetError(.tufExpired, "\(number)", "has expired")) }
    #expect(list.faults.count == 1000)
    var other = FaultList()
    other.append(list)
    for _ in 0..<7 { other.append(SignetError(.tufExpired, "more", "has expired")) }
    var both = FaultList()
    both.append(other)
    #expect(both.faults.count == 1001)
    #expect(both.faults.last?.code == .tufMoreFaults && both.faults.last?.found == "7 more")
  }
}
