import Foundation
import SignetAddresses
import SignetBase
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import SignetHTTP

/// A fetch of a small file, and what servers do to it.
@Suite("small files over HTTP", .serialized) struct HTTPClientTests {
  private typealias Step = RawServer.Step
  private static let bytes = Array("{\"signed\": {}}".utf8)

  private static func client(_ change: (inout HTTPClient.Limits) -> Void = { _ in }) -> HTTPClient {
    var limits = HTTPClient.Limits()
    change(&limits)
    return HTTPClient(limits: limits)
  }

  @Test("a file arrives as the server has it, and one that is not there is told by its status")
  func files() throws {
    let server = try RawServer { request in
      switch request.line {
      case "GET /1.root.json HTTP/1.1": [.file(Self.bytes.count), .send(Self.bytes)]
      case "GET /empty HTTP/1.1": [.file(0)]
      case "GET /hidden HTTP/1.1": [.head("403 Forbidden", ["Content-Length: 3"]), .send([1, 2, 3])]
      case "GET /gone HTTP/1.1": [.head("410 Gone", ["Content-Length: 0"])]
      case "GET /unbounded HTTP/1.1": [.head("200 OK"), .send(Self.bytes)]
      default: [.head("404 Not Found", ["Content-Length: 0"])]
      }
    }
    let client = Self.client()
    #expect(try client.get(server.url("/1.root.json"), limit: 14) == .bytes(Self.bytes))
    #expect(try client.get(server.url("/2.root.json"), limit: 14) == .notFound(status: 404))
    #expect(try client.get(server.url("/hidden"), limit: 1) == .notFound(status: 403))
    #expect(try client.get(server.url("/gone"), limit: 1) == .notFound(status: 410))
    #expect(try client.get(server.url("/empty"), limit: 0) == .bytes([]))
    #expect(try client.get(server.url("/unbounded"), limit: 14) == .bytes(Self.bytes))
    let first = try #require(server.requests.first)
    #expect(first["Accept-Encoding"] == "identity")
    #expect(first["User-Agent"] == "signet")
    #expect(first["Cookie"] == nil && first["Authorization"] == nil)
  }

  @Test(
    "a path is sent as it is written",
    arguments: ["/a/../b", "/./a//b", "/%2e%2E/%2Fx.json", "/..%2Fdelegated.json", "/a%5B1%5D/?x=../y", "/"])
  func paths(_ path: String) throws {
    let server = try RawServer { _ in [.file(0)] }
    _ = try Self.client().get(server.url(path), limit: 0)
    #expect(server.requests.map(\.line) == ["GET \(path) HTTP/1.1"])
  }

  @Test("a redirect is followed from where it stands, and the number of redirects is bounded")
  func redirects() throws {
    let server = try RawServer { request in
      if request.line.contains("/there/b ") { return [.file(1), .send([7])] }
      if request.line.contains("/round") { return [.head("302 Found", ["Location: /round", "Content-Length: 0"])] }
      return [.head("301 Moved", ["Location: ../there/b", "Content-Length: 0"])]
    }
    #expect(try Self.client().get(server.url("/here/a"), limit: 1) == .bytes([7]))
    expectError(.fetchRedirect) { _ = try Self.client { $0.redirects = 3 }.get(server.url("/round"), limit: 1) }
    #expect(server.requests.count == 2 + 4)
  }

  @Test("a server of a network leads to no service of this machine, and https not to http")
  func redirectsInside() throws {
    let inside = try RawServer { _ in [.file(1), .send([7])] }
    let (named, unnamed) = (inside.url("/"), "http://0.0.0.0:\(inside.port)/")
    for (round, place) in [named, unnamed].enumerated() {
      let outside = try RawServer { _ in [.head("302 Found", ["Location: \(place)", "Content-Length: 0"])] }
      let client = Self.client()
      // A name that does not say that the server is on this machine stands for one of a network.
      let error = expectError(.fetchRedirect) {
        _ = try client.get("http://[::ffff:127.0.0.1]:\(outside.port)/", limit: 1)
      }
      #expect(error?.expected == "a server of a network")
      #expect(inside.requests.count == 2 * round)
      // Not over a connection that was kept either: the same client has asked there before.
      #expect(try client.get(unnamed, limit: 1) == .bytes([7]))
      expectError(.fetchRedirect) { _ = try client.get("http://[::ffff:127.0.0.1]:\(outside.port)/", limit: 1) }
      #expect(inside.requests.count == 2 * round + 1)
      // A server that was named as one of this machine may lead there.
      #expect(try client.get(outside.url("/"), limit: 1) == .bytes([7]))
    }
    // A server may lead to other ports of its own, whatever its address is.
    let neighbour = try RawServer { _ in
      [.head("302 Found", ["Location: http://0.0.0.0:\(inside.port)/", "Content-Length: 0"])]
    }
    #expect(try Self.client().get("http://0.0.0.0:\(neighbour.port)/", limit: 1) == .bytes([7]))
    let secure = try FetchURL("https://example.com/a")
    #expect(
      try ["http://A.example:80/x", "http://[::1]:8/", "http://b"].map { try FetchURL($0).host } == [
        "a.example", "[::1]", "b",
      ])
    for (place, expected) in [("http://example.com/b", "https"), ("//localhost/b", "a server of a network")] {
      #expect(expectError(.fetchRedirect) { _ = try secure.following(place) }?.expected == expected)
    }
    expectError(.fetchRedirect) { _ = try secure.following("ftp://example.com/b") }
    #expect(try secure.following("../c").text == "https://example.com/c")
  }

  @Test("a name that has led one client into a network leads no other one to this machine")
  func sharedNames() throws {
    let server = try RawServer { _ in [.file(1), .send([7])] }
    let (url, names) = ("http://0.0.0.0:\(server.port)/", ServerNames())
    names.note(answerOf: "0.0.0.0", from: try #require(NetworkAddress([203, 0, 113, 9])))
    expectError(.fetchRedirect) { _ = try HTTPClient(names: names).get(url, limit: 1) }
    #expect(server.requests.isEmpty)
    // What has led to this machine from the beginning goes on doing so.
    let others = ServerNames()
    for _ in 0..<2 { #expect(try HTTPClient(names: others).get(url, limit: 1) == .bytes([7])) }
    others.note(answerOf: "0.0.0.0", from: try #require(NetworkAddress([203, 0, 113, 9])))
    #expect(try HTTPClient(names: others).get(url, limit: 1) == .bytes([7]))
  }

  /// What a server does, and the code that the client gives.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: SignetError.Code
    let steps: [RawServer.Step]
  }
  static let faults = [
    Fault(testDescription: "no answer", code: .fetchConnection, steps: []),
    Fault(testDescription: "a reset", code: .fetchConnection, steps: [.reset]),
    Fault(testDescription: "an early end", code: .fetchLength, steps: [.file(9), .send([1, 2])]),
    Fault(testDescription: "a length over the limit", code: .fetchTooLarge, steps: [.file(101), .hold]),
    Fault(
      testDescription: "endless data", code: .fetchTooLarge,
      steps: [.head("200 OK"), .sendForever([UInt8](repeating: 7, count: 64))]),
    Fault(
      testDescription: "an endless header", code: .fetchResponse,
      steps: [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(Array("X-A: b\r\n".utf8))]),
    Fault(testDescription: "a server error", code: .fetchStatus, steps: [.head("500 Broken", ["Content-Length: 0"])]),
    Fault(
      testDescription: "an encoding", code: .fetchEncoding,
      steps: [.file(1, ["Content-Encoding: gzip"]), .send([1])]),
    Fault(
      testDescription: "a part", code: .fetchStatus, steps: [.part(0, of: 3), .send([1, 2, 3])]),
    Fault(testDescription: "no HTTP", code: .fetchResponse, steps: [.send(Array("hello\r\n\r\n".utf8)), .hold]),
  ]

  @Test("each fault of an answer has its code, and is asked for once", arguments: faults)
  func fault(_ fault: Fault) throws {
    let server = try RawServer { _ in fault.steps }
    expectError(fault.code) { _ = try Self.client().get(server.url("/x"), limit: 100) }
    #expect(server.requests.count == 1)
  }

  @Test("a server that stalls, or sends too slowly for too long, is left")
  func stalls() throws {
    let server = try RawServer { request in
      request.line.contains("/stalled") ? [.file(3), .send([1]), .hold] : [.hold]
    }
    let stalled = Self.client { $0.stalledSeconds = 1 }
    expectError(.fetchTimeout) { _ = try stalled.get(server.url("/stalled"), limit: 3) }
    let short = Self.client { $0.totalSeconds = 1 }
    expectError(.fetchTimeout) { _ = try short.get(server.url("/silent"), limit: 3) }
    let none = ContinuousClock.now
    expectError(.fetchTimeout) { _ = try Self.client().get(server.url("/late"), limit: 3, before: none) }
    #expect(server.requests.count == 2)
  }

  @Test("pieces are handed on as they come, and an error of the taker ends the transfer")
  func pieces() throws {
    let server = try RawServer { request in
      request.line.contains("/missing")
        ? [.head("404 Not Found", ["Content-Length: 0"])] : [.file(3), .send([1]), .send([2, 3])]
    }
    var taken: [UInt8] = []
    #expect(try Self.client().get(server.url("/x"), limit: 3) { taken += $0 } == nil)
    #expect(taken == [1, 2, 3])
    #expect(try Self.client().get(server.url("/missing"), limit: 3) { taken += $0 } == 404)
    #expect(taken == [1, 2, 3])
    expectError(.jsonSyntax) {
      _ = try Self.client().get(server.url("/x"), limit: 3) { (_) throws(SignetError) in
        throw SignetError(.jsonSyntax, "x", "is enough")
      }
    }
  }

  @Test(
    "what is not a plain address of http or https is not fetched",
    arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://me:secret@127.0.0.1/", "http:///x", "x", ""])
  func addresses(_ url: String) { expectError(.fetchURL) { _ = try Self.client().get(url, limit: 1) } }

  @Test("only this user and root may choose the authorities of servers")
  func authorities() throws {
    let folder = try TemporaryFolder()
    try folder.write("ca.pem", Array("x".utf8), mode: 0o666)
    let server = try RawServer { _ in [.file(0)] }
    let client = HTTPClient(authorities: folder.file("ca.pem"))
    expectError(.fileOthersMayWrite) { _ = try client.get(server.url("/x"), limit: 1) }
    #expect(server.requests.isEmpty)
  }
}
