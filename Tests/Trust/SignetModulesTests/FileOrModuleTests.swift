import SignetArchive
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify
@testable import TrustTestSupport

/// What an archive is verified as where the caller does not say it: only statements by somebody trusted have a say.
struct FileOrModuleTests {
  static let time = UnixTime(seconds: 1_800_000_000)

  let key: PrivateKey
  let stranger: PrivateKey
  let tar: [UInt8]

  init() throws {
    key = try PrivateKey.generate(.ed25519)
    stranger = try PrivateKey.generate(.ed25519)
    tar = try TarFixture.module(compressed: true)
  }

  private func file(_ bytes: [UInt8], by key: PrivateKey? = nil) throws -> SigstoreBundle {
    try Signer(key ?? self.key).sign(.bytes(bytes), Signer.FileClaims(name: "a", signedAt: Self.time))
  }

  private func module(_ bytes: [UInt8], by key: PrivateKey? = nil) throws -> SigstoreBundle {
    try Signer(key ?? self.key).sign(module: .bytes(bytes), Signer.ModuleClaims(name: "a", signedAt: Self.time))
  }

  /// The kind that was verified, or the codes of all reasons against.
  private func verify(
    _ bytes: [UInt8], _ bundles: [SigstoreBundle], as role: ArtifactRole = .unnamed,
    _ policy: TrustPolicy? = nil
  ) throws -> [String] {
    let verifier = Verifier(policy: try policy ?? TrustPolicy(trusting: [key.publicKey]), clock: .fixed(Self.time))
    let source: SignatureSource = bundles.isEmpty ? .absent : .bytes(try bundles.map { try $0.canonicalBytes() })
    switch try verifier.verify(
      .bytes(bytes), signatures: source, expecting: .fileOrModule(named: "a", as: role))
    {
    case .verified(.file): return ["file"]
    case .verified(.module(let proof)): return ["module \(proof.module.sequence)"]
    case .refused(let refusal): return refusal.reasons.map(\.code.rawValue)
    }
  }

  @Test("a trusted statement says whether a tar is a file or a module")
  func kinds() throws {
    #expect(try verify(tar, [file(tar)]) == ["file"])
    #expect(try verify(tar, [module(tar)]) == ["module 7"])
    #expect(try verify([1, 2, 3], [file([1, 2, 3])]) == ["file"])
    #expect(Set(Verifier.Expectation.fileOrModule(named: "a").predicateTypes) == [.file, .module])
  }

  @Test("a stranger's statement has no say, whatever it is about and wherever it stands")
  func strangers() throws {
    for bundles in [[try module(tar, by: stranger), try file(tar)], [try file(tar), try module(tar, by: stranger)]] {
      #expect(try verify(tar, bundles) == ["file"])
    }
    for bundles in [[try file(tar, by: stranger), try module(tar)], [try module(tar), try file(tar, by: stranger)]] {
      #expect(try verify(tar, bundles) == ["module 7"])
    }
    #expect(try verify(tar, [module(tar, by: stranger)]) == ["signer.untrusted"])
    // What only looks like a statement is not looked into.
    let noise = try SigstoreBundle(
      payload: [0xff],
      signature: stranger.sign(Envelope.preAuthenticationEncoding(of: [0xff])), key: stranger.publicKey.id)
    #expect(try verify(tar, [noise, module(tar)]) == ["module 7"])
  }

  @Test("two trusted statements of both kinds are refused, in either order")
  func both() throws {
    for bundles in [[try module(tar), try file(tar)], [try file(tar), try module(tar)]] {
      #expect(try verify(tar, bundles) == ["statement.predicate-type"])
    }
  }

  @Test("a ZIP that lists a description, or has a signing block, is a module and nothing else")
  func archives() throws {
    let signed = try SignedModule()
    #expect(try verify(signed.archive, [file(signed.archive)]) == ["statement.predicate-type"])
    #expect(try verify(signed.archive, [module(signed.archive)]) == ["module 7"])
    let attached = try SignedModule.attach([module(signed.archive)], to: signed.archive)
    #expect(try verify(attached, []) == ["module 7"])
    #expect(try verify(attached, [file(attached)]) == ["statement.predicate-type"])
    let plain = try SignedModule.zip("z.writestr('a', 'x')")
    #expect(try verify(plain, [file(plain)]) == ["file"])
  }

  @Test(
    "a ZIP with another system's description is what its statement says, and one of Signet's is no file",
    arguments: [
      (#"{"id": "dice", "version": "1.2.0", "esmodules": ["main.js"]}"#, true), ("// no JSON", true), ("[]", true),
      (#"{"identifier": "com.example.player"}"#, false), (#"{"sequence": 7}"#, false),
    ])
  func descriptions(description: String, isForeign: Bool) throws {
    let write = "z.writestr('module.json', '\(description)')"
    let strict = try SignedModule.zip(write)
    // With a data descriptor, as programs write it that cannot go back.
    let loose = try SignedModule.zip(
      "f = z.open('module.json', 'w', force_zip64=True); f.write(b'\(description)'); f.close()")
    for zip in [strict, loose] {
      #expect(try verify(zip, [file(zip)]) == (isForeign ? ["file"] : ["statement.predicate-type"]))
      var changed = zip
      changed[40] ^= 1
      #expect(try verify(changed, [file(zip)]) != ["file"])
    }
  }

  @Test("who may speak for what the statement says it is, is asked for each kind")
  func scopes() throws {
    let other = try #require(ModuleIdentifier("com.example.other"))
    let player = try #require(ModuleIdentifier("com.example.player"))
    let pattern = try #require(ModulePattern("com.example.player"))
    let policy = try TrustPolicy(entries: [
      TrustEntry("k", .key(key.publicKey), scope: TrustScope(modules: [pattern], uris: []))
    ])
    #expect(try verify(tar, [module(tar)], policy) == ["module 7"])
    #expect(try verify(tar, [file(tar)], policy) == ["signer.out-of-scope"])
    #expect(try verify(tar, [file(tar)], as: ArtifactRole(module: player), policy) == ["file"])
    #expect(try verify(tar, [file(tar)], as: ArtifactRole(module: other), policy) == ["signer.out-of-scope"])
    #expect(
      try verify(tar, [module(tar)], as: ArtifactRole(module: other), policy) == ["module.identifier-mismatch"])
    // A file has no sequence that a floor could be held against.
    var terms = TrustPolicy.Terms()
    terms.floors = [player: 7]
    let floors = try TrustPolicy(
      entries: [TrustEntry("k", .key(key.publicKey), scope: .everything)], terms: terms)
    #expect(try verify(tar, [file(tar)], as: ArtifactRole(module: player), floors) == ["policy.rollback"])
    #expect(try verify(tar, [module(tar)], as: ArtifactRole(module: player), floors) == ["module 7"])
  }

  @Test("a changed archive is refused, whichever kind it was signed as")
  func changed() throws {
    var bytes = tar
    bytes[bytes.count - 1] ^= 1
    #expect(try verify(bytes, [file(tar)]) == ["digest.mismatch"])
    #expect(try verify(bytes, [module(tar)]) == ["digest.mismatch"])
    // So much that nothing shows that it was an archive: then it is held to be a file.
    #expect(try verify([0] + tar.dropFirst(), [file(tar)]) == ["digest.mismatch"])
    #expect(try verify([0] + tar.dropFirst(), [module(tar)]) == ["statement.predicate-type"])
  }
}
