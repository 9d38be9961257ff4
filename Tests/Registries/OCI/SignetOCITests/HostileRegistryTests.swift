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

/// What a registry can do to a client that believes it nothing.
@Suite("hostile registries", .serialized) struct HostileRegistryTests {
  static let image =
    #"{"schemaVersion":2,"mediaType":"\#(MediaType.manifest)","config":{"mediaType":"a/b","digest":"sha256:\#(String(repeating: "0", count: 64))","size":2},"layers":[]}"#

  // MARK: Manifests

  @Test("a manifest that is not the one that was asked for is refused")
  func otherManifest() throws {
    let stub = try StubRegistry.giving("200 OK", ["Content-Type: \(MediaType.manifest)"], Self.image)
    let digest = try Digest.of([1], .sha256)
    expectError(.ociDigest) { _ = try stub.client().manifest(.digest(digest)) }
    #expect(try stub.client().manifest(.tag("1"))?.digest == Digest.of(Array(Self.image.utf8), .sha256))
  }

  @Test(
    "a type that is not that of the bytes is refused",
    arguments: [
      ("text/html", "oci.unsupported"), ("", "oci.unsupported"), (MediaType.index, "oci.document"),
      (MediaType.dockerManifest, "oci.document"), ("application/json", "oci.unsupported"),
    ])
  func types(_ type: String, _ code: String) throws {
    let stub = try StubRegistry.giving("200 OK", ["Content-Type: \(type)"], Self.image)
    expectError(SignetError.Code(code)) { _ = try stub.client().manifest(.tag("1")) }
  }

  @Test("a manifest without an end costs its bounded bytes")
  func endless() throws {
    let stub = try StubRegistry { _, _ in
      [.head("200 OK", ["Content-Type: \(MediaType.manifest)"]), .sendForever(Array(repeating: 0x20, count: 65536))]
    }
    expectError(.ociBounds) { _ = try stub.client().manifest(.tag("1")) }
    let large = try StubRegistry.giving(
      "200 OK", ["Content-Type: \(MediaType.manifest)"], String(repeating: " ", count: OCIManifest.sizeLimit + 1))
    expectError(.ociBounds) { _ = try large.client().manifest(.tag("1")) }
  }

  @Test("a manifest that was stored as something else is told")
  func storedOtherwise() throws {
    let stub = try StubRegistry { request, _ in
      guard request.line.hasPrefix("PUT /v2/a/b/manifests/") else { return nil }
      return StubRegistry.reply("201 Created", ["Docker-Content-Digest: sha256:00"])
    }
    expectError(.ociDigest) { try stub.client().putImage("one", tag: "1") }
  }

  @Test("a manifest of nothing but annotations is read in no time")
  func annotations() throws {
    let names = (0..<150_000).map { "\"k\($0)\":\"\"" }.joined(separator: ",")
    let text = Self.image.dropLast() + ",\"annotations\":{\(names)}}"
    let manifest = try OCIManifest(Array(text.utf8), type: MediaType.manifest, from: "it")
    #expect(manifest.annotations.count == 150_000)
  }

  // MARK: Blobs

  @Test("bytes with another digest are refused, and more or fewer bytes")
  func wrongBlobs() throws {
    let blob = try Blob(Array("12345".utf8))
    for text in ["12346", "1234", "123456", ""] {
      let stub = try StubRegistry.giving("200 OK", [], text)
      expectError(.ociDigest) { _ = try stub.client().whole(blob.descriptor) }
    }
  }

  @Test("a blob without an end is cut off at its size")
  func endlessBlob() throws {
    let blob = try Blob(Array("12345".utf8))
    let stub = try StubRegistry { _, _ in [.head("200 OK"), .sendForever(Array(repeating: 1, count: 65536))] }
    expectError(.ociDigest) { _ = try stub.client().whole(blob.descriptor) }
    expectError(.ociBounds) { try stub.client().read(blob.descriptor.digest, atMost: 100_000) { _ in } }
  }

  @Test("a download that breaks off goes on, also where the registry begins again", arguments: [true, false])
  func resumed(_ knowsRanges: Bool) throws {
    let blob = try Blob((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 11) })
    let breaks = Counter()
    let stub = try StubRegistry { request, stub in
      guard request.line.hasPrefix("GET /v2/a/b/blobs/") else { return nil }
      if breaks.isBelow(3) {
        breaks.count()
        let first = request["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        let start = knowsRanges ? first : 0
        let head: RawServer.Step =
          start > 0 ? .part(start, of: blob.bytes.count, tag: nil) : .file(blob.bytes.count, tag: nil)
        return [head, .send(Array(blob.bytes[start..<min(blob.bytes.count, start + 100_000)])), .reset]
      }
      return knowsRanges ? nil : StubRegistry.reply("200 OK", [], blob.bytes)
    }
    stub.state { $0.blobs["\(blob.descriptor.digest)"] = blob.bytes }
    #expect(try stub.client().whole(blob.descriptor) == blob.bytes)
    #expect(breaks.value == 3)
    #expect(stub.requests[1]["Range"]?.hasPrefix("bytes=") == true)
  }

  @Test("a part that was not asked for is refused")
  func wrongPart() throws {
    let blob = try Blob(Array(repeating: 5, count: 100))
    let stub = try StubRegistry { request, _ in
      if request["Range"] == nil { return [.file(100, tag: nil), .send(Array(repeating: 5, count: 50)), .reset] }
      return [.part(10, of: 100, tag: nil), .send(Array(repeating: 5, count: 90))]
    }
    expectError(.fetchRange) { _ = try stub.client().whole(blob.descriptor) }
  }

  @Test("a registry that breaks off each time is left in the end")
  func drops() throws {
    let blob = try Blob(Array(repeating: 5, count: 1000))
    let stub = try StubRegistry { _, _ in [.file(1000, tag: nil), .send([5]), .reset] }
    expectError(.fetchConnection) { _ = try stub.client().whole(blob.descriptor) }
    #expect(stub.requests.count == 6)
  }

  // MARK: Lists

  @Test("pages are followed, and neither a circle nor a flood goes on for ever")
  func pages() throws {
    let stub = try StubRegistry { request, _ in
      let isLast = request.line.contains("page=3")
      let next = request.line.contains("page=2") ? 3 : 2
      let link = isLast ? [] : ["Link: </v2/a/b/tags/list?page=\(next)>; rel=\"next\""]
      return StubRegistry.reply("200 OK", link, Array(#"{"tags":["t\#(request.number)","../x"]}"#.utf8))
    }
    #expect(try stub.client().tags() == ["t0", "t1", "t2"])
    let circle = try StubRegistry.giving("200 OK", ["Link: </v2/a/b/tags/list>; rel=next"], #"{"tags":["a"]}"#)
    expectError(.ociBounds) { _ = try circle.client().tags() }
    #expect(circle.requests.count == 100)
    let two = try StubRegistry { request, _ in
      let link =
        request.line.contains("page=2")
        ? [] : ["Link: <x>; rel=first, </v2/a/b/tags/list?page=2>; rel=\"next last\"; a"]
      return StubRegistry.reply("200 OK", link, Array(#"{"tags":["t\#(request.number)"]}"#.utf8))
    }
    #expect(try two.client().tags() == ["t0", "t1"])
    let odd = try StubRegistry.giving("200 OK", ["Link: /v2/a/b/tags/list"], #"{"tags":["a"]}"#)
    expectError(.ociDocument) { _ = try odd.client().tags() }
    let none = try StubRegistry.giving("200 OK", [], #"{"name":"a/b","tags":null}"#)
    #expect(try none.client().tags() == [])
    let missing = try StubRegistry.giving("404 Not Found")
    expectError(.ociNotFound) { _ = try missing.client().tags() }
    let many = (0..<10_001).map { "\"t\($0)\"" }.joined(separator: ",")
    let flood = try StubRegistry.giving("200 OK", [], "{\"tags\":[\(many)]}")
    expectError(.ociDocument) { _ = try flood.client().tags() }
  }

  @Test("a registry that answers for its list of referrers with something else has none")
  func noList() throws {
    let page = ["Content-Type: text/html"]
    for (status, fields) in [
      ("200 OK", page), ("303 See Other", ["Location: https://example.invalid/page"]), ("403 Forbidden", []),
      ("406 Not Acceptable", []), ("404 Not Found", page),
    ] {
      let stub = try StubRegistry(listsReferrers: false) { request, _ in
        request.line.contains("/referrers/") ? StubRegistry.reply(status, fields, Array("<html>".utf8)) : nil
      }
      let subject = try stub.client().putImage("one", tag: "1")
      let about = try stub.client().putImage("about", about: subject)
      #expect(try stub.client().referrers(of: subject.digest).map(\.digest) == [about.digest])
      #expect(stub.requests.first { $0.line.contains("/referrers/") }?["Accept"] == MediaType.index)
    }
  }

  @Test(
    "a list that is wrong is refused by its code",
    arguments: ["", "[]", "{", #"{"tags":{}}"#, #"{"tags":[1]}"#, #"{"tags":[],"tags":[]}"#])
  func wrongTags(_ text: String) throws {
    let stub = try StubRegistry.giving("200 OK", [], text)
    expectError(.ociDocument) { _ = try stub.client().tags() }
  }

  @Test("referrers that are no index are refused, and a list that stands for something else")
  func wrongReferrers() throws {
    let digest = try Digest.of([1], .sha256)
    for text in ["", "{}", Self.image, #"{"schemaVersion":2,"manifests":[{"mediaType":"a/b"}]}"#] {
      let stub = try StubRegistry.giving("200 OK", ["Content-Type: \(MediaType.index)"], text)
      expectError(.ociDocument) { _ = try stub.client().referrers(of: digest) }
    }
    let tag = try StubRegistry(listsReferrers: false) { request, _ in
      guard request.line.contains("manifests/sha256-") else { return nil }
      return StubRegistry.reply("200 OK", ["Content-Type: \(MediaType.manifest)"], Array(Self.image.utf8))
    }
    expectError(.ociDocument) { _ = try tag.client().referrers(of: digest) }
  }

  @Test("a registry that takes the tag sha256-HEX for the digest has no list of referrers", arguments: [false, true])
  func tagForDigest(_ isIndex: Bool) throws {
    let folder = try TemporaryFolder()
    let stub = try StubRegistry(listsReferrers: false) { request, stub in
      guard let place = request.line.range(of: "manifests/sha256-"), request.line.hasPrefix("GET") else { return nil }
      let hex = request.line[place.upperBound...].prefix(64)
      guard let found = stub.state({ $0.manifests["sha256:\(hex)"] }) else { return nil }
      return StubRegistry.reply("200 OK", ["Content-Type: \(found.type)"], found.bytes)
    }
    var subject = try stub.client().putImage("one", tag: "1")
    if isIndex {
      // Read as a list, it would name its own parts as referrers.
      subject = try OCIManifest(index: [subject.descriptor])
      try stub.client().put(subject, tag: "1")
    }
    #expect(try stub.client().referrers(of: subject.digest).isEmpty)
    let target = try OCILayout(folder.file("target"), isMade: true)
    var copy = OCICopy(from: try stub.client(), to: target)
    #expect(try copy.copy(.tag("1"), tag: "1").digest == subject.digest)
    #expect(copy.tally.manifests == (isIndex ? 2 : 1) && copy.complaints.isEmpty)
    // A signature cannot be found there, and whoever pushes it learns that.
    let error = expectError(.ociReferrerLost) { try stub.client().putImage("about", about: subject) }
    #expect(error?.message == "cannot hold a list of referrers: the registry takes the tag for the digest")
  }

  // MARK: Where it leads

  @Test("credentials and tokens never go to another server, wherever the registry leads")
  func redirects() throws {
    let blob = try Blob(Array("12345".utf8))
    let elsewhere = try StubRegistry()
    elsewhere.state { $0.blobs["\(blob.descriptor.digest)"] = blob.bytes }
    let place = elsewhere.host
    let stub = try StubRegistry { request, _ in
      guard request["Authorization"] != nil else {
        return StubRegistry.reply("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""])
      }
      return StubRegistry.reply(
        "307 Temporary Redirect", ["Location: http://\(place)/v2/a/b/blobs/\(blob.descriptor.digest)"])
    }
    let registry = try stub.client { $0.credentials = KnownPassword() }
    #expect(try registry.whole(blob.descriptor) == blob.bytes)
    #expect(stub.requests.compactMap { $0["Authorization"] } == ["Basic dTpz"])
    #expect(elsewhere.requests.count == 1)
    #expect(elsewhere.requests.allSatisfy { $0["Authorization"] == nil })
  }

  @Test("an upload that goes to another server takes no credentials along")
  func uploadElsewhere() throws {
    let elsewhere = try StubRegistry()
    elsewhere.state { $0.uploads["1"] = [] }
    let place = elsewhere.host
    let stub = try StubRegistry { request, _ in
      guard request["Authorization"] != nil else {
        return StubRegistry.reply("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""])
      }
      guard request.line.hasPrefix("POST") else { return nil }
      return StubRegistry.reply("202 Accepted", ["Location: http://\(place)/v2/a/b/blobs/uploads/1"])
    }
    let blob = try Blob(Array(repeating: 3, count: 2 << 20))
    try stub.client { $0.credentials = KnownPassword() }.put(blob.descriptor, blob.feed)
    #expect(elsewhere.state { $0.blobs["\(blob.descriptor.digest)"] } == blob.bytes)
    #expect(elsewhere.requests.count == 2)
    #expect(elsewhere.requests.allSatisfy { $0["Authorization"] == nil })
  }

  @Test(
    "addresses that are not allowed are not asked",
    arguments: [
      "ftp://127.0.0.1/x", "file:///etc/passwd", "http://user:secret@127.0.0.1/x", "//", "", "http://[::1",
      "gopher://a",
    ])
  func locations(_ location: String) throws {
    let stub = try StubRegistry { _, _ in StubRegistry.reply("302 Found", ["Location: \(location)"]) }
    let error = expectError(.fetchRedirect) {
      _ = try stub.client().whole(try Blob([1]).descriptor)
    }
    #expect(try !#require(error).description.contains("secret"))
  }

  @Test("a registry that redirects in a circle is left")
  func circle() throws {
    let stub = try StubRegistry { request, _ in StubRegistry.reply("302 Found", ["Location: /v2/a/b/again"]) }
    expectError(.fetchRedirect) { _ = try stub.client().whole(try Blob([1]).descriptor) }
    #expect(stub.requests.count == 6)
  }

  @Test("a server in a network cannot lead to this machine, and https not to http")
  func downgrades() throws {
    func follows(_ from: String, _ to: String) throws {
      _ = try FetchURL(from).following(to)
    }
    expectError(.fetchRedirect) { try follows("https://example.com/a", "http://example.com/b") }
    expectError(.fetchRedirect) { try follows("https://example.com/a", "https://127.0.0.1/b") }
    expectError(.fetchRedirect) { try follows("http://example.com/a", "http://localhost:80/b") }
    expectError(.fetchRedirect) { try follows("https://example.com/a", "https://[::1]/b") }
    try follows("https://example.com/a", "https://cdn.example.net/b")
    try follows("http://127.0.0.1/a", "http://127.0.0.1:81/b")
    #expect(try FetchURL("https://example.com/a/b?x").following("../c?y=z").text == "https://example.com/c?y=z")
  }

  @Test("the words of a registry are shown escaped, whatever they are")
  func words() throws {
    let odd = try StubRegistry.giving("418 I'm a teapot", [], "<html>\u{1b}[31m")
    expectError(.ociRefused) { _ = try odd.client().tags() }
    let long = String(repeating: "x", count: 200_000)
    let stub = try StubRegistry.giving("409 Conflict", [], #"{"errors":[{"code":"DENIED","message":"\#(long)"}]}"#)
    let error = expectError(.ociRefused) { _ = try stub.client().tags() }
    #expect(try #require(error).description.utf8.count < 2000)
    let controls = try StubRegistry.giving(
      "409 Conflict", [], #"{"errors":[{"code":"DENIED","message":"a\u001b[2Jb"}]}"#)
    let shown = try #require(expectError(.ociRefused) { _ = try controls.client().tags() }).description
    #expect(shown.contains("DENIED: a") && !shown.unicodeScalars.contains("\u{1b}"))
  }
}
