import SignetBase
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct BinTests {
  private static let most = 16

  private func offer(_ range: Range<Int>, _ repository: PublishedRepository) throws {
    for number in range {
      try repository.offer("com/a/\(number)", [UInt8(number)], dividedAbove: Self.most)
    }
  }

  private func found(_ range: Range<Int>, _ repository: PublishedRepository) throws -> Int {
    let client = try repository.client()
    return try range.count { number in try client.target("com/a/\(number)") != nil }
  }

  private func bits(_ repository: PublishedRepository) throws -> Int {
    let content = try repository.folder.load()
    let top = try #require(content.targets?.role)
    guard case .succinct(let bins)? = try content.role("example", by: top)?.role.delegations?.roles else { return 0 }
    return bins.bitLength
  }

  @Test("a role divides itself among bins as it grows, and is whole again when it has shrunk")
  func growAndShrink() throws {
    let repository = try PublishedRepository()
    try offer(0..<16, repository)
    try repository.publish()
    #expect(try bits(repository) == 0)
    try offer(16..<17, repository)
    let division = try repository.publish()
    #expect(try bits(repository) == 1)
    #expect(division.published.sorted() == ["example", "example.bin-0", "example.bin-1"])
    #expect(try found(0..<17, repository) == 17)
    // From now on a push rewrites a bin, and not the role.
    try offer(17..<18, repository)
    let push = try repository.publish()
    #expect(push.publication.files.count == 3 && push.published[0].hasPrefix("example.bin-"))
    try offer(18..<70, repository)
    try repository.publish()
    #expect(try bits(repository) == 3)
    #expect(try found(0..<70, repository) == 70)
    let versions = try #require(try repository.folder.load().snapshot?.role["example.bin-0"]?.version)
    // Withdraw nearly all of them.
    try repository.folder.changing { (content) throws(SignetError) in
      guard let top = content.targets?.role else { return }
      var role = try RoleTargets(of: "example", under: top, in: content, continuing: .shown)
      for number in 1..<70 { try role.remove("com/a/\(number)") }
      for draft in try role.drafts(until: SimulatedRepository.later, dividedAbove: Self.most) {
        var signed = try MetadataDraft(draft.role)
        try signed.sign(with: repository.publisher)
        try repository.folder.setPending(draft.name, signed)
      }
    }
    try repository.publish()
    #expect(try bits(repository) == 0)
    #expect(try found(0..<70, repository) == 1)
    // The bins are listed for ever, so that clients that know them go on; their versions go on, too.
    try offer(1..<20, repository)
    try repository.publish()
    #expect(try bits(repository) == 1)
    #expect(try found(0..<20, repository) == 20)
    #expect(try #require(try repository.folder.load().snapshot?.role["example.bin-0"]?.version) > versions)
  }

  @Test("bins are signed by new keys of their role")
  func keys() throws {
    let repository = try PublishedRepository()
    try offer(0..<20, repository)
    try repository.publish()
    let content = try repository.folder.load()
    let top = try #require(content.targets?.role)
    var role = try RoleTargets(of: "example", under: top, in: content, continuing: .shown)
    try role.renew()
    let drafts = try role.drafts(until: SimulatedRepository.later, dividedAbove: Self.most)
    #expect(drafts.map(\.name) == ["example", "example.bin-0", "example.bin-1"])
    #expect(drafts.map(\.delegators) == [["targets"], ["targets", "example"], ["targets", "example"]])
    #expect(drafts.map(\.role.version) == [3, 2, 2])
  }
}
