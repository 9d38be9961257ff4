internal import Signet
internal import SignetCrypto
import SignetSystem

/// As many bundles as one artifact may have, all by somebody trusted, and none about what the artifact holds: its content
/// is read once for all of them.
enum BundleCases {
  private static let count = SignatureSource.bundleLimit
  /// Once; the rest is for reading the bundles themselves and for the machine. Twice would be more.
  private static let budget = 1.2
  private static let size = 256 << 20
  private static let file = "bundled.bin"
  private static let directory = TestDirectory(
    name: "bundled", folderSize: 32, sizes: Array(repeating: size / 32, count: 32))
  /// The file in which the directory is not what its bundles say.
  private static let changed = "bundled/0/0.bin"

  static func measure(_ options: Options) throws -> [Comparison] {
    StandardStream.error.write("making a file and a directory with \(count) bundles each\n")
    let key = try PrivateKey.generate(.ed25519)
    try TestFile.make(file, size: size)
    try directory.make()
    let ofFile = try bundles(of: file, changing: file, key) { .file(try RegularFile(opening: file)) }
    let ofDirectory = try bundles(of: directory.name, changing: changed, key) {
      .directory(try Directory(opening: directory.name))
    }
    let (title, end) = ("refuse \(Text.size(size))", "for \(count) bundles")
    let (plain, revoking) = (try policy(key, revokes: false), try policy(key, revokes: true))
    return try [
      compare("\(title) \(end)", ofFile, plain, fileVerdict),
      compare("\(title) \(end), with a policy that revokes digests", ofFile, revoking, fileVerdict),
      compare("\(title) in \(directory.count) files \(end)", ofDirectory, plain, directoryVerdict),
    ].map { try $0.run(rounds: options.rounds, of: 1, patience: options.patience) }
  }

  /// Bundles over the artifact as it was when the first byte of a file in it was 0, 1 and so on; now it is another.
  private static func bundles(
    of name: String, changing path: String, _ key: PrivateKey, _ open: () throws -> Artifact
  ) throws -> [[UInt8]] {
    let claims = try Signer.FileClaims(name: name, signedAt: UnixTime(seconds: Clock.sinceEpoch))
    let bundles = try (0..<count).map { number in
      try Interruption.check()
      try TestFile.change(path, to: UInt8(number))
      return try Signer(key).sign(open(), claims).canonicalBytes()
    }
    try TestFile.change(path, to: UInt8.max)
    _ = try ChildProcess.run(Command("sync"))
    return bundles
  }

  /// A policy that revokes the digest of something else has both digests of each file computed.
  private static func policy(_ key: PrivateKey, revokes: Bool) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    if revokes { terms.revocations = [Revocation(.sha256(try Digest.of([0], .sha256)), reason: "benchmark")] }
    return try TrustPolicy(
      entries: [TrustEntry("bench", .key(key.publicKey), scope: .everything)], terms: terms)
  }

  private static func compare(
    _ title: String, _ bundles: [[UInt8]], _ policy: TrustPolicy,
    _ verdict: @escaping (Verifier, SignatureSource) throws -> Refusal?
  ) -> Comparison {
    let verifier = Verifier(policy: policy, clock: .system)
    func contender(_ bundles: [[UInt8]]) -> Contender {
      Contender("Verifier.verify, \(bundles.count == 1 ? "1 bundle" : "\(bundles.count) bundles")", calls: 1) {
        // A reason for each digest of each bundle: all were compared with the content.
        guard let refusal = try verdict(verifier, .bytes(bundles)), refusal.reasons.count >= bundles.count,
          refusal.reasons.allSatisfy({ $0.code == .digestMismatch })
        else { throw BenchFailure(message: "\(title): another verdict than was expected") }
      }
    }
    return Comparison(
      title, contender(bundles), against: contender(Array(bundles.prefix(1))), budget: budget,
      note: "each bundle signs other content")
  }

  private static func fileVerdict(_ verifier: Verifier, _ bundles: SignatureSource) throws -> Refusal? {
    refusal(
      try verifier.verify(
        .file(RegularFile(opening: file)), signatures: bundles, expecting: .file(named: file)))
  }

  private static func directoryVerdict(_ verifier: Verifier, _ bundles: SignatureSource) throws -> Refusal? {
    refusal(
      try verifier.verify(
        .directory(Directory(opening: directory.name)), signatures: bundles,
        expecting: .directory(named: directory.name)))
  }

  private static func refusal<Proof>(_ verdict: Verdict<Proof>) -> Refusal? {
    if case .refused(let refusal) = verdict { refusal } else { nil }
  }
}
