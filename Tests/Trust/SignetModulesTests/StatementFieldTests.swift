import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify
@testable import TrustTestSupport

/// Statements of Signet's own types have their fields and no others, at every depth.
@Suite struct StatementFieldTests {
  private static let time = UnixTime(seconds: 1_800_000_000)

  /// The statement of each type.
  private static func payloads() throws -> [[UInt8]] {
    let signer = try Signer(PrivateKey.generate(.ed25519))
    let folder = try TemporaryFolder()
    try folder.write("a", [1])
    let directory = Artifact.directory(try Directory(opening: folder.path))
    let host = try #require(ModuleIdentifier("com.example.player"))
    return [
      try signer.sign(.bytes([1]), Signer.FileClaims(name: "a", signedAt: time)),
      try signer.sign(directory, Signer.FileClaims(name: "a", signedAt: time)),
      try signer.sign(
        .bytes(Array("{}".utf8)),
        Signer.HostManifestClaims(name: "a", identifier: host, sequence: 7, signedAt: time)),
      try SignedModule().bundle,
    ].map(\.envelope.payload)
  }

  @Test("what a list of bundles claims is what its first bundle does")
  func claimed() throws {
    let folder = try TemporaryFolder()
    let module = try SignedModule().bundle.canonicalBytes()
    let file = try Signer(PrivateKey.generate(.ed25519)).sign(
      .bytes([1]), Signer.FileClaims(name: "a", signedAt: Self.time)
    ).canonicalBytes()
    func claim(_ bundles: [[UInt8]]) throws -> String? {
      let path = try folder.write("bundles", Array(bundles.joined(separator: [0x0a])))
      return try ModulePredicate.claimed(in: RegularFile(opening: path)).map { "\($0.module.identifier)" }
    }
    #expect(try claim([module, file]) == "com.example.player")
    #expect(try claim([module]) == "com.example.player")
    #expect(try claim([file, module]) == nil)
    // A list whose first line is no bundle says nothing of the second.
    expectError(.signatureMalformed) { _ = try claim([Array("{}".utf8), module]) }
  }

  /// The value once for each object in it, with a member more in that object.
  private static func widened(_ value: JSONValue) -> [JSONValue] {
    switch value.content {
    case .object(let members):
      let own = JSONValue(.object(members + [JSONValue.Member("zzz", .integer(1))]))
      return [own]
        + members.indices.flatMap { index in
          widened(members[index].value).map { inner in
            var changed = members
            changed[index] = JSONValue.Member(members[index].name, inner)
            return JSONValue(.object(changed))
          }
        }
    case .array(let elements):
      return elements.indices.flatMap { index in
        widened(elements[index]).map { inner in
          var changed = elements
          changed[index] = inner
          return JSONValue.array(changed)
        }
      }
    default: return []
    }
  }

  @Test("a field that nobody knows is refused in every object of every statement")
  func unknownFields() throws {
    for payload in try Self.payloads() {
      _ = try Statement(payload: payload)
      let changed = Self.widened(try JSONReader.read(payload, limits: .payload))
      #expect(changed.count >= 4)
      for value in changed {
        let text = try CanonicalJSON.write(value)
        do throws(SignetError) {
          _ = try Statement(payload: text)
          Issue.record("accepted: \(String(decoding: text, as: UTF8.self))")
        } catch {
          #expect([.statementUnknownField, .statementDigestAlgorithm].contains(error.code), "\(error)")
        }
      }
    }
  }

  @Test("the contents of a module are entries that an archive may have")
  func contents() throws {
    func contents(_ paths: String...) throws -> ModuleContents {
      let digest = try Digest.of([], .sha256)
      return try ModuleContents(
        paths.map { .init(path: $0, content: .file(mode: FileMode(permissions: 0o644), size: 0, sha256: digest)) })
    }
    #expect(try contents("a", "b/c").entries.count == 2)
    expectError(.archiveEmpty) { _ = try contents() }
    expectError(.archivePathConflict) { _ = try contents("a", "a/b") }
    expectError(.pathCaseCollision) { _ = try contents("A", "a") }
    expectError(.archiveDuplicatePath) { _ = try contents("a", "a") }
    expectError(.directoryUnsorted) { _ = try contents("b", "a") }
  }
}
