import Foundation
import ModuleStore
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import Synchronization
import TestSupport

/// A clock that a test sets.
final class TestClock: Sendable {
  private let seconds: Mutex<Int64>

  init(_ time: UnixTime) { seconds = Mutex(time.seconds) }

  var time: UnixTime {
    get { UnixTime(seconds: seconds.withLock { $0 }) }
    set { seconds.withLock { $0 = newValue.seconds } }
  }

  var clock: VerificationClock { VerificationClock { self.time } }
}

/// A folder with a store, a clock, and modules to install.
final class StoreFixture {
  static let start = UnixTime(seconds: 1_800_000_000)
  static let player = identifier("com.example.player")

  static func identifier(_ text: String) -> ModuleIdentifier {
    guard let identifier = ModuleIdentifier(text) else { preconditionFailure("\(text) is no identifier") }
    return identifier
  }

  let folder: TemporaryFolder
  let clock = TestClock(start)
  let key: PrivateKey

  init(inMemory: Bool = false) throws {
    folder = try TemporaryFolder(inMemory: inMemory)
    key = try PrivateKey.generate(.ed25519)
  }

  var path: String { folder.file("store") }

  /// A policy that trusts these keys, or the fixture's own.
  func policy(
    _ keys: [PublicKey]? = nil, _ change: (inout TrustPolicy.Terms) -> Void = { _ in }
  ) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    change(&terms)
    let entries = try (keys ?? [key.publicKey]).enumerated().map {
      try TrustEntry("key-\($0.offset)", .key($0.element), scope: .everything)
    }
    return try TrustPolicy(entries: entries, terms: terms)
  }

  /// The store, made where there is none.
  func store(_ policy: TrustPolicy? = nil) throws -> ModuleStore {
    try ModuleStore(creating: path, policy: policy ?? self.policy(), clock: clock.clock)
  }

  /// A signed archive.
  struct Release {
    let path: String
    let bundles: [SigstoreBundle]

    /// The proof that a verifier gives for it.
    func verified(_ policy: TrustPolicy, at time: UnixTime = StoreFixture.start) throws -> VerifiedModule {
      try Verifier(policy: policy, clock: .fixed(time)).verify(
        .file(RegularFile(opening: path)), signatures: .bytes(bundles.map { try $0.canonicalBytes() }),
        expecting: .module(nil, named: "m")
      ).get()
    }
  }

  static let files: [String: [UInt8]] = [
    "assets/a": Array("hello".utf8), "assets/deep/er/b": patternBytes(100_000), "assets/empty": [],
  ]

  /// Makes a module, packs and signs it.
  func release(
    _ sequence: Int, _ identifier: ModuleIdentifier = player, files: [String: [UInt8]] = files,
    minimumSequence: Int? = nil, keys: [PrivateKey]? = nil, notAfter: UnixTime? = nil,
    as format: ArchiveFormat = .zip
  ) throws -> Release {
    let source = try TemporaryFolder()
    let description = """
      {"identifier": "\(identifier)", "version": "1.0.\(sequence)", "sequence": \(sequence), "resources": ["assets"]}
      """
    try source.write("module.json", Array(description.utf8))
    for (path, bytes) in files {
      try FileManager.default.createDirectory(
        atPath: (source.file(path) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try source.write(path, bytes)
    }
    chmod(source.file("assets/a"), 0o755)
    symlink("deep/er/b", source.file("assets/link"))
    let path = folder.file("\(UInt64.random(in: 0 ... .max)).\(format)")
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: format)
    return try sign(path, minimumSequence: minimumSequence, keys: keys, notAfter: notAfter)
  }

  /// Signs an archive.
  func sign(
    _ path: String, minimumSequence: Int? = nil, keys: [PrivateKey]? = nil, notAfter: UnixTime? = nil
  ) throws -> Release {
    let archive = Artifact.file(try RegularFile(opening: path))
    var bundles: [SigstoreBundle] = []
    for key in keys ?? [key] {
      let signer = try Signer(key)
      if bundles.isEmpty {
        bundles = [
          try signer.sign(
            module: archive,
            try Signer.ModuleClaims(
              name: "m", minimumSequence: minimumSequence, signedAt: Self.start, notAfter: notAfter))
        ]
      } else {
        bundles.append(try signer.addSignature(to: bundles, ofModule: archive, named: "m", at: Self.start))
      }
    }
    return Release(path: path, bundles: bundles)
  }

  /// Makes, verifies and installs a release.
  @discardableResult
  func install(
    _ sequence: Int, of identifier: ModuleIdentifier = player, minimumSequence: Int? = nil
  ) throws -> InstalledModule {
    try store().install(try release(sequence, identifier, minimumSequence: minimumSequence).verified(policy()))
  }

  /// The place of a release.
  func place(of installed: InstalledModule) -> String {
    "\(path)/modules/\(installed.module.identifier)/\(installed.sequence)-\(installed.sha256.hex)"
  }

  /// Sequences of what is installed as it was signed.
  func installed(_ policy: TrustPolicy? = nil) throws -> [Int] { try store(policy).installed().map(\.sequence) }

  /// Every path below the store, with the permissions and, for files, the bytes.
  func tree() throws -> [String: String] {
    var tree: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var status = stat()
      lstat(path + "/" + name, &status)
      let bytes = status.st_mode & S_IFMT == S_IFREG ? try Data(contentsOf: URL(filePath: path + "/" + name)) : Data()
      tree[name] = "\(String(status.st_mode, radix: 8)) \(Digest.text(bytes))"
    }
    return tree
  }

  /// The state's text.
  var state: String {
    get { String(decoding: FileManager.default.contents(atPath: path + "/state.json") ?? Data(), as: UTF8.self) }
    set {
      _ = FileManager.default.createFile(atPath: path + "/state.json", contents: Data(newValue.utf8))
      chmod(path + "/state.json", 0o644)
    }
  }
}

extension Digest {
  fileprivate static func text(_ bytes: Data) -> String { (try? Digest.of(Array(bytes), .sha256).hex) ?? "" }
}
