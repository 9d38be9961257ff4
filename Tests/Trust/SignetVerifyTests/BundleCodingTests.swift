import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct BundleCodingTests {
  @Test("whatever bundle is accepted reads back from its canonical text as the same text")
  func fixpoint() throws {
    var seen = 0
    for vector in try BundleVectorTests.vectors() where vector.name.hasPrefix("accepted") {
      let file = vector.inputs["plugin.bin.sigstore.json"] ?? []
      guard let bundle = try? SigstoreBundle(json: file) else { continue }
      let canonical = try bundle.canonicalBytes()
      #expect(try SigstoreBundle(json: canonical).canonicalBytes() == canonical, "\(vector.name)")
      #expect(canonical.allSatisfy { (0x20..<0x7f).contains($0) })
      seen += 1
    }
    #expect(seen >= 10)
  }

  @Test("the canonical text is the documented one")
  func text() throws {
    let id = try PrivateKey.generate(.ed25519).publicKey.id
    let bundle = SigstoreBundle(payload: Array("{}".utf8), signature: [1, 2], key: id)
    #expect(
      String(decoding: try bundle.canonicalBytes(), as: UTF8.self) == """
        {"dsseEnvelope":{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[{"keyid":"\(id)",\
        "sig":"AQI="}]},"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","verificationMaterial":{"publicKey"\
        :{"hint":"\(id)"},"tlogEntries":[]}}
        """)
  }

  @Test("an attached bundle is its canonical text, and no other text of the same bundle")
  func canonicalText() throws {
    let bundle = try Signer(PrivateKey.generate(.ed25519)).sign(
      .bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
    let text = try bundle.canonicalBytes()
    try bundle.check(isCanonical: text)
    for other in [text + [0x20], text + [0x0a], [0x20] + text, text.dropLast() + [0x20, 0x7d]] {
      expectError(.signatureMalformed) { try bundle.check(isCanonical: Array(other)) }
    }
  }

  @Test("a file of bundles is named after its artifact")
  func fileNames() {
    #expect(BundleFile.artifact(of: "x/a.zip.sigstore.json") == "x/a.zip")
    #expect(BundleFile.artifact(of: "a.sigstore.jsonl") == "a")
    for path in [".sigstore.json", "x/.sigstore.json", "a.sigstore.jso", "a.json", "sigstore.json"] {
      #expect(BundleFile.artifact(of: path) == nil, "\(path)")
    }
  }

  @Test("a hint has up to 1024 bytes")
  func hints() throws {
    func read(_ count: Int) throws -> Int {
      let envelope = Envelope(payload: [1], signature: [1], keyID: String(repeating: "k", count: count))
      let bundle = SigstoreBundle(
        envelope: envelope, material: .publicKey(hint: ""), logEntries: [], timestamps: [], mediaType: .v03)
      return try SigstoreBundle(json: bundle.canonicalBytes()).envelope.keyID.utf8.count
    }
    #expect(try read(1024) == 1024)
    expectError(.signatureMalformed) { _ = try read(1025) }
  }

  @Test("a file holds bundles if its name and its content say so")
  func holdsBundles() throws {
    let folder = try TemporaryFolder()
    let bundle = try Signer(PrivateKey.generate(.ed25519)).sign(
      .bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
    #expect(BundleFile.holdsBundles(try folder.write("a.sigstore.json", bundle.canonicalBytes())))
    #expect(!BundleFile.holdsBundles(try folder.write("a.json", bundle.canonicalBytes())))
    #expect(!BundleFile.holdsBundles(try folder.write("b.sigstore.json", Array("{}".utf8))))
  }

  @Test("a provenance is of one repository and one commit")
  func provenance() {
    func provenance(_ repository: String, _ commit: String) -> ProvenancePredicate {
      ProvenancePredicate(repository: repository, commit: commit)
    }
    #expect(provenance("r", "c") == provenance("r", "c"))
    #expect(provenance("r", "c") != provenance("r", "d"))
    #expect(provenance("r", "c") != provenance("s", "c"))
  }

  @Test("the highest sequence is the highest number that all readers of JSON hold")
  func sequences() { #expect(HostManifestPredicate.sequenceLimit == 9_007_199_254_740_991) }

  @Test("a statement may name folders before the name, if that is allowed")
  func folders() {
    func matches(_ stated: String, _ name: String = "a", allowsFolders: Bool = true) -> Bool {
      SubjectName(text: name, allowsFolders: allowsFolders).matches(stated)
    }
    #expect(matches("a") && matches("x/a") && matches("x/y/a"))
    #expect(
      !matches("x/b") && !matches("a/b") && !matches("xa") && !matches("x//a") && !matches("../a") && !matches("/a"))
    #expect(matches("a", allowsFolders: false) && !matches("x/a", allowsFolders: false))
    #expect(SubjectName.isPath(String(repeating: "n", count: 255)))
    #expect(!SubjectName.isPath(String(repeating: "n", count: 256)))
    let path = [String](repeating: String(repeating: "n", count: 255), count: 4).joined(separator: "/")
    #expect(SubjectName.isPath(path) && !SubjectName.isPath(path + "/n"))
  }

  @Test("a payload of 8 MiB is read, one byte more is refused", .slow)
  func payloadBound() throws {
    let id = try PrivateKey.generate(.ed25519).publicKey.id
    func text(_ size: Int) throws -> [UInt8] {
      try SigstoreBundle(payload: [UInt8](repeating: 0x20, count: size), signature: [1], key: id).canonicalBytes()
    }
    #expect(try SigstoreBundle(json: text(8 << 20)).envelope.payload.count == 8 << 20)
    expectError(.envelopePayloadSize) { _ = try SigstoreBundle(json: text(8 << 20 + 1)) }
  }

  @Test("the pre-authentication encoding is the specification's")
  func encoding() {
    #expect(
      Envelope.preAuthenticationEncoding(of: Array("hello world".utf8))
        == Array("DSSEv1 28 application/vnd.in-toto+json 11 hello world".utf8))
  }

  @Test("the kind of a log entry is written with the names that it was read with, and no others")
  func kindOfEntry() throws {
    for names in [#"{"kind":"dsse"}"#, #"{"version":"0.0.1"}"#, #"{"kind":"dsse","version":"0.0.1"}"#] {
      let text = #"{"canonicalizedBody":"","integratedTime":"1","kindVersion":\#(names),"logIndex":"1"}"#
      let value = try JSONReader.read(Array(text.utf8), limits: .bundle)
      let entry = try TransparencyLogEntry(JSONObject(value, "entry", unknownField: .bundleUnknownField))
      let written = String(decoding: try JSONWriter.canonical().write(entry.json), as: UTF8.self)
      #expect(written.contains("\"kindVersion\":\(names)"), "\(written)")
    }
  }

  @Test("to read the bundles of a file that has none is no error, and of one that cannot be read is one")
  func readBundles() throws {
    let folder = try TemporaryFolder()
    var count = 0
    try SignatureSource.beside(folder.file("a")).readBundles(for: "a", withSummary: false) { _ in count += 1 }
    #expect(count == 0)
    expectError(.signatureUnreadable) {
      try SignatureSource.file(folder.path).readBundles(for: "a", withSummary: false) { _ in count += 1 }
    }
    #expect(count == 0)
  }

  @Test("bundles and statements are bounded in bytes, nesting and values as docs/format.md says")
  func bounds() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    func many(_ count: Int) -> [UInt8] {
      Array(("[" + Array(repeating: "1", count: count - 1).joined(separator: ",") + "]").utf8)
    }
    func padded(_ size: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: size - 1) + [0x31] }
    for (limits, size, depth, values) in [
      (JSONLimits.bundle, 12 << 20, 16, 10_000), (JSONLimits.payload, 8 << 20, 32, 200_000),
    ] {
      for (good, bad) in [
        (nested(depth), nested(depth + 1)), (many(values), many(values + 1)), (padded(size), padded(size + 1)),
      ] {
        _ = try JSONReader.read(good, limits: limits)
        expectError(.jsonBounds) { _ = try JSONReader.read(bad, limits: limits) }
      }
    }
    let documented = try Repository.text("docs/format.md")
    #expect(documented.contains("| bundle | 12 MiB | 16 | 10,000 |"))
    #expect(documented.contains("| statement | 8 MiB | 32 | 200,000 |"))
  }
}
