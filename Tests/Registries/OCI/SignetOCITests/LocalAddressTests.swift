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

/// Names by which a registry of a network could reach services of this machine.
@Suite("registries that lead to this machine", .serialized) struct LocalAddressTests {
  @Test(
    "no other name for this machine is connected to",
    arguments: ["127.0.0.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "localhost", "127.9.9.9"])
  func thisMachine(_ name: String) throws {
    let stub = try StubRegistry { _, _ in StubRegistry.reply("200 OK") }
    let url = try FetchURL("http://\(name):\(stub.port)/")
    let away = HTTPSession(with: try FetchURL("https://registry.example/v2/"))
    let failure = #expect(throws: FetchFailure.self) { _ = try away.send(.get, url) }
    #expect(failure?.error.code == .fetchRedirect && failure?.isTransient == false)
    #expect(stub.requests.isEmpty)
    let named = try FetchURL("http://127.0.0.1:\(stub.port)/")
    #expect(try HTTPSession(with: named).send(.get, named).status == 200)
    // A name that led to this machine at the beginning may go on leading there.
    let unnamed = try FetchURL("http://[::ffff:127.0.0.1]:\(stub.port)/")
    let session = HTTPSession(with: unnamed)
    for _ in 0..<2 { #expect(try session.send(.get, unnamed).status == 200) }
  }

  /// A registry and another server of this machine, each of which the other knows by a name that does not say so.
  private static func leading(
    _ lie: @escaping @Sendable (StubRegistry.Request, String) -> [StubRegistry.Step]?
  ) throws -> (registry: StubRegistry, inside: StubRegistry) {
    let inside = try StubRegistry { request, _ in
      StubRegistry.reply("200 OK", [], Array(request.line.contains("/token") ? #"{"token":"T"}"#.utf8 : "12345".utf8))
    }
    let place = "http://[::ffff:127.0.0.1]:\(inside.port)"
    return (try StubRegistry { request, _ in lie(request, place) }, inside)
  }

  @Test("a server for tokens is not asked where its name leads to this machine")
  func tokensInside() throws {
    let (stub, inside) = try Self.leading { request, place in
      StubRegistry.reply("401 Unauthorized", ["WWW-Authenticate: Bearer realm=\"\(place)/token\",service=\"s\""])
    }
    let error = expectError(.ociUntrustedRealm) { _ = try stub.foreignClient().tags() }
    #expect(error?.found == "0:0:0:0:0:ffff:7f00:1, which is on this machine or its link")
    #expect(inside.requests.isEmpty)
    #expect(stub.requests.count == 1)
  }

  @Test("a registry that gives tokens itself is asked, whatever its address is")
  func tokensAtHome() throws {
    let stub = try StubRegistry { request, stub in
      if request.line.contains("/token") { return StubRegistry.reply("200 OK", [], Array(#"{"token":"T"}"#.utf8)) }
      guard request["Authorization"] != nil else {
        let realm = "http://0.0.0.0:\(stub.port)/token"
        return StubRegistry.reply("401 Unauthorized", ["WWW-Authenticate: Bearer realm=\"\(realm)\""])
      }
      return nil
    }
    #expect(try stub.foreignClient().tags() == [])
    #expect(stub.requests.count == 3)
  }

  @Test("no blob, upload or list leads to this machine, not by a connection that was kept either")
  func inside() throws {
    let blob = try Blob(Array("12345".utf8))
    let (stub, inside) = try Self.leading { request, place in
      if request.line.hasPrefix("HEAD") { return nil }
      if request.line.hasPrefix("POST") {
        return StubRegistry.reply("202 Accepted", ["Location: \(place)/up"])
      }
      if request.line.contains("/tags/") {
        return StubRegistry.reply("200 OK", ["Link: <\(place)/next>; rel=next"], Array(#"{"tags":["a"]}"#.utf8))
      }
      return StubRegistry.reply("307 Temporary Redirect", ["Location: \(place)/blob"])
    }
    let registry = try stub.foreignClient()
    expectError(.fetchRedirect) { _ = try registry.whole(blob.descriptor) }
    expectError(.fetchRedirect) { _ = try registry.manifest(.tag("1")) }
    expectError(.fetchRedirect) { _ = try registry.tags() }
    expectError(.fetchRedirect) { try registry.put(blob.descriptor, blob.feed) }
    #expect(inside.requests.isEmpty)
    // A registry that the user has named as one of this machine may lead there.
    #expect(try stub.client().whole(blob.descriptor) == blob.bytes)
    #expect(inside.requests.count == 1)
  }

  @Test("what a registry of this machine leads to leads back no more: no blob, upload or list")
  func thereAndBack() throws {
    let blob = try Blob(Array("12345".utf8))
    let inside = try StubRegistry { _, _ in StubRegistry.reply("201 Created", [], Array("12345".utf8)) }
    let place = "http://[::ffff:127.0.0.1]:\(inside.port)"
    let between = try StubRegistry { request, _ in
      if request.line.contains("/next") {
        return StubRegistry.reply("200 OK", ["Link: <\(place)/next>; rel=next"], Array(#"{"tags":["b"]}"#.utf8))
      }
      return StubRegistry.reply(
        request.line.hasPrefix("PATCH") ? "202 Accepted" : "307 Temporary Redirect", ["Location: \(place)/x"])
    }
    let other = "http://0.0.0.0:\(between.port)"
    let stub = try StubRegistry { request, _ in
      if request.line.hasPrefix("HEAD") { return nil }
      if request.line.hasPrefix("POST") { return StubRegistry.reply("202 Accepted", ["Location: \(other)/up"]) }
      if request.line.contains("/tags/") {
        return StubRegistry.reply("200 OK", ["Link: <\(other)/next>; rel=next"], Array(#"{"tags":["a"]}"#.utf8))
      }
      return StubRegistry.reply("307 Temporary Redirect", ["Location: \(other)/blob"])
    }
    let registry = try stub.client { $0.partSize = 1 << 19 }
    // It is sent in parts, each to where the answer before it says.
    let large = try Blob([UInt8](repeating: 1, count: 1 << 20 | 1))
    expectError(.fetchRedirect) { _ = try registry.whole(blob.descriptor) }
    expectError(.fetchRedirect) { _ = try registry.manifest(.tag("1")) }
    expectError(.fetchRedirect) { _ = try registry.tags() }
    expectError(.fetchRedirect) { try registry.put(large.descriptor, large.feed) }
    #expect(between.requests.count == 4)
    #expect(inside.requests.isEmpty)
  }
}
