import Foundation
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import ModelSignatures
@testable import SignetVerify

/// Models, by signatures as OpenSSF Model Signing makes them.
@Suite struct ModelTests {
  /// A model, and a signature that a case can change before it is made.
  private final class Workshop {
    let folder = try? TemporaryFolder()
    let key: PrivateKey
    var resources: [[String: Any]] = []
    var serialization: [String: Any] = [
      "method": "files", "hash_type": "sha256", "allow_symlinks": false, "ignore_paths": [".git", "ignored"],
    ]
    var type = "https://model_signing/signature/v1.0"
    var material: [String: Any] = [:]

    init() throws {
      key = try PrivateKey.generate(.p256)
      material = ["publicKey": ["hint": String(repeating: "0", count: 64)], "tlogEntries": []]
      try write("a", "first")
      try write("b/c", "second")
      resources = [try Self.resource("a", "first"), try Self.resource("b/c", "second")]
    }

    var place: String { folder?.file("model") ?? "" }

    func write(_ name: String, _ text: String) throws {
      let url = URL(filePath: "\(place)/\(name)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }

    static func resource(_ name: String, _ text: String) throws -> [String: Any] {
      ["name": name, "algorithm": "sha256", "digest": try Digest.of(Array(text.utf8), .sha256).hex]
    }

    func bundle() throws -> [UInt8] {
      let statement: [String: Any] = [
        "_type": "https://in-toto.io/Statement/v1", "predicateType": type,
        "subject": [["name": "whatever", "digest": ["sha256": String(repeating: "a", count: 64)]]],
        "predicate": ["resources": resources, "serialization": serialization],
      ]
      let payload = Array(try JSONSerialization.data(withJSONObject: statement))
      let signature = try key.sign(Envelope.preAuthenticationEncoding(of: payload))
      let bundle: [String: Any] = [
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "verificationMaterial": material,
        "dsseEnvelope": [
          "payload": Base64.encode(payload), "payloadType": "application/vnd.in-toto+json",
          "signatures": [["sig": Base64.encode(signature), "keyid": NSNull()]],
        ],
      ]
      return Array(try JSONSerialization.data(withJSONObject: bundle))
    }

    func verdict(
      _ file: String? = nil, signature: String? = nil, followsLinks: Bool = false
    ) throws -> Verdict<VerifiedModel> {
      let artifact: Artifact =
        try file.map { .file(try RegularFile(opening: "\(place)/\($0)")) } ?? .directory(Directory(opening: place))
      let policy = try TrustPolicy(trusting: [key.publicKey])
      return try Verifier(policy: policy, clock: .system).verify(
        artifact, signatures: .bytes([bundle()]),
        expecting: .model(named: "model", signature: signature, followsLinks: followsLinks))
    }

    func codes(_ file: String? = nil) throws -> [String] {
      switch try verdict(file) {
      case .verified: ["ok"]
      case .refused(let refusal): refusal.reasons.map(\.code.rawValue)
      }
    }
  }

  @Test("a model verifies if each file is what was signed, and no other is there")
  func files() throws {
    let workshop = try Workshop()
    #expect(try workshop.codes() == ["ok"])
    try workshop.write("b/c", "changed")
    #expect(try workshop.codes() == ["digest.mismatch"])
    try workshop.write("b/c", "second")
    try workshop.write("b/d", "new")
    #expect(try workshop.codes() == ["directory.extra-entry"])
    try FileManager.default.removeItem(atPath: "\(workshop.place)/b/d")
    try FileManager.default.removeItem(atPath: "\(workshop.place)/a")
    #expect(try workshop.codes() == ["directory.missing-entry"])
    try FileManager.default.createSymbolicLink(atPath: "\(workshop.place)/a", withDestinationPath: "b/c")
    #expect(try workshop.codes() == ["directory.type-mismatch"])
    // What is not signed may be no link either, nor a pipe.
    try FileManager.default.removeItem(atPath: "\(workshop.place)/a")
    try workshop.write("a", "first")
    try FileManager.default.createSymbolicLink(atPath: "\(workshop.place)/l", withDestinationPath: "a")
    #expect(try workshop.codes() == ["directory.extra-entry"])
    try FileManager.default.removeItem(atPath: "\(workshop.place)/l")
    #expect(mkfifo("\(workshop.place)/p", 0o600) == 0)
    #expect(try workshop.codes() == ["directory.extra-entry"])
  }

  @Test("what the format leaves out is not looked at, and is named; elsewhere it counts")
  func ignored() throws {
    let workshop = try Workshop()
    for name in [".git/hooks/x", ".github/x", ".gitignore", "ignored/x"] { try workshop.write(name, "anything") }
    let proof = try workshop.verdict().get()
    #expect(Self.told(proof) == "2 files; nothing verifies .git, .github, .gitignore, ignored")
    for name in ["b/.git", "ignored2", ".gitmodules"] {
      try workshop.write(name, "anything")
      #expect(try workshop.codes() == ["directory.extra-entry"], "\(name)")
      try FileManager.default.removeItem(atPath: "\(workshop.place)/\(name)")
    }
    // What is signed is compared all the same.
    workshop.resources.append(try Workshop.resource("ignored/x", "other"))
    #expect(try workshop.codes() == ["digest.mismatch"])
  }

  /// What the step about the files says.
  private static func told(_ proof: VerifiedModel) -> String {
    if case .passed(let text)? = proof.checks.first(where: { $0.step == .contents })?.outcome { text } else { "" }
  }

  @Test("the signature's own file may be in the model under one name, and is told")
  func signature() throws {
    let workshop = try Workshop()
    let path = "\(workshop.place)/b/x.sig"
    try Data(workshop.bundle()).write(to: URL(filePath: path))
    #expect(try workshop.codes() == ["directory.extra-entry"])
    #expect(try Self.told(workshop.verdict(signature: "b/x.sig").get()) == "2 files; nothing verifies b/x.sig")
    // Nothing but this path: neither another name of the file, nor a link to it, nor one in its place.
    func codes(_ signature: String) throws -> [String] {
      guard case .refused(let refusal) = try workshop.verdict(signature: signature) else { return ["ok"] }
      return refusal.reasons.map(\.code.rawValue)
    }
    #expect(link(path, "\(workshop.place)/b/__init__.py") == 0)
    #expect(try codes("b/x.sig") == ["directory.extra-entry"])
    try FileManager.default.removeItem(atPath: path)
    #expect(symlink("__init__.py", path) == 0)
    #expect(try codes("b/x.sig") == ["directory.extra-entry", "directory.extra-entry"])
  }

  @Test("a name in parts that no number holds is malformed")
  func overflow() throws {
    let workshop = try Workshop()
    workshop.serialization["method"] = "shards"
    workshop.serialization["shard_size"] = 4_611_686_018_427_387_904.0
    workshop.resources = try [
      "a:0:4611686018427387904", "a:4611686018427387904:9223372036854775807",
      "a:9223372036854775807:9223372036854775807",
    ].map { try Workshop.resource($0, "x") }
    #expect(try workshop.codes() == ["model.malformed"])
  }

  @Test("links count as files where the signer has followed them")
  func links() throws {
    let workshop = try Workshop()
    try FileManager.default.createSymbolicLink(atPath: "\(workshop.place)/l", withDestinationPath: "b/c")
    workshop.resources.append(try Workshop.resource("l", "second"))
    #expect(try workshop.codes() == ["directory.type-mismatch"])
    workshop.serialization["allow_symlinks"] = true
    #expect(try workshop.codes() == ["ok"])
    workshop.resources[2] = try Workshop.resource("l", "first")
    #expect(try workshop.codes() == ["digest.mismatch"])
    // A cache has links where the signer had files.
    workshop.serialization["allow_symlinks"] = false
    workshop.resources[2] = try Workshop.resource("l", "second")
    #expect(try workshop.codes() == ["directory.type-mismatch"])
    _ = try workshop.verdict(followsLinks: true).get()
    workshop.resources.removeLast()
    guard case .refused(let refusal) = try workshop.verdict(followsLinks: true) else { throw Unexpected() }
    #expect(refusal.reasons.map(\.code.rawValue) == ["directory.extra-entry"])
  }

  @Test("a file's parts are compared, and there are neither more nor fewer")
  func shards() throws {
    let workshop = try Workshop()
    workshop.serialization["method"] = "shards"
    workshop.serialization["shard_size"] = 4
    let parts = try [
      ("a:0:4", "firs"), ("a:4:5", "t"), ("b/c:0:4", "seco"), ("b/c:4:6", "nd"),
    ].map { try Workshop.resource($0.0, $0.1) }
    workshop.resources = parts
    try workshop.write("empty", "")
    // The format cannot name empty files.
    #expect(try Self.told(workshop.verdict().get()) == "2 files; nothing verifies empty")
    workshop.resources[0]["algorithm"] = "sha256-sharded-4"
    #expect(try workshop.codes() == ["ok"])
    workshop.resources[0]["algorithm"] = "sha256-sharded-5"
    #expect(try workshop.codes() == ["model.unsupported"])
    workshop.resources = parts
    for text in ["first!", "firs", "firsT"] {
      try workshop.write("a", text)
      #expect(try workshop.codes() == ["digest.mismatch"], "\(text)")
    }
    try workshop.write("a", "first")
    for (name, index) in [
      ("a:0:3", 0), ("a:1:5", 1), ("a:4:9", 1), ("a:4:4", 1), ("a:4", 1), (":4:5", 1), ("a:5:4", 1),
    ] {
      workshop.resources = parts
      workshop.resources[index]["name"] = name
      #expect(try workshop.codes() == ["model.malformed"], "\(name)")
    }
    workshop.resources = [parts[1], parts[0], parts[2], parts[3]]
    #expect(try workshop.codes() == ["model.malformed"])
    workshop.resources = parts
    for (size, code) in [(4.5, "model.malformed"), (0, "model.malformed"), (-4, "model.malformed")] {
      workshop.serialization["shard_size"] = size
      #expect(try workshop.codes() == [code], "\(size)")
    }
  }

  @Test("a model of one file")
  func single() throws {
    let workshop = try Workshop()
    #expect(try workshop.codes("a") == ["directory.type-mismatch"])
    workshop.resources = [workshop.resources[0]]
    #expect(try workshop.codes("a") == ["ok"])
    #expect(try workshop.codes("b/c") == ["digest.mismatch"])
    // As the reference implementation calls it, whole and in parts.
    workshop.resources = [try Workshop.resource(".", "first")]
    #expect(try workshop.codes("a") == ["ok"])
    #expect(try workshop.codes() == ["directory.missing-entry", "directory.extra-entry", "directory.extra-entry"])
    workshop.serialization["method"] = "shards"
    workshop.serialization["shard_size"] = 3
    workshop.resources = try [Workshop.resource(".:0:3", "fir"), Workshop.resource(".:3:5", "st")]
    #expect(try workshop.codes("a") == ["ok"])
    #expect(try workshop.codes("b/c") == ["digest.mismatch"])
  }

  @Test(
    "paths that lead elsewhere, and are there twice, are refused",
    arguments: ["../a", "/a", "b/../a", "./a", "b//c", "b/", "", "a"])
  func paths(name: String) throws {
    let workshop = try Workshop()
    workshop.resources.append(try Workshop.resource(name, "first"))
    #expect(try workshop.codes() == ["model.malformed"])
  }

  @Test("what is not read is named")
  func unsupported() throws {
    for (field, value) in [("hash_type", "blake3"), ("method", "tar")] {
      let workshop = try Workshop()
      workshop.serialization[field] = value
      guard case .refused(let refusal) = try workshop.verdict() else { throw Unexpected() }
      #expect(refusal.reasons.map(\.code.rawValue) == ["model.unsupported"])
      #expect(refusal.reasons.first?.found == value)
    }
    let workshop = try Workshop()
    workshop.resources[0]["algorithm"] = "blake2b"
    #expect(try workshop.codes() == ["model.unsupported"])
    workshop.resources = []
    #expect(try workshop.codes() == ["model.malformed"])
    // Another program's statement is none about a model.
    workshop.type = "https://model_signing/Digests/v0.1"
    #expect(try workshop.codes() == ["statement.predicate-type"])
  }

  @Test("another key, and bundles of older versions")
  func signers() throws {
    let workshop = try Workshop()
    let other = try Workshop()
    let strange = try Verifier(policy: TrustPolicy(trusting: [other.key.publicKey]), clock: .system).verify(
      .directory(Directory(opening: workshop.place)), signatures: .bytes([workshop.bundle()]),
      expecting: .model(named: "model"))
    guard case .refused(let refusal) = strange else { throw Unexpected() }
    #expect(refusal.reasons.map(\.code.rawValue) == ["signer.untrusted"])
    workshop.material = [
      "publicKey": ["rawBytes": Base64.encode(workshop.key.publicKey.der), "keyDetails": "PKIX_ECDSA_P256_SHA_256"]
    ]
    #expect(try workshop.codes() == ["ok"])
    workshop.material = ["publicKey": [String: Any]()]
    #expect(try workshop.codes() == ["ok"])
  }

  private struct Unexpected: Error {}
}
