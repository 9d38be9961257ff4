import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetOCI

/// Manifests and indexes.
@Suite("documents of registries") struct OCIDocumentTests {
  private static let digest = "sha256:" + String(repeating: "1b", count: 32)
  private static let part = #"{"mediaType":"a/b","digest":"\#(digest)","size":3}"#

  private static func manifest(_ text: String, _ type: String = MediaType.manifest) throws -> OCIManifest {
    try OCIManifest(Array(text.utf8), type: type, from: "it")
  }

  @Test("a manifest of another program is read, with fields that nobody knows")
  func foreign() throws {
    let manifest = try Self.manifest(
      #"{"schemaVersion":2,"config":\#(Self.part),"layers":[\#(Self.part)],"subject":\#(Self.part),"new":{"x":1.5},"annotations":{"k":"v"}}"#
    )
    guard case .image(let config, let layers) = manifest.content else { return #expect(Bool(false), "no image") }
    #expect(config.mediaType == "a/b" && config.size == 3 && "\(config.digest)" == Self.digest)
    #expect(layers.count == 1)
    #expect(manifest.subject?.size == 3)
    // Who knows no artifactType says it by the configuration.
    #expect(manifest.descriptor.artifactType == "a/b")
    #expect(manifest.annotations == ["k": "v"])
    #expect(manifest.blobs.count == 1)
    #expect(try manifest.digest == Digest.of(manifest.bytes, .sha256))
  }

  @Test("the same input gives the same bytes, in one canonical text")
  func canonical() throws {
    let layer = try OCIDescriptor("application/zip", of: [1, 2, 3])
    let one = try OCIManifest("application/x.y", layers: [layer], annotations: ["b": "2", "a": "1"])
    let other = try OCIManifest("application/x.y", layers: [layer], annotations: ["a": "1", "b": "2"])
    #expect(one.bytes == other.bytes)
    #expect(
      String(decoding: one.bytes, as: UTF8.self)
        == #"{"annotations":{"a":"1","b":"2"},"artifactType":"application/x.y","config":{"digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","mediaType":"application/vnd.oci.empty.v1+json","size":2},"layers":[{"digest":"sha256:039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81","mediaType":"application/zip","size":3}],"mediaType":"application/vnd.oci.image.manifest.v1+json","schemaVersion":2}"#
    )
  }

  @Test("an index keeps the entries of others as they are")
  func index() throws {
    let text =
      #"{"schemaVersion":2,"mediaType":"\#(MediaType.index)","manifests":[{"mediaType":"a/b","digest":"\#(Self.digest)","size":3,"platform":{"os":"x"}}]}"#
    guard case .index(let entries) = try Self.manifest(text, MediaType.index).content else {
      return #expect(Bool(false), "no index")
    }
    let again = try OCIManifest(index: entries + [OCIDescriptor("c/d", entries[0].digest, size: 4)])
    #expect(String(decoding: again.bytes, as: UTF8.self).contains(#""platform":{"os":"x"}"#))
    #expect(!String(decoding: again.bytes, as: UTF8.self).contains("artifactType"))
  }

  @Test(
    "a document that is wrong is refused by its code",
    arguments: [
      ("", "oci.document"), ("[]", "oci.document"), ("{}", "oci.document"),
      (#"{"schemaVersion":1,"config":PART,"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":"2","config":PART,"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"layers":{}}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"layers":[1]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"layers":[],"manifests":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"mediaType":"x/y","config":PART,"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"config":PART,"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"layers":[],"subject":"x"}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"layers":[],"annotations":{"a":1}}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":PART,"layers":[]} x"#, "oci.document"),
      (#"{"schemaVersion":2,"config":{"mediaType":"a","digest":"DIGEST","size":1},"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":{"mediaType":"a/b\n","digest":"DIGEST","size":1},"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":{"mediaType":"a/b","digest":"DIGEST","size":-1},"layers":[]}"#, "oci.document"),
      (#"{"schemaVersion":2,"config":{"mediaType":"a/b","digest":"DIGEST"},"layers":[]}"#, "oci.document"),
      (
        #"{"schemaVersion":2,"config":{"mediaType":"a/b","digest":"sha256:0","size":1},"layers":[]}"#,
        "oci.unsupported"
      ),
      (
        #"{"schemaVersion":2,"config":{"mediaType":"a/b","digest":"sha512:0","size":1},"layers":[]}"#,
        "oci.unsupported"
      ),
    ])
  func wrong(_ text: String, _ code: String) throws {
    let whole = text.replacing("PART", with: Self.part).replacing("DIGEST", with: Self.digest)
    expectError(SignetError.Code(code)) { _ = try Self.manifest(whole) }
  }

  @Test("a list with layers is refused, and a type that nobody knows")
  func types() throws {
    expectError(.ociDocument) {
      _ = try Self.manifest(#"{"schemaVersion":2,"manifests":[],"layers":[]}"#, MediaType.index)
    }
    expectError(.ociUnsupported) {
      _ = try Self.manifest("{}", "application/vnd.docker.distribution.manifest.v1+json")
    }
    expectError(.ociUnsupported) { _ = try Self.manifest("{}", "") }
    #expect(
      try Self.manifest(#"{"schemaVersion":2,"config":\#(Self.part),"layers":[]}"#, MediaType.dockerManifest).blobs
        .count == 1)
  }

  @Test("a manifest that would be larger than registries take is not made")
  func tooLarge() throws {
    let layer = OCIDescriptor(
      "a/b", try Digest.of([], .sha256), size: 0, annotations: ["k": String(repeating: "x", count: 1 << 20)])
    expectError(.ociBounds) { _ = try OCIManifest("a/b", layers: [layer, layer, layer, layer]) }
    expectError(.ociBounds) { _ = try OCIManifest(index: [layer, layer, layer, layer]) }
  }

  @Test(
    "the type of an answer is compared without its parameters",
    arguments: [
      ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
      (" a/b ;x", "a/b"), ("", ""),
    ])
  func plain(_ type: String, _ plain: String) { #expect(MediaType.plain(type) == plain) }
}
