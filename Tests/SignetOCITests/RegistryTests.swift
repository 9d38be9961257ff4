import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import PluginHostTests
@testable import SignetOCI

/// A client of a registry that behaves, and of one that fails now and then.
@Suite("registries", .serialized) struct RegistryTests {
  private typealias Step = RawServer.Step

  @Test("what is pushed is given back, with referrers that the registry lists")
  func roundTrip() throws {
    let stub = try StubRegistry()
    let registry = try stub.client()
    let manifest = try registry.putImage("one", tag: "1")
    let about = try registry.putImage("about", about: manifest)
    let other = try stub.client()
    #expect(try other.existing(.tag("1")).bytes == manifest.bytes)
    #expect(try other.existing(.digest(manifest.digest)).bytes == manifest.bytes)
    #expect(try other.whole(manifest.blobs[1]) == Array("one".utf8))
    #expect(try other.referrers(of: manifest.digest).map(\.digest) == [about.digest])
    #expect(try other.tags() == ["1"])
    #expect(try other.manifest(.tag("2")) == nil)
    #expect(try !other.has(try Blob([9]).descriptor))
    expectError(.ociNotFound) { _ = try other.whole(try Blob([9]).descriptor) }
    // The registry has said that it lists them, so no list was pushed.
    #expect(!stub.log.contains { $0.hasPrefix("PUT manifests/sha256-") })
    let first = try #require(stub.requests.first { $0.line.contains("GET /v2/a/b/manifests/1 ") })
    #expect(first["Accept"] == MediaType.documents.joined(separator: ", "))
    #expect(first["Authorization"] == nil && first["User-Agent"] == "signet")
  }

  @Test("without a list of its own, a registry gets one under the tag of the digest")
  func fallback() throws {
    let stub = try StubRegistry(listsReferrers: false)
    let registry = try stub.client()
    let manifest = try registry.putImage("one", tag: "1")
    let one = try registry.putImage("about", about: manifest)
    let two = try registry.putImage("also", about: manifest, type: "application/vnd.other.v1")
    let found = try stub.client().referrers(of: manifest.digest)
    #expect(found.map(\.digest) == [one.digest, two.digest])
    #expect(found.map(\.artifactType) == ["application/vnd.test.v1", "application/vnd.other.v1"])
    // The same again changes nothing, and the list is no tag of a module.
    try registry.put(one, tag: nil)
    #expect(try stub.client().referrers(of: manifest.digest).count == 2)
    #expect(try stub.client().tags() == ["1"])
  }

  @Test("an entry that others overwrite is added again, and a loss that goes on is told")
  func lostUpdates() throws {
    let losses = Counter()
    let stub = try StubRegistry(listsReferrers: false) { request, stub in
      // Somebody else puts an older list over ours, the first times.
      guard request.line.hasPrefix("GET /v2/a/b/manifests/sha256-"), losses.isBelow(3) else { return nil }
      let tags = stub.state { state in state.tags.filter { ManifestName.isReferrersTag($0.key) } }
      if let (tag, _) = tags.first {
        losses.count()
        stub.state { $0.tags[tag] = nil }
      }
      return nil
    }
    let manifest = try stub.client().putImage("one", tag: "1")
    let about = try stub.client().putImage("about", about: manifest)
    #expect(try stub.client().referrers(of: manifest.digest).map(\.digest) == [about.digest])
    #expect(losses.value == 3)

    let forgetful = try StubRegistry(listsReferrers: false) { request, stub in
      guard request.line.hasPrefix("GET /v2/a/b/manifests/sha256-") else { return nil }
      return StubRegistry.reply("404 Not Found")
    }
    let subject = try forgetful.client().putImage("one", tag: "1")
    expectError(.ociReferrerLost) { try forgetful.client().putImage("about", about: subject) }
  }

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

    let bad = try StubRegistry { request, _ in
      request.line.hasPrefix("PATCH") ? StubRegistry.reply("404 Not Found") : nil
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
      expectError(.ociUpload) { try stub.client { $0.partSize = 1 << 20 }.put(blob.descriptor, blob.feed) }
      #expect(stub.state { $0.blobs.isEmpty })
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
    registry.origin = RepositoryName("\(stub.host)/other/place")
    let blob = try Blob([1, 2, 3])
    try registry.put(blob.descriptor, blob.feed)
    #expect(stub.log.last == "POST blobs/uploads/?mount=\(blob.descriptor.digest)&from=other%2Fplace")
    // One that begins an upload in its place gets the bytes.
    let plain = try StubRegistry()
    let other = try plain.client()
    other.origin = RepositoryName("\(plain.host)/other/place")
    try other.put(blob.descriptor, blob.feed)
    #expect(plain.state { $0.blobs.count == 1 && $0.uploads.isEmpty })
  }

  @Test("failures that pass are tried again, and those that do not are told", arguments: [429, 500, 502, 503, 504])
  func transient(_ status: Int) throws {
    let failures = Counter()
    let waits = Waits()
    let stub = try StubRegistry { request, stub in
      guard failures.isBelow(2) else { return nil }
      failures.count()
      return StubRegistry.reply("\(status) No", ["Retry-After: 7"])
    }
    let registry = try stub.client { $0.wait = { waits.add($0) } }
    #expect(try registry.manifest(.tag("1")) == nil)
    #expect(failures.value == 2)
    #expect(waits.all == [7000, 7000])
    let down = try StubRegistry { _, _ in StubRegistry.reply("\(status) No", ["Retry-After: 999999"]) }
    let patient = Waits()
    expectError(.ociRefused) { _ = try down.client { $0.wait = { patient.add($0) } }.manifest(.tag("1")) }
    #expect(down.requests.count == 6)
    #expect(patient.all.allSatisfy { $0 <= 30_000 })
  }

  @Test("a registry that is away for a moment is waited for")
  func away() throws {
    let drops = Counter()
    let stub = try StubRegistry { _, _ in
      guard drops.isBelow(3) else { return nil }
      drops.count()
      return [.reset]
    }
    #expect(try stub.client().tags() == [])
    #expect(drops.value == 3)
  }
}

/// A count that several threads share.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  var value: Int { lock.withLock { number } }
  func count() { lock.withLock { number += 1 } }
  func isBelow(_ limit: Int) -> Bool { value < limit }
}

/// How long somebody waited.
final class Waits: @unchecked Sendable {
  private let lock = NSLock()
  private var times: [Int] = []
  var all: [Int] { lock.withLock { times } }
  func add(_ milliseconds: Int) { lock.withLock { times.append(milliseconds) } }
}
