import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive
@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct DirectoryVerificationTests {
  static let time = UnixTime(seconds: 1_800_000_000)
  let key: PrivateKey
  let folder: TemporaryFolder

  init() throws {
    key = try PrivateKey.generate(.ed25519)
    folder = try TemporaryFolder()
    mkdir(folder.file("plugin"), 0o755)
    mkdir(folder.file("plugin/lib"), 0o755)
    try folder.write("plugin/lib/code", [1, 2, 3], mode: 0o755)
    try folder.write("plugin/help", [4])
    symlink("lib/code", folder.file("plugin/run"))
  }

  private func directory() throws -> Artifact { .directory(try Directory(opening: folder.file("plugin"))) }

  private func signed(_ key: PrivateKey? = nil) throws -> SigstoreBundle {
    try Signer(key ?? self.key).sign(directory(), try Signer.FileClaims(name: "plugin", signedAt: Self.time))
  }

  private func verdict<Proof>(
    _ bundles: [SigstoreBundle], _ artifact: Artifact? = nil, trusting keys: [PublicKey]? = nil,
    expecting expectation: Verifier.Expectation<Proof>
  ) throws -> Verdict<Proof> {
    try Verifier(policy: TrustPolicy(trusting: keys ?? [key.publicKey]), clock: .fixed(Self.time)).verify(
      artifact ?? directory(), signatures: .bytes(bundles.map { try $0.canonicalBytes() }), expecting: expectation)
  }

  private func codes<Proof>(_ verdict: Verdict<Proof>) -> [SignetError.Code] {
    if case .refused(let refusal) = verdict { refusal.reasons.map(\.code) } else { [] }
  }

  @Test("the payload is the canonical listing, and the same directory gives the same bytes")
  func payload() throws {
    let bundle = try signed()
    #expect(try signed().canonicalBytes() == bundle.canonicalBytes())
    #expect(
      String(decoding: bundle.envelope.payload, as: UTF8.self) == """
        {"_type":"https://in-toto.io/Statement/v1","predicate":{"listing":[{"mode":"0644","path":"help","sha256":"e52\
        d9c508c502347344d8c07ad91cbd6068afc75ff6292f062a09ca381c89e71","size":1,"type":"file"},{"mode":"0755","path":\
        "lib","type":"directory"},{"mode":"0755","path":"lib/code","sha256":"039058c6f2c0cb492c533b0a4d14ef77cc0f78ab\
        ccced5287d84a1a2011cfb81","size":3,"type":"file"},{"path":"run","target":"lib/code","type":"symlink"}],"signe\
        dAt":"2027-01-15T08:00:00Z"},"predicateType":"urn:signet:directory:v1","subject":[{"digest":{"sha256":"\(
        try Statement(payload: bundle.envelope.payload).subjectDigest.hex)"},"name":"plugin"}]}
        """)
  }

  @Test("the proof holds the listing, and the steps of a directory are listed")
  func proof() throws {
    let verdict = try verdict([signed()], expecting: .directory(named: "plugin"))
    let proof = try verdict.get()
    #expect(proof.listing.entries.map(\.path) == ["help", "lib", "lib/code", "run"])
    #expect(proof.sha256 == proof.listing.digest)
    #expect(proof.fsverity == nil)
    #expect(proof.artifact.directory != nil)
    #expect(
      verdict.checks.map(\.step.rawValue) == [
        "policy", "presence", "bundle", "signer", "signature", "transparency-log", "timestamps", "statement",
        "predicate-type",
        "name", "contents", "sha256", "freshness", "revocation", "quorum",
      ])
    for check in verdict.checks { if case .failed = check.outcome { Issue.record("\(check)") } }
  }

  @Test("what is missing at the end of a directory is told")
  func missingAtTheEnd() throws {
    let bundle = try signed()
    unlink(folder.file("plugin/run"))
    #expect(codes(try verdict([bundle], expecting: .directory(named: "plugin"))) == [.directoryMissingEntry])
  }

  @Test("of a directory with another name the contents are not looked at, for that reason")
  func otherName() throws {
    let verdict = try verdict([signed()], expecting: .directory(named: "other"))
    #expect(codes(verdict) == [.subjectName])
    let check = try #require(verdict.checks.first { $0.step == .contents })
    guard case .skipped("not looked at: name failed") = check.outcome else {
      Issue.record("\(check.outcome)")
      return
    }
  }

  @Test("bytes come out of a proof only while they are the signed ones")
  func contents() throws {
    let proof = try verdict([signed()], expecting: .directory(named: "plugin")).get()
    #expect(try proof.contents(of: "lib/code") == [1, 2, 3])
    for path in ["lib", "run", "none", "../plugin/help", "lib/../help", ""] {
      expectError(.directoryExtraEntry, "\(path)") { _ = try proof.contents(of: path) }
    }
    try folder.write("plugin/help", [5])
    expectError(.digestMismatch) { _ = try proof.contents(of: "help") }
    try folder.write("plugin/help", [4, 4])
    expectError(.digestMismatch) { _ = try proof.contents(of: "help") }
    rename(folder.file("plugin/lib"), folder.file("elsewhere"))
    symlink("../elsewhere", folder.file("plugin/lib"))
    expectError(.fileMissing) { _ = try proof.contents(of: "lib/code") }
    // The proof is about the directory that was opened, whatever is called so now.
    try folder.write("plugin/help", [4])
    rename(folder.file("plugin"), folder.file("moved"))
    #expect(try proof.contents(of: "help") == [4])
  }

  @Test("every single changed bit of content, payload and signature is refused", .slow)
  func everyBit() throws {
    let bundle = try signed()
    for bit in 0..<24 {
      var bytes: [UInt8] = [1, 2, 3]
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try folder.write("plugin/lib/code", bytes, mode: 0o755)
      #expect(codes(try verdict([bundle], expecting: .directory(named: "plugin"))) == [.digestMismatch])
    }
    try folder.write("plugin/lib/code", [1, 2, 3], mode: 0o755)
    let envelope = bundle.envelope
    for bit in 0..<envelope.payload.count * 8 {
      var payload = envelope.payload
      payload[bit / 8] ^= 1 << UInt8(bit % 8)
      let changed = SigstoreBundle(payload: payload, signature: envelope.signature, key: key.publicKey.id)
      #expect(codes(try verdict([changed], expecting: .directory(named: "plugin"))) == [.signatureInvalid])
    }
  }

  @Test("each kind of artifact needs its kind of expectation, and gives its kind of proof")
  func kinds() throws {
    let bundle = try signed()
    let claims = try Signer.FileClaims(name: "plugin", signedAt: Self.time)
    let file = try Signer(key).sign(.bytes([1]), claims)
    let host = try #require(ModuleIdentifier("com.example.player"))
    let manifest = try Signer(key).sign(
      .bytes(Array("{}".utf8)),
      Signer.HostManifestClaims(name: "plugin", identifier: host, sequence: 1, signedAt: Self.time))
    let bytes = Artifact.bytes([1])
    let hosts = Verifier.Expectation.hostManifest(identifier: host, named: "plugin", leastSequence: 1)
    expectError(.fileIsDirectory) { _ = try verdict([bundle], expecting: .file(named: "plugin")) }
    expectError(.fileIsDirectory) { _ = try verdict([bundle], expecting: hosts) }
    expectError(.fileIsDirectory) {
      _ = try verdict([bundle], expecting: .attestation(PredicateType("https://example.com/p"), about: "plugin"))
    }
    expectError(.fileNotDirectory) { _ = try verdict([bundle], bytes, expecting: .directory(named: "plugin")) }
    for other in [file, manifest] {
      #expect(codes(try verdict([other], expecting: .directory(named: "plugin"))) == [.statementPredicateType])
    }
    #expect(codes(try verdict([bundle], bytes, expecting: .file(named: "plugin"))) == [.statementPredicateType])
    #expect(codes(try verdict([bundle], bytes, expecting: hosts)) == [.statementPredicateType])
    #expect(codes(try verdict([file], bytes, expecting: hosts)) == [.statementPredicateType])
    #expect(
      codes(try verdict([manifest], .bytes(Array("{}".utf8)), expecting: .file(named: "plugin"))) == [
        .statementPredicateType
      ])
    for type in [PredicateType.directory, .hostManifest] {
      #expect(
        codes(try verdict([bundle], bytes, expecting: .attestation(type, about: "plugin"))).first
          == .statementPredicateType)
    }
  }

  @Test("of two bundles over the same listing only one tells the differences")
  func repeated() throws {
    let other = try PrivateKey.generate(.ed25519)
    let first = try signed()
    let second = try Signer(other).addSignature(to: [first], of: directory(), named: "plugin", at: Self.time)
    let keys = [key.publicKey, other.publicKey]
    let good = try verdict([first, second], trusting: keys, expecting: .directory(named: "plugin")).get()
    #expect(good.signatures.map(\.key) == keys)
    for name in 0..<150 { try folder.write("plugin/\(name)", []) }
    unlink(folder.file("plugin/help"))
    let refused = try verdict([first, second], trusting: keys, expecting: .directory(named: "plugin"))
    let told: [SignetError.Code] =
      [.directoryMissingEntry, .directoryMissingEntry] + Array(repeating: .directoryExtraEntry, count: 99)
    #expect(codes(refused) == told + [.directoryMoreDifferences])
    guard case .refused(let refusal) = refused else {
      Issue.record("verified")
      return
    }
    #expect(refusal.reasons.last?.found == "51 more")
    #expect(refusal.reason.object == "plugin/help")
  }

  @Test("what changes between being listed and being compared again is no verdict")
  func changing() throws {
    let listing = try #require(Statement(payload: signed().envelope.payload).directory).listing
    var comparison = DirectoryComparison(try Directory(opening: folder.file("plugin")), nil)
    #expect(try comparison.differences(from: listing).told.isEmpty)
    usleep(20_000)
    try folder.write("plugin/new", [])
    expectError(.fileChanged) { _ = try comparison.differences(from: listing) }
  }

  @Test("what this process has written is not read again while it is the same, and is read once it is not")
  func written() throws {
    let listing = try #require(Statement(payload: signed().envelope.payload).directory).listing
    let directory = try Directory(opening: folder.file("plugin"))
    let status = try directory.file("help").status
    let other = try Digest.of([1], .sha256)
    var comparison = DirectoryComparison(directory, written: [status: other], nil)
    let found = try comparison.differences(from: listing).told
    #expect(found.map(\.path) == ["help"] && found[0].found == "\(other)")
    usleep(20_000)
    utimes(folder.file("plugin/help"), nil)
    comparison = DirectoryComparison(directory, written: [status: other], nil)
    #expect(try comparison.differences(from: listing).told.isEmpty)
  }

  @Test("a directory that gets a file while others are read is not signed")
  func changingWhileSigned() throws {
    // Takes a moment to hash, and no space.
    try folder.write("plugin/large", [])
    #expect(truncate(folder.file("plugin/large"), 256 << 20) == 0)
    let claims = try Signer.FileClaims(name: "plugin", signedAt: Self.time)
    // The thread that adds the file may come too late on a busy machine, but not every time.
    for attempt in 0..<1000 {
      let progress = ProgressCounter()
      let isDone = Monitor(false)
      let path = folder.file("plugin/new\(attempt)")
      let thread = try #require(
        WorkerThread {
          while progress.completed == 0, !isDone.withLock({ $0 }) { usleep(100) }
          mkdir(path, 0o755)
        })
      let result = Result { try Signer(key).sign(directory(), claims, progress: progress) }
      isDone.withLock { $0 = true }
      thread.join()
      guard case .failure(let error) = result else { continue }
      #expect((error as? SignetError)?.code == .fileChanged)
      return
    }
    Issue.record("signed, every time")
  }

  @Test("a directory is not signed by one more when it is not what the others have signed")
  func append() throws {
    let bundle = try signed()
    let other = try Signer(PrivateKey.generate(.p256))
    func refused(_ code: SignetError.Code, _ name: String = "plugin", _ bundles: [SigstoreBundle]? = nil) {
      expectError(code) {
        _ = try other.addSignature(to: bundles ?? [bundle], of: try directory(), named: name, at: Self.time)
      }
    }
    refused(.signingOtherStatement, "other")
    refused(
      .signingOtherStatement, "a",
      [try Signer(key).sign(.bytes([1]), Signer.FileClaims(name: "a", signedAt: Self.time))])
    expectError(.signingOtherStatement) {
      _ = try other.addSignature(to: [bundle], of: .bytes([1]), named: "plugin", at: Self.time)
    }
    chmod(folder.file("plugin/help"), 0o600)
    refused(.directoryModeMismatch)
  }

  @Test("a listing that is too long for a statement is said to be", .slow)
  func tooLong() throws {
    let mode = try #require(FileMode("0755"))
    let long = String(repeating: "x", count: 255)
    let parents = [long, "\(long)/\(long)"].map { DirectoryListing.Entry(path: $0, content: .directory(mode: mode)) }
    let entries = (0..<15_000).map {
      DirectoryListing.Entry(path: "\(long)/\(long)/\(100_000 + $0)", content: .directory(mode: mode))
    }
    let predicate = DirectoryPredicate(
      listing: try DirectoryListing(parents + entries), signedAt: Self.time, notAfter: nil)
    expectError(.envelopePayloadSize) { _ = try Signer(key).sign(Statement(directory: "d", predicate)) }
  }

  @Test("an output does not lie in the directory that is signed, through links either")
  func outside() throws {
    symlink("plugin/lib", folder.file("link"))
    let identity = try Directory(opening: folder.file("plugin")).status.identity
    for path in ["plugin/x", "plugin/lib/x", "link/x", "plugin/./lib/../x"] {
      expectError(.outputIsInput, "\(path)") { try OutputFile.check(folder.file(path), outside: identity) }
    }
    for path in ["x", "plugin", "plugin/../x", "nowhere/x"] {
      try OutputFile.check(folder.file(path), outside: identity)
    }
  }
}

@Suite struct HostManifestTests {
  static let time = UnixTime(seconds: 1_800_000_000)
  let key: PrivateKey
  let host: ModuleIdentifier
  let content = Array(#"{"bundles":[]}"#.utf8)

  init() throws {
    key = try PrivateKey.generate(.ed25519)
    host = try #require(ModuleIdentifier("com.example.player"))
  }

  private func claims(_ sequence: Int) throws -> Signer.HostManifestClaims {
    try Signer.HostManifestClaims(name: "bundle.json", identifier: host, sequence: sequence, signedAt: Self.time)
  }

  @Test("where signatures say different numbers about the same bytes, the least counts")
  func several() throws {
    let bundles = try [7, 5, 6].map { try Signer(key).sign(.bytes(content), claims($0)).canonicalBytes() }
    let verifier = Verifier(policy: try TrustPolicy(trusting: [key.publicKey]), clock: .fixed(Self.time))
    func verdict(_ least: Int) throws -> Verdict<VerifiedHostManifest> {
      try verifier.verify(
        .bytes(content), signatures: .bytes(bundles),
        expecting: .hostManifest(identifier: host, named: "bundle.json", leastSequence: least)
          .establishingBothDigests())
    }
    let proof = try verdict(5).get()
    #expect(proof.sequence == 5)
    #expect(proof.identifier == host)
    #expect(proof.sha256 == (try Digest.of(content, .sha256)))
    #expect(proof.fsverity == (try FSVerityDigest(of: content)))
    guard case .refused(let refusal) = try verdict(6) else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.reasons.map(\.code) == [.policyRollback])
    #expect(
      refusal.checks.filter { $0.object == "bundle 1" }.map(\.step.rawValue) == [
        "bundle", "signer", "signature", "transparency-log", "timestamps", "statement", "predicate-type", "name",
        "identifier", "sequence", "size", "sha256", "freshness", "revocation",
      ])
  }

  @Test("numbers outside 1 to 2^53-1 are no sequence", arguments: [0, -1, 1 << 53, Int.max, Int.min])
  func sequences(sequence: Int) { expectError(.signingSequence) { _ = try claims(sequence) } }

  @Test(
    "only a JSON object is signed as a manifest",
    arguments: ["", "[]", "1", "{", "{}{}", #"{"a":1,"a":2}"#, "\u{feff}{}"])
  func malformed(text: String) throws {
    expectError(.manifestMalformed) { _ = try Signer(key).sign(.bytes(Array(text.utf8)), claims(1)) }
  }

  @Test("more than a mebibyte is no manifest")
  func large() throws {
    let text = Array("{}".utf8) + [UInt8](repeating: 0x20, count: 1 << 20)
    _ = try Signer(key).sign(.bytes(Array(text.prefix(1 << 20))), claims(1))
    expectError(.fileTooLarge) { _ = try Signer(key).sign(.bytes(text), claims(1)) }
  }
}
