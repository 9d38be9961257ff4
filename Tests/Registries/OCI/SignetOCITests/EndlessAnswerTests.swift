import Foundation
import SignetAddresses
import SignetBase
import SignetCrypto
import SignetHTTP
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import OCITestSupport
@testable import SignetOCI

/// Answers and copies that could go on for ever.
@Suite("answers of registries without an end", .serialized) struct EndlessAnswerTests {
  private static let mebibytes = Array(repeating: UInt8(ascii: " "), count: 1 << 20)

  /// What the kernel takes for both ends, and what is asked for again, is not the client's.
  private static let most = 256 << 20

  /// A status, and what it means for a manifest and for a blob.
  static let statuses: [(status: String, manifest: SignetError.Code?, blob: SignetError.Code)] = [
    ("401 No", .ociDenied, .ociDenied), ("403 No", .ociDenied, .ociDenied), ("404 No", nil, .ociNotFound),
    ("416 No", .ociRefused, .ociDigest), ("418 No", .ociRefused, .ociRefused), ("503 No", .ociRefused, .ociRefused),
    ("302 There", .fetchRedirect, .fetchRedirect), ("206 Part", .ociRefused, .fetchRange),
    ("299 Odd", .ociRefused, .ociRefused),
  ]

  @Test("an answer without an end costs its bounded bytes, whatever its status", arguments: statuses)
  func endlessAnswers(_ status: String, _ manifest: SignetError.Code?, _ code: SignetError.Code) throws {
    let stub = try StubRegistry { request, _ in
      let fields = ["Content-Type: \(MediaType.index)", "Location: /v2/a/b/again\(request.number)"]
      return [.head(status, fields), .sendForever(Self.mebibytes)]
    }
    let registry = try stub.client { $0.retries = 1 }
    func found(_ body: () throws -> Void) -> SignetError.Code? {
      do { try body() } catch { return (error as? SignetError)?.code }
      return nil
    }
    #expect(found { _ = try registry.manifest(.tag("1")) } == manifest)
    #expect(found { _ = try registry.whole(Blob(Array("12345".utf8)).descriptor) } == code)
    #expect(stub.endless < Self.most)
  }

  @Test("what is no part of an answer has an end, too: extensions of chunks, trailers, heads before the last one")
  func endlessBetween() throws {
    let chunked = RawServer.Step.head("404 Not Found", ["Transfer-Encoding: chunked"])
    let letters = Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
    let line = Array("X-A: \(String(repeating: "a", count: 1000))\r\n".utf8)
    for steps: [RawServer.Step] in [
      [chunked, .send(Array("1;".utf8)), .sendForever(letters)],
      [chunked, .sendForever(Array("1;\(String(repeating: "b", count: 100_000))\r\nx\r\n".utf8))],
      [chunked, .send(Array("1\r\nx\r\n0\r\n".utf8)), .sendForever(line)],
      [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(line)],
      [.sendForever(Array("HTTP/1.1 103 Early\r\nA: b\r\n\r\n".utf8))],
    ] {
      let stub = try StubRegistry { _, _ in steps }
      let error = expectError(.fetchResponse) { _ = try stub.client { $0.retries = 0 }.manifest(.tag("1")) }
      #expect(try #require(error).object.contains("/manifests/1"))
      #expect(stub.endless < Self.most)
    }
  }

  @Test("an honest answer in chunks of one byte arrives")
  func smallChunks() throws {
    let text = Array(HostileRegistryTests.image.utf8)
    let chunks = text.flatMap { [UInt8(ascii: "1"), 13, 10, $0, 13, 10] } + Array("0\r\n\r\n".utf8)
    let stub = try StubRegistry { _, _ in
      [.head("200 OK", ["Transfer-Encoding: chunked", "Content-Type: \(MediaType.manifest)"]), .send(chunks)]
    }
    #expect(try stub.client().manifest(.tag("1"))?.bytes == text)
  }

  @Test("a server for tokens that does not end costs its bounded bytes")
  func endlessTokens() throws {
    for status in ["200 OK", "403 No"] {
      let stub = try StubRegistry { request, stub in
        if request.line.contains("/token") { return [.head(status), .sendForever(Self.mebibytes)] }
        return StubRegistry.reply("401 No", ["WWW-Authenticate: Bearer realm=\"http://\(stub.host)/token\""])
      }
      expectError(status == "200 OK" ? .ociBounds : .ociDenied) { _ = try stub.client().tags() }
      #expect(stub.endless < Self.most)
    }
  }

  @Test("a copy takes a bounded number of bytes, blobs and manifests from a registry")
  func boundedCopy() throws {
    let folder = try TemporaryFolder()
    let stub = try StubRegistry()
    let image = try stub.client().putImage(String(repeating: "x", count: 1000), tag: "1")
    var copies = 0
    func copy(_ change: (inout OCICopy.Limits) -> Void) throws {
      var limits = OCICopy.Limits()
      change(&limits)
      copies += 1
      let target = try OCILayout(folder.file("\(copies)"), isMade: true)
      var copy = OCICopy(from: try stub.client(), to: target, limits: limits)
      _ = try copy.copy(.tag("1"), tag: nil)
    }
    let needed = image.bytes.count + 1002
    expectError(.ociBounds) { try copy { $0.bytes = needed - 1 } }
    expectError(.ociBounds) { try copy { $0.bytes = 0 } }
    expectError(.ociBounds) { try copy { $0.blobs = 1 } }
    // The empty list of referrers comes last.
    try copy { $0.bytes = needed + 200 }
    try copy { $0.blobs = 2 }
    try stub.client().putImage("about", about: image)
    expectError(.ociBounds) { try copy { $0.manifests = 1 } }
    try copy { $0.manifests = 2 }
  }

  @Test("what is there already needs no bytes of a copy")
  func copyAgain() throws {
    let folder = try TemporaryFolder()
    let stub = try StubRegistry()
    try stub.client().putImage(String(repeating: "x", count: 100_000), tag: "1")
    let target = try OCILayout(folder.file("target"), isMade: true)
    var limits = OCICopy.Limits()
    limits.bytes = 110_000
    for _ in 0..<2 {
      var copy = OCICopy(from: try stub.client(), to: target, limits: limits)
      _ = try copy.copy(.tag("1"), tag: "1")
      limits.bytes = 2000
    }
  }

  // A blob of 8 PiB is announced; nothing of it is asked for.
  @Test("a blob that is announced with more bytes than a copy takes is not asked for")
  func hugeBlob() throws {
    let folder = try TemporaryFolder()
    let stub = try StubRegistry()
    let huge = OCIDescriptor("a/b", try Digest.of([1], .sha256), size: (1 << 53) - 1)
    let config = try OCIManifest.emptyConfig()
    try stub.client().put(config.descriptor, .file(BytesInMemory(config.bytes, path: "empty")))
    try stub.client().put(OCIManifest("application/vnd.test.v1", layers: [huge]), tag: "1")
    var copy = OCICopy(from: try stub.client(), to: try OCILayout(folder.file("to"), isMade: true))
    expectError(.ociBounds) { _ = try copy.copy(.tag("1"), tag: nil) }
    #expect(!stub.log.contains("GET blobs/\(huge.digest)"))
  }
}
