import SignetArchive
import SignetBase
import SignetCrypto
import SignetModules
import SignetSigning
import SignetSystem
import SignetVerify
import TestSupport
import Testing

/// A small module, signed by a test key.
struct SignedModule {
  let archive: [UInt8]
  let bundle: SigstoreBundle
  let key: PublicKey

  static let description = """
    {"identifier": "com.example.player", "version": "1.2.3", "sequence": 7, "resources": ["assets"]}
    """
  static let time = UnixTime(seconds: 1_790_000_000)

  static func key(_ name: String = "ed25519") throws -> PrivateKey {
    try PrivateKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-\(name)"))) { nil }
  }

  /// An archive that Python makes.
  static func zip(_ script: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let python = try #require(Program.find("python3"))
    try folder.write("module.json", Array(description.utf8))
    let run = try Program.run(
      python,
      [
        "-B", "-c",
        "import zipfile\nz = zipfile.ZipFile('m.zip', 'w')\nm = open('module.json').read()\n\(script)\nz.close()",
      ],
      in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try folder.read("m.zip")
  }

  init(
    _ script: String = "z.writestr('module.json', m)\nz.writestr('assets/a', 'x' * 99, 8)", _ name: String = "ed25519"
  )
    throws
  {
    archive = try Self.zip(script)
    let pair = try Self.key(name)
    key = pair.publicKey
    bundle = try Signer(pair).sign(
      module: .bytes(archive), Signer.ModuleClaims(name: "m.zip", signedAt: Self.time))
  }

  /// The archive with bundles in it.
  static func attach(_ bundles: [SigstoreBundle], to archive: [UInt8]) throws -> [UInt8] {
    let file = try ArchiveFile(BytesInMemory(archive, path: "m.zip"), limits: ArchiveLimits())
    let value = try bundles.flatMap { try $0.canonicalBytes() + [UInt8(ascii: "\n")] }
    let signed = try file.attaching(value)
    return try signed.bytes(in: 0..<signed.size)
  }

  static func verify(
    _ archive: [UInt8], _ bundles: [SigstoreBundle] = [], _ keys: [PublicKey],
    _ expectation: Verifier.Expectation<VerifiedModule> = .module(nil, named: "m.zip")
  ) throws -> Verdict<VerifiedModule> {
    let policy = try TrustPolicy(trusting: keys, allowsTestKeys: true)
    return try Verifier(policy: policy, clock: .fixed(time)).verify(
      .bytes(archive), signatures: bundles.isEmpty ? .absent : .bytes(bundles.map { try $0.canonicalBytes() }),
      expecting: expectation)
  }
}
