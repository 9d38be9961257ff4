import ModuleCatalog
import Signet
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

/// What somebody with a publisher's key could make others read.
@Suite("indexes that are large together") struct LargeIndexTests {
  private static let names = ["com.example.a", "com.example.b", "com.example.c"]

  /// A registry with three modules, whose indexes are alike.
  private static func registry() throws -> (fixture: RegistryFixture, length: Int) {
    let fixture = try RegistryFixture()
    for name in names { try fixture.push(fixture.module(name)) }
    let index = try #require(try fixture.client().target("com/example/a/releases/index.json"))
    return (fixture, index.file.length)
  }

  private static func offers(_ fixture: RegistryFixture, atMost bytes: Int) throws -> ModuleOffers {
    var catalog = try fixture.catalog()
    catalog.indexBytes = bytes
    return try catalog.refreshed(at: RegistryFixture.now)
  }

  @Test("a client reads the indexes of one publisher up to a bound, each of them counted once")
  func bound() throws {
    let (fixture, length) = try Self.registry()
    let modules = try Self.names.map { try #require(ModuleIdentifier($0)) }
    let offers = try Self.offers(fixture, atMost: 2 * length)
    for _ in 0..<3 { #expect(try offers.index(of: modules[0])?.releases.count == 1) }
    #expect(try offers.index(of: modules[1])?.releases.count == 1)
    let error = expectError(.repoIndex) { _ = try offers.index(of: modules[2]) }
    #expect(error?.object == "example" && error?.expected == "at most \(2 * length) bytes")
    // What was read before can be read again.
    #expect(try offers.index(of: modules[1])?.releases.count == 1)
    #expect(try Self.offers(fixture, atMost: 3 * length).index(of: modules[2])?.releases.count == 1)
  }

  @Test("a list of all modules leaves out what would be too much of one publisher, and nobody else's")
  func list() throws {
    let (fixture, length) = try Self.registry()
    let other = try PrivateKey.generate(.ed25519)
    try fixture.add("other", ["org.other.**"], other)
    try fixture.sign(fixture.targets, other)
    try fixture.push(fixture.module("org.other.d", by: other), by: "other", key: other)
    let offers = try Self.offers(fixture, atMost: 2 * length)
    #expect(try offers.modules().map(\.description) == ["com.example.a", "com.example.b", "org.other.d"])
    #expect(offers.complaints.map(\.code) == [.repoIndex] && offers.complaints.map(\.object) == ["example"])
    #expect(try Self.offers(fixture, atMost: 3 * length).modules().count == 4)
  }

  @Test("a publisher that has not signed yet offers nothing, and is no fault of the registry")
  func unsigned() throws {
    let fixture = try RegistryFixture(isPublished: false)
    try fixture.sign(fixture.root, fixture.targets)
    #expect(try fixture.refresh().waiting.map(\.role) == ["example"])
    let offers = try fixture.offers()
    #expect(try offers.modules().isEmpty && offers.complaints.isEmpty)
    #expect(try fixture.registry.check().faults.isEmpty && fixture.registry.indexFaults().isEmpty)
    try fixture.push(fixture.module())
    #expect(try fixture.offers().modules().map(\.description) == ["com.example.player"])
  }

  @Test("releases are listed in the order of modules and sequences, whoever offers them")
  func order() throws {
    let fixture = try RegistryFixture()
    let other = try PrivateKey.generate(.ed25519)
    try fixture.add("aaa", ["org.other.**"], other)
    try fixture.sign(fixture.targets, other)
    try fixture.push(fixture.module("org.other.d", by: other), by: "aaa", key: other)
    try fixture.push(fixture.module("com.example.b", "1.0.0", 3), fixture.module("com.example.a"))
    try fixture.push(fixture.module("com.example.b", "1.1.0", 4))
    let releases = try fixture.registry.releases()
    #expect(
      releases.map { "\($0.publisher) \($0.release.identifier) \($0.release.sequence)" } == [
        "example com.example.a 1", "example com.example.b 3", "example com.example.b 4", "aaa org.other.d 1",
      ])
  }

  @Test("a draft with more changes than anybody looks at is not shown, so that nobody signs it")
  func manyChanges() throws {
    let (fixture, _) = try Self.registry()
    let content = try fixture.registry.folder.load()
    let top = try #require(content.targets?.role)
    let role = try #require(try content.role("example", by: top)?.role)
    func words(_ limit: Int) throws -> [String] {
      try IndexChange.words(from: nil, to: role, in: fixture.registry.folder, atMost: limit)
    }
    #expect(try words(3).count == 3)
    expectError(.repoListSize) { _ = try words(2) }
    #expect(IndexChange.lineLimit == 20_000)
  }
}
