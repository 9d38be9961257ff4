import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct SearchTests {
  struct Edge: Sendable {
    let delegator: String
    let role: String
    var paths = ["*"]
    var isTerminating = false

    init(_ delegator: String, _ role: String, _ paths: [String] = ["*"], isTerminating: Bool = false) {
      self.delegator = delegator
      self.role = role
      self.paths = paths
      self.isTerminating = isTerminating
    }
  }

  /// Delegations, and the roles that a search for a missing target asks for, in their order.
  static let graphs: [(edges: [Edge], visited: [String])] = [
    ([Edge("targets", "A")], ["A"]),
    ([Edge("targets", "A"), Edge("targets", "B")], ["A", "B"]),
    ([Edge("targets", "A"), Edge("targets", "B"), Edge("A", "C"), Edge("A", "D")], ["A", "C", "D", "B"]),
    ([Edge("targets", "A"), Edge("targets", "B"), Edge("A", "C"), Edge("C", "D")], ["A", "C", "D", "B"]),
    // A terminating delegation ends the search behind its own descendants, for all roles above.
    (
      [
        Edge("targets", "A"), Edge("targets", "B"), Edge("A", "C", isTerminating: true), Edge("A", "D"),
        Edge("C", "E"),
      ],
      ["A", "C", "E"]
    ),
    // One that does not match the path ends nothing.
    ([Edge("targets", "A", ["x"], isTerminating: true), Edge("targets", "B")], ["B"]),
    ([Edge("targets", "A", ["*.py"]), Edge("targets", "B"), Edge("A", "C")], ["B"]),
    ([Edge("targets", "A"), Edge("targets", "B"), Edge("A", "C", ["*.py"]), Edge("C", "D")], ["A", "B"]),
    // Cycles, also to itself.
    (
      [Edge("targets", "A"), Edge("targets", "B"), Edge("B", "C"), Edge("C", "D"), Edge("D", "B"), Edge("D", "D")],
      ["A", "B", "C", "D"]
    ),
    ([Edge("targets", "A"), Edge("targets", "B"), Edge("B", "C"), Edge("A", "C")], ["A", "C", "B"]),
    ([Edge("targets", "A"), Edge("targets", "B"), Edge("B", "C"), Edge("A", "C", ["*.py"])], ["A", "B", "C"]),
  ]

  private func publish(_ edges: [Edge], _ repository: SimulatedRepository) throws {
    for edge in edges {
      try repository.delegate(
        edge.delegator, to: edge.role, .paths(edge.paths.map(TargetPattern.init)), isTerminating: edge.isTerminating)
    }
    for role in repository.delegated.keys.sorted() { try repository.publish(role) }
    try repository.publish("targets", "snapshot", "timestamp")
  }

  @Test("delegations are followed in pre-order, most trusted first", arguments: graphs.indices)
  func order(index: Int) throws {
    let (edges, visited) = Self.graphs[index]
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try publish(edges, repository)
    #expect(try client.client().target("missing") == nil)
    #expect(Array(repository.server.requests.dropFirst(4)) == visited.map { "1.\($0).json" })
  }

  @Test("a target is found only in roles that all roles on the way delegate its path to")
  func scopes() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    for edge in [
      Edge("targets", "A", ["*.doc", "*.md", "foo-?.tgz"]), Edge("targets", "B", ["releases/*/*"]),
      Edge("B", "C", ["releases/x/*"]), Edge("B", "D", ["releases/y/*.zip"]),
    ] {
      try repository.delegate(edge.delegator, to: edge.role, .paths(edge.paths.map(TargetPattern.init)))
    }
    for (role, path) in [
      ("targets", "own"), ("A", "README.md"), ("A", "releases/README.md"), ("A", "foo-1.tgz"), ("A", "foo-alpha.tgz"),
      ("C", "releases/x/x_v1"), ("D", "releases/y/y_v1.zip"), ("D", "releases/z/z_v1.zip"),
    ] {
      try repository.offer(path, Array(path.utf8), in: role)
    }
    try repository.publish("A", "B", "C", "D", "targets", "snapshot", "timestamp")
    let asked = client.client()
    for (path, role) in [
      ("own", "targets"), ("README.md", "A"), ("releases/README.md", nil), ("foo-1.tgz", "A"), ("foo-alpha.tgz", nil),
      ("releases/x/x_v1", "C"), ("releases/y/y_v1.zip", "D"), ("releases/z/z_v1.zip", nil), ("README.MD", nil),
    ] {
      #expect(try asked.target(path)?.role == role, "\(path)")
    }
  }

  @Test("the most trusted role that offers a path wins")
  func precedence() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "A")
    try repository.delegate(to: "B")
    try repository.offer("file", [1], in: "B")
    try repository.offer("file", [2, 2], in: "A")
    try repository.publish("A", "B", "targets", "snapshot", "timestamp")
    #expect(try client.client().target("file")?.file.length == 2)
  }

  @Test("a search ends at the limit of roles, and says so", arguments: [31, 32, 33])
  func flood(count: Int) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    let names = (0..<count).map { "role\($0)" }
    for (above, name) in zip(["targets"] + names, names) { try repository.delegate(above, to: name) }
    for name in names { try repository.publish(name) }
    try repository.publish("targets", "snapshot", "timestamp")
    if count <= 32 {
      #expect(try client.client().target("missing") == nil)
    } else {
      expectError(.tufTooManyRoles) { _ = try client.client().target("missing") }
    }
    #expect(repository.server.requests.count == 4 + min(count, 32))
  }

  @Test("a role is verified for each role that delegates to it, in one client and in the next")
  func diamond() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "parent-a", .paths([TargetPattern("team-a/*")]))
    try repository.delegate(to: "parent-b", .paths([TargetPattern("team-b/*")]))
    try repository.delegate("parent-a", to: "release", .paths([TargetPattern("team-a/*")]))
    try repository.delegate("parent-b", to: "release", .paths([TargetPattern("team-b/*")]))
    repository.signers["release"]?.removeLast()
    try repository.offer("team-a/file", [1], in: "release")
    try repository.offer("team-b/file", [2], in: "release")
    try repository.publish("release", "parent-a", "parent-b", "targets", "snapshot", "timestamp")
    let asked = client.client()
    #expect(try asked.target("team-a/file")?.role == "release")
    expectError(.tufThreshold) { _ = try asked.target("team-b/file") }
    expectError(.tufThreshold) { _ = try client.client().target("team-b/file") }
  }

  @Test("a delegated role that the snapshot does not list is not asked for")
  func notInSnapshot() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "delegated")
    try repository.publish("delegated", "targets")
    repository.snapshot["delegated"] = nil
    try repository.publish("snapshot", "timestamp")
    expectError(.tufNotInSnapshot) { _ = try client.client().target("file") }
    #expect(repository.server.requests.count == 4)
  }

  @Test(
    "odd role names are encoded in URLs and file names",
    arguments: ["?", "#", "/role", "../role", ".", "..", "a b", "é"])
  func oddNames(name: String) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: name)
    try repository.publish(name, "targets", "snapshot", "timestamp")
    #expect(try client.client().target("file") == nil)
    let encoded = PercentEncoding.roleName(name)
    #expect(!encoded.contains("/") && !encoded.contains("?") && !encoded.contains("#"))
    #expect(repository.server.requests.last == "1.\(encoded).json")
    #expect(try client.versions().count == 5)
    #expect(try client.folder.listing() == ["metadata"])
  }

  @Test("a stored delegated role is used while the snapshot lists it")
  func stored() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "A")
    try repository.publish("A", "targets", "snapshot", "timestamp")
    #expect(try client.client().target("file") == nil)
    _ = repository.server.takeRequests()
    #expect(try client.client().target("file") == nil)
    #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json"])
    try repository.publish("A", "snapshot", "timestamp")
    #expect(try client.client().target("file") == nil)
    #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json", "3.snapshot.json", "2.A.json"])
  }

  @Test("hash prefixes and hash bins lead to the role of a path")
  func bins() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    let path = try TargetPath("com.example/file")
    let hex = String(decoding: path.hex, as: UTF8.self)
    try repository.delegate(to: "other", .hashPrefixes([hex.hasPrefix("0") ? "1" : "0"]))
    try repository.delegate(to: "middle", .hashPrefixes([String(hex.prefix(3))]))
    let key = try PrivateKey.generate(.ed25519)
    let object = try TUFKey(key.publicKey)
    let bins = SuccinctRoles(keys: KeyThreshold(keyIDs: [object.id], threshold: 1), bitLength: 9, namePrefix: "bin")
    repository.delegated["middle"]?.delegations = Delegations(keys: KeyRing([object]), roles: .succinct(bins))
    let name = bins.name(of: bins.bin(of: path))
    repository.signers[name] = [key]
    repository.delegated[name] = TargetsRole(version: 0, expires: SimulatedRepository.later)
    try repository.offer("com.example/file", [1], in: name)
    // The bins do not terminate (TAP 15), so a later role is asked for what they do not offer.
    try repository.delegate(to: "last")
    try repository.offer("com.example/late", [1, 2], in: "last")
    try repository.publish("other", "middle", name, "last", "targets", "snapshot", "timestamp")
    #expect(try client.client().target("com.example/file")?.role == name)
    #expect(repository.server.requests.suffix(2) == ["1.middle.json", "1.\(name).json"])
  }
}
