import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ModuleInstaller
@testable import ModuleResolver
@testable import ModuleSpec
@testable import RegistryTestSupport

/// A repository of specs in memory, to which strangers have added some.
@Suite struct SpecOffersTests {
  private let publisher: PrivateKey
  private let stranger: PrivateKey
  private let policy: TrustPolicy
  private let source: ModuleSource

  init() throws {
    publisher = try PrivateKey.generate(.ed25519)
    stranger = try PrivateKey.generate(.ed25519)
    let pattern = try #require(ModulePattern("com.example.**"))
    policy = try TrustPolicy(
      entries: [
        TrustEntry("publisher", .key(publisher.publicKey), scope: TrustScope(modules: [pattern])),
        TrustEntry(
          "stranger", .key(stranger.publicKey), scope: TrustScope(modules: [#require(ModulePattern("org.other.**"))])),
      ], terms: TrustPolicy.Terms())
    source = try ModuleSource(
      name: #require(ModfileName("design")), .specs, url: "https://example.com/specs.git",
      modules: [#require(ModulePattern("**"))])
  }

  /// A spec, and who has signed it.
  private struct Added {
    let name: String
    let version: String
    let identifier: String
    var sequence = 1
    var fields = ""
    var key: PrivateKey?

    var text: [UInt8] {
      Array(
        """
        {"name":"\(name)","version":"\(version)","identifier":"\(identifier)","sequence":\(sequence),
         "source":{"git":"https://example.com/x.git","commit":"\(String(repeating: "7", count: 40))"}\(fields)}
        """.utf8)
    }
  }

  private func offers(_ specs: [Added], _ complain: (SignetError) -> Void = { _ in }) throws -> SpecOffers {
    var files: [[UInt8]: [UInt8]] = [:]
    for spec in specs {
      let path = "\(spec.name)/\(spec.version)/\(spec.name).modspec.json"
      files[Array(path.utf8)] = spec.text
      guard let key = spec.key else { continue }
      let bundle = try Signer(key).sign(
        .bytes(spec.text), Signer.FileClaims(name: "\(spec.name).modspec.json", signedAt: RegistryFixture.now))
      files[Array("\(path).sigstore.json".utf8)] = try bundle.canonicalBytes()
    }
    let items = files.map { SpecTree.Item(path: $0.key, kind: .file(size: $0.value.count)) }
    let tree = try SpecTree(items, of: "design") { (paths) throws(SignetError) in paths.compactMap { files[$0] } }
    return try SpecOffers(tree, of: source, verifiedBy: Verifier(policy: policy, clock: .system), complain)
  }

  private func codec(_ version: String, _ sequence: Int = 1, _ fields: String = "", by key: PrivateKey?) -> Added {
    Added(
      name: "Codec", version: version, identifier: "com.example.codec", sequence: sequence, fields: fields, key: key)
  }

  private func candidates(
    _ offers: SpecOffers, _ module: String = "com.example.codec", locked: LockedModule? = nil
  ) throws -> (versions: [String], complaints: [SignetError]) {
    var complaints: [SignetError] = []
    let found = try offers.candidates(of: #require(ModuleIdentifier(module)), locked: locked) {
      complaints.append($0)
    }
    return (found.map { "\($0.version)" }.sorted(), complaints)
  }

  @Test("specs with a victim's identifier that its signers have not signed are left out, with one warning")
  func unsigned() throws {
    let offers = try offers([
      codec("1.0.0", by: publisher), codec("9.0.0", 9, by: nil),
      Added(name: "Evil", version: "9.1.0", identifier: "com.example.codec", key: stranger),
    ])
    let (versions, complaints) = try candidates(offers)
    #expect(versions == ["1.0.0"])
    #expect(complaints.map(\.code) == [.specRepositoryUnverified])
    #expect(complaints.first?.object == "design/Evil/9.1.0/Evil.modspec.json")
    #expect(complaints.first?.found == "also 9.0.0 [signature.missing]")
    #expect(
      complaints.first?.hint
        == "ask the publisher who signs it, and the policy's owner whom it should trust; until then the release is left out"
    )
  }

  @Test("releases that are left out and older than one that can be installed are told in one line")
  func old() throws {
    let offers = try offers(
      (1...30).map { codec("1.0.\($0)", $0, by: stranger) } + [
        codec("2.0.0", 40, by: publisher), codec("2.1.0-beta", 41, by: publisher), codec("2.0.1", 42, by: nil),
        codec("1.9.0", 39, #","platforms":[{"name":"ios"}]"#, by: publisher),
      ])
    var leftOut: [SpecOffers.LeftOut] = []
    var complaints: [SignetError] = []
    let found = try offers.candidates(of: #require(ModuleIdentifier("com.example.codec"))) {
      complaints.append($0)
    } leavingOut: {
      leftOut.append($0)
    }
    #expect(found.count == 2)
    // A pre-release is chosen by nobody who has not asked for it, so 2.0.1 would have been the newest.
    #expect(complaints.map(\.code) == [.specRepositoryUnverified, .specRepositoryUnverified])
    #expect(complaints.first?.object == "design/Codec/2.0.1/Codec.modspec.json" && complaints.first?.found == nil)
    let last = try #require(complaints.last)
    #expect(last.object == "com.example.codec" && last.cause == nil && last.hint == nil)
    #expect(last.message == "has 30 older releases that are left out: 1.0.1 to 1.0.30")
    // What is for other systems is told to nobody, and remembered for those who find nothing else.
    #expect(
      leftOut.prefix(2).map(\.error.code) == [.specRepositoryUnverified, .installPlatform] && leftOut.count == 32)
  }

  @Test("a locked release stays offered, so that the installation says why it is refused")
  func locked() throws {
    let bad = codec("1.0.0", by: nil)
    let offers = try offers([bad, codec("0.9.0", by: publisher)])
    let identifier = try #require(ModuleIdentifier("com.example.codec"))
    func module(_ digest: Digest) throws -> LockedModule {
      let release = try #require(
        SpecifiedRelease(
          spec: digest,
          commit: GitCommit(repository: "https://example.com/x.git", id: String(repeating: "7", count: 40))))
      return try LockedModule(
        identifier, version: #require(SemanticVersion("1.0.0")), sequence: 1,
        origin: .source(LockedModule.Served(source: source.name, spec: release)), requirements: [])
    }
    let same = try module(Digest.of(bad.text, .sha256))
    #expect(try candidates(offers, locked: same).versions == ["0.9.0", "1.0.0"])
    // One that was changed is offered, too: the resolution compares it with the lock.
    #expect(try candidates(offers, locked: module(Digest.of([1], .sha256))).versions == ["0.9.0", "1.0.0"])
    #expect(try candidates(offers).versions == ["0.9.0"])
  }

  @Test("a name that an unsigned spec gives to another module stands for what its signers say")
  func disputed() throws {
    let player = Added(
      name: "Player", version: "1.0.0", identifier: "com.example.player",
      fields: #","dependencies":[{"name":"Codec","versions":">=1.0.0"}]"#, key: publisher)
    let hijack = Added(name: "Codec", version: "9.0.0", identifier: "com.example.coder")
    var complaints: [SignetError] = []
    let offers = try offers([codec("1.0.0", by: publisher), player, hijack]) { complaints.append($0) }
    #expect(complaints.map(\.object) == ["design/Codec/9.0.0/Codec.modspec.json"])
    let identifier = try #require(ModuleIdentifier("com.example.player"))
    let found = offers.candidates(of: identifier) { complaints.append($0) }
    #expect(found.first?.requirements.map(\.description) == ["com.example.codec >=1.0.0"] && complaints.count == 1)
    // Two modules that are both signed: the name stands for neither, and all else is offered.
    let other = Added(name: "Codec", version: "9.0.0", identifier: "org.other.codec", key: stranger)
    let both = try self.offers([codec("1.0.0", by: publisher), player, other])
    #expect(try candidates(both).versions == ["1.0.0"] && candidates(both, "org.other.codec").versions == ["9.0.0"])
    let (versions, reasons) = try candidates(both, "com.example.player")
    #expect(versions.isEmpty && reasons.map(\.code) == [.installSpec])
    #expect(reasons.first?.found == "Codec for com.example.codec and org.other.codec")
  }

  @Test(
    "a release that cannot be installed is left out with a warning that names it, and the others stay",
    arguments: [
      ("1.1.0", #","dependencies":[{"name":"Codec"}]"#),
      ("1.1.0", #","dependencies":[{"name":"com.example.codec"}]"#),
      ("1.1.0", #","dependencies":[{"name":"com.example.a"},{"name":"A"}]"#), ("1.0.0+b", ""),
      ("1.1.0", binary("oci-layout:/etc")), ("1.1.0", binary("file:///etc/passwd")),
      ("1.1.0", binary("https://user:password@example.com/x.zip")), ("1.1.0", binary("/etc/passwd")),
    ])
  func left(version: String, fields: String) throws {
    let offers = try offers([
      codec("1.0.0", by: publisher), codec(version, 2, fields, by: publisher),
      Added(name: "A", version: "1.0.0", identifier: "com.example.a", key: publisher),
    ])
    let (versions, complaints) = try candidates(offers)
    #expect(versions == ["1.0.0"])
    #expect(complaints.map(\.code) == [.installSpec] && complaints.first?.object == "Codec \(version)")
  }

  private static func binary(_ url: String) -> String {
    #","binary":{"url":"\#(url)","sha256":"\#(String(repeating: "0", count: 64))"}"#
  }

  @Test("what a module requires must be what was chosen: the module, its version, and the host")
  func unmet() throws {
    let codec = try LockedModule(
      #require(ModuleIdentifier("com.example.codec")), version: #require(SemanticVersion("1.2.0")), sequence: 1,
      origin: .override(.path(FolderPath("codec"))), requirements: [])
    let modfile = try Modfile(Array("host '1.4.0'\n".utf8))
    let chosen = try ChosenReleases(modfile: modfile, lock: ModuleLock([codec]))
    func check(_ requires: String) throws {
      let text =
        #"{"identifier":"com.example.p","version":"1.0.0","sequence":1,"resources":["a"],"requires":{\#(requires)}}"#
      try chosen.check(ModuleDescription(json: Array(text.utf8)), called: "p")
    }
    let module = { (name: String, range: String) in
      #""modules":[{"identifier":"com.example.\#(name)","versions":"\#(range)"}]"#
    }
    try check(module("codec", ">=1.0.0 <2.0.0") + #","host":">=1.0.0""#)
    let version = expectError(.installUnmet) { try check(module("codec", ">=2.0.0")) }
    #expect(version?.expected == "com.example.codec >=2.0.0" && version?.found == "com.example.codec 1.2.0")
    let missing = expectError(.installUnmet) { try check(module("other", ">=1.0.0")) }
    #expect(missing?.found == "no com.example.other")
    let host = expectError(.installUnmet) { try check(#""host":">=2.0.0""#) }
    #expect(host?.expected == "host >=2.0.0" && host?.found == "host 1.4.0")
  }
}
