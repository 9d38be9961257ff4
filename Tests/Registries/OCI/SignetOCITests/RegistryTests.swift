import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import OCITestSupport
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
    for odd in ["-9223372036854775808", "-1", "9223372036854775807", "Wed, 21 Oct 2015 07:28:00 GMT", "1x", ""] {
      let times = Waits()
      let stub = try StubRegistry { _, _ in StubRegistry.reply("\(status) No", ["Retry-After: \(odd)"]) }
      expectError(.ociRefused) { _ = try stub.client { $0.wait = { times.add($0) } }.manifest(.tag("1")) }
      #expect(times.all.allSatisfy { (0...30_000).contains($0) } && times.all.count == 5)
    }
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

/// How long somebody waited.
final class Waits: @unchecked Sendable {
  private let lock = NSLock()
  private var times: [Int] = []
  var all: [Int] { lock.withLock { times } }
  func add(_ milliseconds: Int) { lock.withLock { times.append(milliseconds) } }
}
