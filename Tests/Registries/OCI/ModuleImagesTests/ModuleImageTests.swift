import Foundation
import ModuleImages
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import OCITestSupport
@testable import RegistryTestSupport
@testable import SignetOCI

/// Modules in registries and layouts.
@Suite("modules in registries", .serialized) struct ModuleImageTests {
  private let folder: TemporaryFolder
  private let key: PrivateKey
  private let other: PrivateKey

  init() throws {
    folder = try TemporaryFolder()
    key = try PrivateKey.generate(.ed25519)
    other = try PrivateKey.generate(.ed25519)
  }

  private static let time = UnixTime(seconds: 1_800_000_000)

  /// Packs and signs a module.
  private func module(
    _ name: String = "m.zip", sequence: Int = 1, content: String = "hello", by signer: PrivateKey? = nil,
    attached: Bool = false
  ) throws -> String {
    let source = try TemporaryFolder()
    try source.write(
      "module.json",
      Array(
        #"{"identifier":"com.example.player","version":"1.0.\#(sequence)","sequence":\#(sequence),"resources":["a"]}"#
          .utf8))
    try source.write("a", Array(content.utf8))
    let path = folder.file(name)
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    let bundle = try Signer(signer ?? key).sign(
      module: .file(RegularFile(opening: path)),
      try Signer.ModuleClaims(name: "m.zip", minimumSequence: nil, signedAt: Self.time, notAfter: nil))
    guard attached else {
      try folder.write("\(name).sigstore.json", bundle.canonicalBytes())
      return path
    }
    let archive = try AttachedArchive.attaching([bundle], to: .file(RegularFile(opening: path)), at: Self.time)
    try archive.write(to: folder.file("a-\(name)"))
    return folder.file("a-\(name)")
  }

  private func verifier(_ keys: PrivateKey...) throws -> Verifier {
    Verifier(policy: try TrustPolicy(trusting: keys.map(\.publicKey)), clock: .fixed(Self.time))
  }

  private func layout(_ name: String = "layout") throws -> OCILayout {
    try OCILayout(folder.file(name), isMade: true)
  }

  /// Pulls a module.
  private func pull(
    _ name: ManifestName = .tag("1"), from storage: any OCIStorage, _ verifier: Verifier,
    as identifier: String? = nil
  ) throws -> (verdict: Verdict<VerifiedModule>, bundles: [[UInt8]], bytes: [UInt8], complaints: [SignetError]) {
    let pull = try ModulePull(name, in: storage)
    var bytes: [UInt8] = []
    try pull.read { (piece) throws(SignetError) in bytes += piece }
    var complaints: [SignetError] = []
    let (verdict, bundles) = try pull.verify(
      BytesInMemory(bytes, path: "it"), by: verifier, as: identifier.flatMap { ModuleIdentifier($0) }
    ) { complaints.append($0) }
    return (verdict, bundles, bytes, complaints)
  }

  private func code<Proof>(_ verdict: Verdict<Proof>) -> String {
    switch verdict {
    case .verified: "verified"
    case .refused(let refusal): "\(refusal.combined.code)"
    }
  }

  @Test("a module comes back as it was pushed, with its bundle inside or beside", arguments: [true, false])
  func roundTrip(_ attached: Bool) throws {
    let path = try module(attached: attached)
    let layout = try layout()
    let image = try ModuleImage(path, .policy(verifier(key)))
    try image.push(to: layout, tag: "1")
    #expect(image.referrers.count == 1)
    let pulled = try pull(from: layout, verifier(key))
    #expect(code(pulled.verdict) == "verified")
    #expect(try pulled.bytes == RegularFile(opening: path).bytes(limit: 1 << 20))
    // What is inside needs no file beside it.
    #expect(pulled.bundles.count == (attached ? 0 : 1))
    if !attached { #expect(try pulled.bundles == [folder.read("m.zip.sigstore.json")]) }
    #expect(pulled.complaints.isEmpty)
    #expect(try code(pull(from: layout, verifier(other)).verdict) == "signer.untrusted")
    #expect(
      try code(pull(from: layout, verifier(key), as: "com.example.other").verdict) == "module.identifier-mismatch")
  }

  @Test("the manifests have the forms that others look for, and are the same each time")
  func forms() throws {
    let path = try module()
    let (one, two) = (try layout("one"), try layout("two"))
    let signer = try Signer(key)
    let image = try ModuleImage(path, .statementsOnly, signer: signer)
    try image.push(to: one, tag: "1")
    try ModuleImage(path, .statementsOnly, signer: signer).push(to: two, tag: "1")
    #expect(try folder.read("one/index.json") == folder.read("two/index.json"))
    let text = String(decoding: image.manifest.bytes, as: UTF8.self)
    #expect(text.contains(#""artifactType":"application/vnd.signet.module.v1""#))
    #expect(text.contains(#""org.opencontainers.image.title":"com.example.player-1.0.1.zip""#))
    #expect(text.contains(#""mediaType":"application/zip""#))
    #expect(text.contains(#""org.opencontainers.image.created":"2027-01-15T08:00:00Z""#))
    let bundles = try one.referrers(of: image.manifest.digest).map { try one.existing(.digest($0.digest)) }
    #expect(bundles.count == 2)
    #expect(bundles.allSatisfy { $0.descriptor.artifactType == "application/vnd.dev.sigstore.bundle.v0.3+json" })
    #expect(
      Set(bundles.compactMap { $0.annotations["dev.sigstore.bundle.predicateType"] })
        == ["urn:signet:module:v1", "https://sigstore.dev/cosign/sign/v1"])
    #expect(bundles.allSatisfy { $0.annotations["dev.sigstore.bundle.content"] == "dsse-envelope" })
    #expect(bundles.allSatisfy { $0.subject?.digest == image.manifest.digest })
    // The second statement is about the manifest, and is no bundle of the module.
    let second = try #require(
      bundles.first { $0.annotations["dev.sigstore.bundle.predicateType"] == "https://sigstore.dev/cosign/sign/v1" })
    let bundle = try SigstoreBundle(json: one.whole(#require(second.blobs.last)))
    let statement = try Statement(payload: bundle.envelope.payload)
    #expect(statement.subjectDigest == image.manifest.digest)
    #expect(try pull(from: one, verifier(key)).bundles.count == 1)
  }

  @Test("what is not signed, or is signed otherwise, is not pushed")
  func refusals() throws {
    let unsigned = try module("u.zip")
    try FileManager.default.removeItem(atPath: unsigned + ".sigstore.json")
    expectError(.signatureMissing) { _ = try ModuleImage(unsigned, .statementsOnly) }
    expectError(.signatureMissing) { _ = try ModuleImage(unsigned, .policy(verifier(key))) }
    let path = try module()
    expectError(.signerUntrusted) { _ = try ModuleImage(path, .policy(verifier(other))) }
    let second = try module("n.zip", content: "other")
    try folder.write("n.zip.sigstore.json", folder.read("m.zip.sigstore.json"))
    expectError(.digestMismatch) { _ = try ModuleImage(second, .statementsOnly) }
    expectError(.digestMismatch) { _ = try ModuleImage(second, .policy(verifier(key))) }
    try folder.write("m.zip.sigstore.json", Array("{".utf8))
    expectError(.signatureMalformed) { _ = try ModuleImage(path, .statementsOnly) }
    let file = try folder.write("f", Array("text".utf8))
    let bundle = try Signer(key).sign(
      .file(RegularFile(opening: file)), Signer.FileClaims(name: "f", signedAt: Self.time, notAfter: nil))
    try folder.write("f.sigstore.json", bundle.canonicalBytes())
    expectError(.archiveFormat) { _ = try ModuleImage(file, .statementsOnly) }
  }

  @Test("hidden bundles are a missing signature, and one of another module is no help")
  func hidden() throws {
    let path = try module()
    let layout = try layout()
    let image = try ModuleImage(path, .statementsOnly)
    try layout.put(OCIManifest.emptyConfig().descriptor, .file(BytesInMemory(Array("{}".utf8), path: "e")))
    for layer in image.manifest.blobs.dropFirst() {
      try layout.put(layer, .file(RegularFile(opening: path)))
    }
    try layout.put(image.manifest, tag: "1")
    #expect(try code(pull(from: layout, verifier(key)).verdict) == "signature.missing")
    // A good bundle of another release.
    let foreign = try ModuleImage(module("n.zip", sequence: 2), .statementsOnly)
    let text = try folder.read("n.zip.sigstore.json")
    try add(text, about: image.manifest, to: layout)
    #expect(try code(pull(from: layout, verifier(key)).verdict) == "signature.missing")
    #expect(foreign.module.sequence == 2)
  }

  /// Adds something that looks like a bundle of a manifest.
  private func add(
    _ text: [UInt8], about subject: OCIManifest, to storage: any OCIStorage, type: String = MediaType.bundle
  ) throws {
    let blob = try Blob(text, type)
    try storage.put(blob.descriptor, blob.feed)
    try storage.put(OCIManifest(MediaType.bundle, layers: [blob.descriptor], subject: subject.descriptor), tag: nil)
  }

  /// A bundle with a signature that nobody has made.
  private func envelope(_ payload: [UInt8], by key: PublicKey? = nil, _ filler: UInt8 = 7) -> [UInt8] {
    let signature = Base64.encode(Array(repeating: filler, count: 64))
    let hint = key.map { "\($0.id)" } ?? ""
    return Array(
      #"{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","verificationMaterial":{"publicKey":{"hint":"\#(hint)"},"tlogEntries":[]},"dsseEnvelope":{"payload":"\#(Base64.encode(payload))","payloadType":"application/vnd.in-toto+json","signatures":[{"sig":"\#(signature)","keyid":"\#(hint)"}]}}"#
        .utf8)
  }

  @Test("strangers who add bundles do not keep a module from its users")
  func strangers() throws {
    let path = try module()
    let layout = try layout()
    let image = try ModuleImage(path, .statementsOnly)
    try image.push(to: layout, tag: "1")
    try add(Array("{".utf8), about: image.manifest, to: layout)
    try add(Array("{}".utf8), about: image.manifest, to: layout)
    try add(Array(#"{"a":1}"#.utf8), about: image.manifest, to: layout, type: "text/plain")
    try layout.putImage("not a bundle", about: image.manifest)
    // A statement of Signet's own type that is wrong, and the module's with a signature that is not its key's.
    let wrong =
      #"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"x","digest":{"sha256":"00"}}],"predicateType":"urn:signet:directory:v1","predicate":{"listing":[{"path":"../x"}]}}"#
    try add(envelope(Array(wrong.utf8)), about: image.manifest, to: layout)
    let good = try SigstoreBundle(json: folder.read("m.zip.sigstore.json"))
    for number in 0..<20 {
      try add(envelope(good.envelope.payload, by: key.publicKey, UInt8(number)), about: image.manifest, to: layout)
    }
    let stranger = try Signer(other).sign(
      .object(), of: PredicateType("https://example.com/praise"), about: "m", digests: [image.manifest.digest])
    try add(stranger.canonicalBytes(), about: image.manifest, to: layout)
    let pulled = try pull(from: layout, verifier(key))
    #expect(code(pulled.verdict) == "verified")
    #expect(pulled.bundles.count == 1)
    let codes = pulled.complaints.map { "\($0.code)" }
    #expect(codes.count { $0 == "signature.malformed" } == 3)
    #expect(codes.count { $0 == "signature.invalid" } == 20)
    #expect(codes.count { $0 == "oci.document" } == 1)
    #expect(codes.count == 24)
    // A second signer's bundle counts.
    let addition = try Signer(other).addSignature(
      to: [SigstoreBundle(json: folder.read("m.zip.sigstore.json"))], ofModule: .file(RegularFile(opening: path)),
      named: "m.zip", at: Self.time)
    try add(addition.canonicalBytes(), about: image.manifest, to: layout)
    #expect(try pull(from: layout, verifier(key, other)).bundles.count == 2)
  }

  @Test("a flood of bundles costs a bounded number of requests, and is told")
  func flood() throws {
    let path = try module()
    let layout = try layout()
    let image = try ModuleImage(path, .statementsOnly)
    try image.push(to: layout, tag: "1")
    for number in 0..<80 { try add(Array("{\"n\":\(number)}".utf8), about: image.manifest, to: layout) }
    let pulled = try pull(from: layout, verifier(key))
    #expect(pulled.complaints.first?.code == .ociBounds)
    #expect(pulled.complaints.count <= 65)
    // Those that say that they are about a module come first.
    #expect(code(pulled.verdict) == "verified")
  }

  @Test("an archive that would be larger than a module may be is not fetched")
  func tooLarge() throws {
    let layout = try layout()
    let layer = OCIDescriptor("application/zip", try Digest.of([1], .sha256), size: 1 << 52)
    try layout.put(OCIManifest(ModuleImage.artifactType, layers: [layer]), tag: "1")
    expectError(.ociBounds) { _ = try ModulePull(.tag("1"), in: layout) }
  }

  @Test(
    "a module goes through a real registry, with its bundle beside it or inside",
    .enabled(if: DebianRegistry.program != nil, DebianRegistry.isMissing), arguments: [true, false])
  func registry(_ attached: Bool) throws {
    let path = try module(attached: attached)
    let registry = try DebianRegistry()
    let image = try ModuleImage(path, .policy(verifier(key)), signer: Signer(key))
    try image.push(to: registry.client(), tag: "1.0.1")
    let pulled = try pull(.tag("1.0.1"), from: registry.client(), verifier(key))
    #expect(code(pulled.verdict) == "verified")
    #expect(try pulled.bytes == RegularFile(opening: path).bytes(limit: 1 << 20))
    #expect(pulled.bundles.count == (attached ? 0 : 1))
    #expect(try registry.client().referrers(of: image.manifest.digest).count == 2)
  }

  @Test("a tag that moved gives what is there, which is verified like anything else")
  func moved() throws {
    let layout = try layout()
    let old = try ModuleImage(module("o.zip", sequence: 1), .statementsOnly)
    try old.push(to: layout, tag: "1")
    try ModuleImage(module("p.zip", sequence: 2, by: other), .statementsOnly).push(to: layout, tag: "1")
    #expect(try code(pull(from: layout, verifier(key)).verdict) == "signer.untrusted")
    #expect(try code(pull(.digest(old.manifest.digest), from: layout, verifier(key)).verdict) == "verified")
  }

  @Test("a changed archive is refused, whatever the manifest says of it")
  func swapped() throws {
    let path = try module()
    let layout = try layout()
    let image = try ModuleImage(path, .statementsOnly)
    try image.push(to: layout, tag: "1")
    let evil = try Blob(
      RegularFile(opening: module("e.zip", content: "evil")).bytes(limit: 1 << 20), "application/zip")
    try layout.put(evil.descriptor, evil.feed)
    let manifest = try OCIManifest(ModuleImage.artifactType, layers: [evil.descriptor])
    try layout.put(manifest, tag: "1")
    try add(folder.read("m.zip.sigstore.json"), about: manifest, to: layout)
    #expect(try code(pull(from: layout, verifier(key)).verdict) == "signature.missing")
  }

  @Test("an entry that is lost while a module is pushed is put there again")
  func lostWhilePushed() throws {
    let wipes = Counter()
    let stub = try StubRegistry(listsReferrers: false) { request, stub in
      // When the tag is set, somebody else has overwritten the list.
      guard request.line.hasPrefix("PUT /v2/a/b/manifests/1 "), wipes.isBelow(1) else { return nil }
      wipes.count()
      stub.state { state in
        for tag in state.tags.keys where ManifestName.isReferrersTag(tag) { state.tags[tag] = nil }
      }
      return nil
    }
    let image = try ModuleImage(module(), .statementsOnly)
    try image.push(to: stub.client(), tag: "1")
    #expect(wipes.value == 1)
    #expect(try stub.client().referrers(of: image.manifest.digest).count == 1)
  }

  @Test("what carries no module is told before anything is downloaded")
  func noModule() throws {
    let layout = try layout()
    let one = try layout.putImage("text", tag: "text")
    #expect(try code(pull(.tag("text"), from: layout, verifier(key)).verdict) == "archive.format")
    try layout.put(OCIManifest(index: [one.descriptor]), tag: "list")
    expectError(.ociNotModule) { _ = try ModulePull(.tag("list"), in: layout) }
    try layout.put(OCIManifest("a/b", layers: [one.blobs[1], one.blobs[1]]), tag: "two")
    expectError(.ociNotModule) { _ = try ModulePull(.tag("two"), in: layout) }
    expectError(.ociNotFound) { _ = try ModulePull(.tag("none"), in: layout) }
  }
}
