import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import OCITestSupport
@testable import SignetOCI

/// Uploads of blobs, and what a registry can make of them.
@Suite("uploads", .serialized) struct UploadTests {
  @Test("a large blob goes in parts, each to where the registry says")
  func parts() throws {
    let stub = try StubRegistry()
    let registry = try stub.client { $0.partSize = 1 << 20 }
    let blob = try Blob((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    try registry.put(blob.descriptor, blob.feed)
    #expect(stub.state { $0.blobs["\(blob.descriptor.digest)"] } == blob.bytes)
    let parts = stub.requests.filter { $0.line.hasPrefix("PATCH") }
    #expect(parts.map { $0["Content-Range"] } == ["0-1048575", "1048576-2097151", "2097152-2499999"])
    #expect(parts.map { $0["Content-Length"] } == ["1048576", "1048576", "402848"])
    #expect(parts.map { $0.line.components(separatedBy: "s=").last?.prefix { $0 != " " } } == ["1", "0", "1048576"])
    let last = try #require(stub.requests.last { $0.line.hasPrefix("PUT") })
    #expect(last.line.contains("?s=2097152&digest=sha256%3A"))
    // It is there now, so nothing is sent.
    let before = stub.requests.count
    try registry.put(blob.descriptor, blob.feed)
    #expect(stub.requests.count == before + 1)
  }

  @Test("an upload that breaks off goes on where the registry says", arguments: [0, 1, 500_000, 1 << 20])
  func resumed(_ arrived: Int) throws {
    let breaks = Counter()
    let stub = try StubRegistry { request, stub in
      guard request.line.hasPrefix("PATCH"), breaks.isBelow(1) else { return nil }
      breaks.count()
      // Some of the part arrives, and the connection is lost.
      stub.state { state in
        for name in state.uploads.keys { state.uploads[name]? += request.body.prefix(arrived) }
      }
      return [.reset]
    }
    let registry = try stub.client { $0.partSize = 1 << 20 }
    let blob = try Blob((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 5) })
    try registry.put(blob.descriptor, blob.feed)
    #expect(stub.state { $0.blobs["\(blob.descriptor.digest)"] } == blob.bytes)
    // Without knowing how much of it is there, it began again.
    #expect(stub.log.count { $0.hasPrefix("POST") } == (arrived > 1 ? 1 : 2))
  }

  @Test("an upload that the registry has forgotten begins again, and not for ever")
  func forgotten() throws {
    let losses = Counter()
    let stub = try StubRegistry { request, stub in
      guard request.line.hasPrefix("PATCH"), losses.isBelow(2) else { return nil }
      losses.count()
      stub.state { $0.uploads = [:] }
      return StubRegistry.reply("404 Not Found")
    }
    let blob = try Blob(Array(repeating: 7, count: 2 << 20))
    try stub.client().put(blob.descriptor, blob.feed)
    #expect(stub.state { $0.blobs.count } == 1)

    // One that takes no parts at all gets the whole.
    let whole = try StubRegistry { request, _ in
      request.line.hasPrefix("PATCH") ? StubRegistry.reply("404 Not Found") : nil
    }
    try whole.client().put(blob.descriptor, blob.feed)
    #expect(whole.state { $0.blobs["\(blob.descriptor.digest)"] } == blob.bytes)
    #expect(whole.log.count { $0.hasPrefix("POST") } == 2)
    let bad = try StubRegistry { request, _ in
      request.line.hasPrefix("PATCH") || request.line.hasPrefix("PUT") ? StubRegistry.reply("404 Not Found") : nil
    }
    expectError(.ociUpload) { try bad.client().put(blob.descriptor, blob.feed) }
    #expect(bad.log.count { $0.hasPrefix("POST") } == 3)
  }

  @Test("a registry that has more or less than was sent is not believed")
  func wrongRange() throws {
    let blob = try Blob(Array(repeating: 7, count: 3 << 20))
    for range in ["0-99999999", "0-5", "5-10", "x", "0-9223372036854775807"] {
      let stub = try StubRegistry { request, _ in
        guard request.line.hasPrefix("PATCH") else { return nil }
        return StubRegistry.reply("202 Accepted", ["Location: /v2/a/b/blobs/uploads/1?s=1", "Range: \(range)"])
      }
      if ["5-10", "x", "0-9223372036854775807"].contains(range) {
        expectError(.ociUpload) { try stub.client { $0.partSize = 1 << 20 }.put(blob.descriptor, blob.feed) }
        #expect(stub.state { $0.blobs.isEmpty })
      } else {
        // It gets the whole instead.
        try stub.client { $0.partSize = 1 << 20 }.put(blob.descriptor, blob.feed)
        #expect(stub.state { $0.blobs["\(blob.descriptor.digest)"] } == blob.bytes)
      }
    }
  }

  @Test("an answer 416 makes the client ask what is there")
  func outOfOrder() throws {
    let refusals = Counter()
    let stub = try StubRegistry { request, stub in
      guard request.line.hasPrefix("PATCH"), refusals.isBelow(1),
        request["Content-Range"]?.hasPrefix("1048576-") == true
      else { return nil }
      refusals.count()
      stub.state { state in for name in state.uploads.keys { state.uploads[name]? += request.body.prefix(1000) } }
      return StubRegistry.reply("416 Range Not Satisfiable")
    }
    let blob = try Blob((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
    try stub.client { $0.partSize = 1 << 20 }.put(blob.descriptor, blob.feed)
    #expect(stub.state { $0.blobs["\(blob.descriptor.digest)"] } == blob.bytes)
    #expect(refusals.value == 1)
  }

  @Test("a floor for parts is kept")
  func floor() throws {
    let stub = try StubRegistry { request, stub in
      guard request.line.hasPrefix("POST") else { return nil }
      stub.state { $0.uploads["1"] = [] }
      return StubRegistry.reply(
        "202 Accepted", ["Location: /v2/a/b/blobs/uploads/1", "OCI-Chunk-Min-Length: 2000000"])
    }
    let blob = try Blob(Array(repeating: 1, count: 3_000_000))
    try stub.client { $0.partSize = 1 << 20 }.put(blob.descriptor, blob.feed)
    let parts = stub.requests.filter { $0.line.hasPrefix("PATCH") }.map { $0["Content-Length"] }
    #expect(parts == ["2000000", "1000000"])
    for floor in ["9223372036854775807", "1073741825"] {
      let greedy = try StubRegistry { request, _ in
        guard request.line.hasPrefix("POST") else { return nil }
        return StubRegistry.reply(
          "202 Accepted", ["Location: /v2/a/b/blobs/uploads/1", "OCI-Chunk-Min-Length: \(floor)"])
      }
      expectError(.ociUpload) { try greedy.client().put(blob.descriptor, blob.feed) }
    }
  }

  @Test("a registry that never has all of a part is left")
  func standstill() throws {
    let blob = try Blob(Array(repeating: 1, count: 3_000_000))
    let backward = try StubRegistry { request, stub in
      if request.line.hasPrefix("PATCH") { return StubRegistry.reply("416 Range Not Satisfiable") }
      guard request.line.hasPrefix("GET"), request.line.contains("uploads") else { return nil }
      return StubRegistry.reply("204 No Content", ["Range: 0-\(2 + request.number % 2)"])
    }
    try backward.client().put(blob.descriptor, blob.feed)
    #expect(backward.requests.count < 100)
    let slow = try StubRegistry { request, stub in
      guard request.line.hasPrefix("PATCH") else { return nil }
      let first = request["Content-Range"].flatMap { Int($0.prefix { $0 != "-" }) } ?? 0
      return StubRegistry.reply("202 Accepted", ["Location: /v2/a/b/blobs/uploads/1", "Range: 0-\(first)"])
    }
    try slow.client().put(blob.descriptor, blob.feed)
    #expect(slow.log.count { $0.hasPrefix("PATCH") } <= 16)
    #expect(slow.state { $0.blobs.count } == 1)
  }

  @Test("an entry that somebody else has lost meanwhile is put back")
  func othersEntry() throws {
    let stub = try StubRegistry(listsReferrers: false)
    let subject = try stub.client().putImage("one", tag: "1")
    let first = try stub.client().putImage("first", about: subject)
    let tag = ManifestName.referrersTag(of: subject.digest)
    let wipes = Counter()
    let hasty = try StubRegistry(listsReferrers: false) { request, hasty in
      // After our write, a list without anything takes its place, once.
      guard request.line.hasPrefix("GET /v2/a/b/manifests/sha256-"), wipes.isBelow(2) else { return nil }
      wipes.count()
      if wipes.value == 2, let empty = try? OCIManifest(index: []) {
        hasty.state { state in
          state.manifests["\(empty.digest)"] = (MediaType.index, empty.bytes)
          state.tags[tag] = "\(empty.digest)"
        }
      }
      return nil
    }
    hasty.state { state in
      let old = stub.state { $0 }
      state = old
    }
    let second = try hasty.client().putImage("second", about: subject)
    #expect(Set(try hasty.client().referrers(of: subject.digest).map(\.digest)) == [first.digest, second.digest])
    #expect(wipes.value == 2)
  }

  @Test("a mount that no token allows is left out")
  func refusedMount() throws {
    let stub = try StubRegistry { request, stub in
      if request.line.contains("/token") {
        return request.line.contains("other%2Fplace")
          ? StubRegistry.reply("403 Forbidden") : StubRegistry.reply("200 OK", [], Array(#"{"token":"T"}"#.utf8))
      }
      guard request["Authorization"] == "Bearer T" else {
        return StubRegistry.reply(
          "401 Unauthorized", ["WWW-Authenticate: Bearer realm=\"http://\(stub.host)/token\""])
      }
      return nil
    }
    let registry = try stub.client()
    registry.mountSource = RepositoryName("\(stub.host)/other/place")
    let blob = try Blob([1, 2, 3])
    try registry.put(blob.descriptor, blob.feed)
    #expect(stub.state { $0.blobs.count } == 1)
  }

  @Test("a part that ends with a lost answer is whole")
  func lostEnd() throws {
    let blob = try Blob(Array(repeating: 5, count: 1000))
    let stub = try StubRegistry { request, _ in
      request["Range"] == nil
        ? [.head("200 OK", ["Transfer-Encoding: chunked"]), .send(Array("3e8\r\n".utf8) + blob.bytes), .reset] : nil
    }
    #expect(try stub.client().whole(blob.descriptor) == blob.bytes)
    #expect(stub.requests.count == 1)
  }

  @Test("a file that changes while it is sent is never offered")
  func changed() throws {
    let stub = try StubRegistry()
    let blob = try Blob(Array(repeating: 1, count: 3 << 20))
    var bytes = blob.bytes
    bytes[2 << 20] = 2
    expectError(.ociDigest) {
      try stub.client().put(blob.descriptor, .file(BytesInMemory(bytes, path: "it")))
    }
    expectError(.ociDigest) {
      try stub.client().put(blob.descriptor, .file(BytesInMemory(Array(bytes.dropLast()), path: "it")))
    }
    let small = try Blob([1, 2, 3])
    expectError(.ociDigest) { try stub.client().put(small.descriptor, .file(BytesInMemory([1, 2, 4], path: "it"))) }
    #expect(stub.state { $0.blobs.isEmpty && $0.uploads.values.allSatisfy { $0.isEmpty } })
    #expect(!stub.log.contains { $0.hasPrefix("PUT") })
  }

  @Test("a blob is mounted from another repository of the registry, if it gives it")
  func mounted() throws {
    let stub = try StubRegistry { request, stub in
      guard request.line.contains("?mount=") else { return nil }
      return StubRegistry.reply("201 Created", ["Location: /v2/a/b/blobs/x"])
    }
    let registry = try stub.client()
    registry.mountSource = RepositoryName("\(stub.host)/other/place")
    let blob = try Blob([1, 2, 3])
    try registry.put(blob.descriptor, blob.feed)
    #expect(stub.log.last == "POST blobs/uploads/?mount=\(blob.descriptor.digest)&from=other%2Fplace")
    // One that begins an upload in its place gets the bytes there.
    let plain = try StubRegistry()
    let other = try plain.client()
    other.mountSource = RepositoryName("\(plain.host)/other/place")
    try other.put(blob.descriptor, blob.feed)
    #expect(plain.state { $0.blobs.count == 1 && $0.uploads.isEmpty })
    #expect(plain.log.count { $0.hasPrefix("POST") } == 1)
  }
}
